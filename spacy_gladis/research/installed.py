"""Check that an extra's packages are installed before a long run needs them."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..errors import InputError, MissingExtraError

NAME = "spacy-gladis"


def check_extra(extra: str) -> None:
    """Check that every package of one of our extras is installed.

    Args:
        extra: The extra's name. Other extras of ours that it includes are checked too.

    Raises:
        MissingExtraError: If packages are missing. The message names them and the command that
            installs them.
        InputError: If there is no such extra.
    """
    wanted = sorted(set(_packages(extra)))
    if not wanted:
        raise InputError(f"{NAME} has no extra '{extra}'.")
    if missing := [name for name in wanted if not _is_installed(name)]:
        packages = "packages" if len(missing) > 1 else "package"
        raise MissingExtraError(
            f"This needs the {packages} {', '.join(missing)}. "
            f"Install them with: pip install '{NAME}[{extra}]'"
        )


def _packages(extra: str) -> Iterator[str]:
    """Yield the packages that only this extra requires."""
    for line in requires(NAME) or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or marker.evaluate({"extra": ""}):
            continue
        if not marker.evaluate({"extra": extra}):
            continue
        if canonicalize_name(requirement.name) == NAME:
            for other in requirement.extras:
                yield from _packages(other)
        else:
            yield requirement.name


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
