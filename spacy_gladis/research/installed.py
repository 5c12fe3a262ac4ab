"""Check that the packages of an extra, such as ``spacy-gladis[torch]``, are installed.

Long research runs do this first, so that they don't fail after hours because of a missing package.
"""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..errors import InputError, MissingExtraError

NAME = "spacy-gladis"


def check_extra(extra: str) -> None:
    """Check that every package of an extra of spacy-gladis is installed.

    Only the presence of the packages is checked, not their versions.

    Args:
        extra: Name of the extra, as in ``pip install 'spacy-gladis[EXTRA]'``. If it includes other
            extras of spacy-gladis, their packages are checked too.

    Raises:
        MissingExtraError: If packages are missing. The message lists them, with the ``pip``
            command that installs them.
        InputError: If spacy-gladis has no extra with this name.
    """
    wanted = sorted(set(_packages(extra)))
    if not wanted:
        raise InputError(f"{NAME} has no extra '{extra}'. Check the spelling of the name.")
    if missing := [name for name in wanted if not _is_installed(name)]:
        packages = "packages" if len(missing) > 1 else "package"
        raise MissingExtraError(
            f"Missing {packages}: {', '.join(missing)}. "
            f"Install the extra with: pip install '{NAME}[{extra}]'"
        )


def _packages(extra: str) -> Iterator[str]:
    """Yield the names of the packages that an extra requires and a plain installation does not."""
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
