"""The package's own errors. Each message says what was given, what was expected and what to do."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
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


def check_names(kind: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise InputError for the first name that is none of those known."""
    names = list(known)
    for name in given:
        if name not in names:
            raise unknown_name(kind, name, names)


def unknown_name(kind: str, given: str, known: Iterable[str]) -> InputError:
    """The error for a name that is none of those known: it names the nearest one, and all."""
    names = list(known)
    near = get_close_matches(given.lower(), names, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"No {kind} {given!r}.{meant} There are: {', '.join(names)}.")
