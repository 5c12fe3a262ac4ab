"""What other packages add, by entry points."""

from importlib.metadata import entry_points
from typing import Any

from .errors import InputError


def load_plugins(group: str) -> dict[str, Any]:
    """Load what installed packages add in a group of entry points.

    Args:
        group: The group's name, such as ``spacy_gladis.formats``.

    Returns:
        The objects by the names of their entry points, in the order of the names.

    Raises:
        InputError: If one cannot be imported, or two have the same name.
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
