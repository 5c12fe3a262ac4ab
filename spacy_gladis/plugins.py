"""Load the extensions that other packages register as entry points."""

from importlib.metadata import entry_points
from typing import Any

from .errors import InputError


def load_plugins(group: str) -> dict[str, Any]:
    """Load the objects that installed packages register in a group of entry points.

    Args:
        group: Name of the group, such as ``spacy_gladis.formats``.

    Returns:
        A mapping from the names of the entry points to the loaded objects, sorted by name.

    Raises:
        InputError: If an entry point can't be imported, or two entry points have the same name.
    """
    plugins: dict[str, Any] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        if entry.name in plugins:
            raise InputError(f"Two packages add {entry.name!r} to the entry points {group!r}.")
        try:
            plugins[entry.name] = entry.load()
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"{entry.value!r}, which a package adds to the entry points {group!r} as "
                f"{entry.name!r}, cannot be imported: {error}"
            ) from error
    return plugins
