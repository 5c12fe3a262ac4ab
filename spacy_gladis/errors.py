"""Exceptions that spacy-gladis raises, and helper functions that create helpful error messages."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from typing import Any

_SKIPPED_PACKAGES = (__name__.partition(".")[0], "spacy", "thinc")


class GladisError(Exception):
    """Base class of all errors that spacy-gladis raises on purpose.

    Catch it to handle any of them.
    """


class InputError(GladisError, ValueError):
    """Raised if an argument, a file or a record is invalid. It is also a `ValueError`."""


class FormatError(InputError):
    """Raised if a file is damaged, in the wrong format or from an incompatible version."""


class DeviceMemoryError(GladisError):
    """Raised in training if a device, such as a GPU, has too little memory for a single sample."""


class MissingExtraError(GladisError, ImportError):
    """Raised if an optional dependency is not installed. The message names the extra to install."""


@contextmanager
def wrap_parser_errors(message: str) -> Iterator[None]:
    """Convert any error that a parser raises on a damaged file to `FormatError`.

    Use it in a ``with`` statement around calls of a library that may raise anything on damaged
    files. Errors of the operating system and errors of spacy-gladis pass through unchanged.

    Args:
        message: Start of the error message, such as ``"report.docx is damaged"``. A colon and the
            text of the parser's error are appended.

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
    """Emit a `UserWarning` that points at the user's code.

    Python shows a warning with a file and a line. They are those of the innermost call that comes
    from outside spacy-gladis, spaCy and Thinc.

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
        package: Name of the missing package on PyPI, such as ``"pandas"``.
        extra: Extra of spacy-gladis that installs the package, such as ``"dataframe"``.

    Returns:
        An error to raise. Its message tells the user which ``pip install`` command to run.
    """
    return MissingExtraError(
        f"The package '{package}' is required but not installed. "
        f"Install it with: pip install 'spacy-gladis[{extra}]'"
    )


def require(module: str, extra: str, package: str | None = None) -> Any:
    """Import a module of an optional dependency, or tell the user how to install it.

    Args:
        module: Dotted name of the module, such as ``"pyarrow.parquet"``.
        extra: Extra of spacy-gladis that installs the dependency, such as ``"dataframe"``.
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
    """Raise an error if a name that the user passed is not one of the valid names.

    Args:
        kind: What the names refer to, such as ``"field"``. The error message uses this word.
        names: Names to check. The error is about the first name that isn't valid.
        valid_names: All valid names.
        listing: Command or option that prints the valid names. Defaults to ``--help``.

    Raises:
        InputError: If a name is not valid. The message suggests similar names (see `unknown_name`).
    """
    choices = list(valid_names)
    for name in names:
        if name not in choices:
            raise unknown_name(kind, name, choices, listing=listing)


MOST_NAMES = 10
"""Maximum number of valid names that the error message for an unknown name lists."""
LONGEST_NAME = 100
"""Maximum number of characters of an unknown name that an error message quotes."""


def unknown_name(
    kind: str, name: str, valid_names: Iterable[str], *, listing: str = ""
) -> InputError:
    """Create the error for a name that is not valid.

    If a valid name is similar enough, the message suggests it: "Did you mean 'clinical'?". The
    message then lists all valid names, or only the `MOST_NAMES` most similar ones if there are
    more.

    Args:
        kind: What the name refers to, such as ``"field"``. The message uses this word.
        name: Name that the user passed.
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
    """Sort valid names by their similarity to a given name, with names that contain it first."""
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
