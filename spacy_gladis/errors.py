"""The package's own errors. Each message says what was given, what was expected and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


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


def missing_extra(package: str, extra: str) -> MissingExtraError:
    """The error for `package` absent: it names the `pip install` that brings it."""
    return MissingExtraError(
        f"This needs the package '{package}', which is not installed. "
        f"Install it with: pip install 'spacy-gladis[{extra}]'"
    )


def unknown_name(kind: str, given: str, known: Iterable[str]) -> InputError:
    """The error for a name that is none of those known: it names the nearest one, and all."""
    names = list(known)
    near = get_close_matches(given.lower(), names, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"No {kind} {given!r}.{meant} There are: {', '.join(names)}.")
