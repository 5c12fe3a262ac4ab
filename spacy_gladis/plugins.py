"""Loading of the extensions that other installed packages register as entry points."""

from importlib.metadata import entry_points
from typing import Any

from .errors import InputError


def load_plugins(group: str) -> dict[str, Any]:
    """Load the objects that installed packages register in a group of entry points.

    For example, a package can add the reader of a file format in the group
    ``spacy_gladis.formats``.

    Args:
        group: Name of the group of entry points.

    Returns:
        A mapping from the name of each entry point to the loaded object, sorted by name. Empty if
        no package registers one.

    Raises:
        InputError: If an entry point can't be imported, or two entry points have the same name.
    """
    plugins: dict[str, Any] = {}
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        if entry.name in plugins:
            raise InputError(
                f"Two packages add {entry.name!r} to the entry points {group!r}. Uninstall one."
            )
        try:
            plugins[entry.name] = entry.load()
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"{entry.value!r}, which a package adds to the entry points {group!r} as "
                f"{entry.name!r}, cannot be imported: {error}. Update or uninstall the package."
            ) from error
    return plugins
