"""The package's own errors. Each message says what was given, what was expected and what to do."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from typing import Any

_NOT_THE_CALLER = (__name__.partition(".")[0], "spacy", "thinc")


class GladisError(Exception):
    """Base of every error this package raises on purpose."""


class InputError(GladisError, ValueError):
    """An argument, a file or a record is not what the function takes."""


class FormatError(InputError):
    """A file is truncated, foreign or of another version."""


class DeviceMemoryError(GladisError):
    """A device is out of memory even for the smallest part of the work."""


class MissingExtraError(GladisError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""


@contextmanager
def damage_is_told(what: str) -> Iterator[None]:
    """Whatever a damaged file makes a library raise is a FormatError that begins with `what`; what
    a disk raises, and this package, stays as it is."""
    try:
        yield
    except (OSError, GladisError):
        raise
    except Exception as error:
        deep = isinstance(error, RecursionError)
        detail = "nested too deeply" if deep else str(error) or type(error).__name__
        raise FormatError(f"{what}: {detail}") from error


def warn(message: str) -> None:
    """Warn of the caller's line: the nearest one outside of this package and of spaCy."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _NOT_THE_CALLER:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def missing_extra(package: str, extra: str) -> MissingExtraError:
    """The error for `package` absent: it names the `pip install` that brings it."""
    return MissingExtraError(
        f"This needs the package '{package}', which is not installed. "
        f"Install it with: pip install 'spacy-gladis[{extra}]'"
    )


def require(module: str, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional dependency.

    package: its name on PyPI, where it is not the module's. Raises MissingExtraError.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise missing_extra(package or module.partition(".")[0], extra) from error


def check_names(
    kind: str, given: Iterable[str], known: Iterable[str], *, listing: str = ""
) -> None:
    """Raise InputError for the first name that is none of those known, as `unknown_name` has it."""
    names = list(known)
    for name in given:
        if name not in names:
            raise unknown_name(kind, name, names, listing=listing)


MOST_NAMES = 10
"""Names that an error shows."""
LONGEST_NAME = 100
"""Characters of an unknown name that an error shows."""


def unknown_name(kind: str, given: str, known: Iterable[str], *, listing: str = "") -> InputError:
    """Return the error for a name that is none of those known.

    It names the nearest one and, of many, those most like the given one.

    Args:
        kind: What is named, such as "field".
        given: The unknown name.
        known: The names that there are.
        listing: What lists all names where they are too many to show; by default `--help`.
    """
    names, given = list(known), given[:LONGEST_NAME]
    nearest = _nearest(given, names)
    meant = f" Did you mean {nearest[0]!r}?" if nearest and _is_near(given, nearest[0]) else ""
    if len(names) <= MOST_NAMES:
        return InputError(f"No {kind} {given!r}.{meant} There are: {', '.join(names)}.")
    shown = ", ".join(nearest[:MOST_NAMES])
    return InputError(
        f"No {kind} {given!r}.{meant} The nearest of {len(names):,} names: {shown}. "
        f"To list all: {listing or '--help'}."
    )


def _nearest(given: str, names: Iterable[str]) -> list[str]:
    """The names, those most like a given one first: what has it as a part, then by spelling."""
    wanted = given.lower()
    matcher = SequenceMatcher(b=wanted, autojunk=False)

    def unlikeness(name: str) -> tuple[bool, float]:
        matcher.set_seq1(name.lower())
        return wanted not in name.lower(), -matcher.ratio()

    return sorted(names, key=unlikeness)


def _is_near(given: str, name: str) -> bool:
    return bool(get_close_matches(given.lower(), [name.lower()])) or (
        len(given) > 2 and given.lower() in name.lower()
    )
