"""Exceptions of the package, and helpers that raise them with advice for the user."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from typing import Any

_SKIPPED_PACKAGES = (__name__.partition(".")[0], "spacy", "thinc")


class GladisError(Exception):
    """Base class of all errors that the package raises on purpose."""


class InputError(GladisError, ValueError):
    """Raised for an invalid argument, file or record."""


class FormatError(InputError):
    """Raised for a file that is damaged, in the wrong format or from an incompatible version."""


class DeviceMemoryError(GladisError):
    """Raised if a device has too little memory for even the smallest batch."""


class MissingExtraError(GladisError, ImportError):
    """Raised if an optional dependency is not installed. The message names the extra to install."""


@contextmanager
def wrap_parser_errors(message: str) -> Iterator[None]:
    """Convert any error that a parser raises on a damaged file to `FormatError`.

    Errors of the operating system and errors of this package pass through unchanged.

    Args:
        message: Start of the error message, such as ``"report.docx is damaged"``.

    Raises:
        FormatError: If the body of the ``with`` statement raises any other error.
    """
    try:
        yield
    except (OSError, GladisError):
        raise
    except Exception as error:
        is_too_deep = isinstance(error, RecursionError)
        detail = "nested too deeply" if is_too_deep else str(error) or type(error).__name__
        raise FormatError(f"{message}: {detail}") from error


def warn(message: str) -> None:
    """Emit a `UserWarning` that points at the caller's code.

    The warning names the innermost line outside this package, spaCy and Thinc.

    Args:
        message: Text of the warning.
    """
    frame, level = sys._getframe(), 1
    while (
        frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _SKIPPED_PACKAGES
    ):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


def missing_extra(package: str, extra: str) -> MissingExtraError:
    """Create the error for an optional dependency that is not installed.

    Args:
        package: Name of the missing package on PyPI.
        extra: Extra of spacy-gladis that installs the package.

    Returns:
        An error whose message has the ``pip install`` command.
    """
    return MissingExtraError(
        f"The package '{package}' is required but not installed. "
        f"Install it with: pip install 'spacy-gladis[{extra}]'"
    )


def require(module: str, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional dependency.

    Args:
        module: Dotted name of the module.
        extra: Extra of spacy-gladis that installs the dependency.
        package: Name of the dependency on PyPI. Defaults to the top-level package of `module`.

    Returns:
        The imported module.

    Raises:
        MissingExtraError: If the module can't be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise missing_extra(package or module.partition(".")[0], extra) from error


def check_names(
    kind: str, names: Iterable[str], valid_names: Iterable[str], *, listing: str = ""
) -> None:
    """Raise an error if any of several names is not valid.

    Args:
        kind: What the names refer to, such as ``"field"``, for the error message.
        names: The names to check.
        valid_names: All valid names.
        listing: Command or option that prints the valid names. Defaults to ``--help``.

    Raises:
        InputError: If a name is not valid. See `unknown_name` for the message.
    """
    choices = list(valid_names)
    for name in names:
        if name not in choices:
            raise unknown_name(kind, name, choices, listing=listing)


MOST_NAMES = 10
"""Maximum number of valid names that an error message lists."""
LONGEST_NAME = 100
"""Maximum number of characters of an unknown name that an error message quotes."""


def unknown_name(
    kind: str, name: str, valid_names: Iterable[str], *, listing: str = ""
) -> InputError:
    """Create the error for a name that is not valid.

    The message suggests the most similar name. It lists all valid names if there are at most
    `MOST_NAMES`, and the most similar ones otherwise.

    Args:
        kind: What the name refers to, such as ``"field"``.
        name: The unknown name.
        valid_names: All valid names.
        listing: Command or option that prints the valid names. Defaults to ``--help``.

    Returns:
        The error to raise.
    """
    choices, name = list(valid_names), name[:LONGEST_NAME]
    ranked = _rank_by_similarity(name, choices)
    suggestion = f" Did you mean {ranked[0]!r}?" if ranked and _is_similar(name, ranked[0]) else ""
    if len(choices) <= MOST_NAMES:
        return InputError(
            f"Unknown {kind} {name!r}.{suggestion} Choose from: {', '.join(choices)}."
        )
    shown = ", ".join(ranked[:MOST_NAMES])
    return InputError(
        f"Unknown {kind} {name!r}.{suggestion} The closest of {len(choices):,} names: {shown}. "
        f"List all of them with: {listing or '--help'}."
    )


def _rank_by_similarity(name: str, choices: Iterable[str]) -> list[str]:
    """Sort names by their similarity to a given name. Names that contain it come first."""
    query = name.lower()
    matcher = SequenceMatcher(b=query, autojunk=False)

    def distance(choice: str) -> tuple[bool, float]:
        matcher.set_seq1(choice.lower())
        return query not in choice.lower(), -matcher.ratio()

    return sorted(choices, key=distance)


def _is_similar(name: str, choice: str) -> bool:
    return bool(get_close_matches(name.lower(), [choice.lower()])) or (
        len(name) > 2 and name.lower() in choice.lower()
    )
