"""Function that adds acronyms to the list of known acronyms that a project's settings name."""

from pathlib import Path

from ..dictionary.user_entries import append_user_entries
from ..errors import InputError
from ..files import refuse_stream, writing
from .settings import SETTINGS_FILE, find_table

KNOWN_FILE = "known-acronyms.txt"
"""Name of the list of known acronyms that is created for a project without settings."""


def add_to_project(folder: Path, acronym: str, long_form: str = "") -> Path:
    """Add an acronym to a project's own list, so that the linter doesn't ask for its definition.

    An acronym with a long form is added to the table that the setting ``glossary`` names, if the
    project has one. Any other acronym is added to the list that ``known-file`` names. A project
    without settings gets both a settings file and a list.

    Args:
        folder: Folder of the document. The settings file is in this folder or in one above it.
        acronym: Acronym to add.
        long_form: Long form of the acronym. Empty if it isn't known.

    Returns:
        Path of the file that contains the new entry.

    Raises:
        InputError: If the settings name no list that can be extended.
        FormatError: If the settings aren't TOML, or the glossary has no columns for entries.
        OSError: If a file can't be written.
    """
    table, path = find_table(folder)
    if path is None:
        path, table = folder / SETTINGS_FILE, {"known-file": KNOWN_FILE}
        with writing(path) as temporary:
            temporary.write_text(f'known-file = "{KNOWN_FILE}"\n', "utf-8")
    if long_form and "glossary" in table:
        glossary = Path(path.parent, table["glossary"])
        append_user_entries(glossary, [(acronym, long_form)])
        return glossary
    if "known-file" in table:
        known_file = Path(path.parent, table["known-file"])
        _append_line(known_file, acronym)
        return known_file
    wanted = "known-file" if "glossary" in table else "known-file or glossary"
    raise InputError(f"{path} names no list for '{acronym}'. Set {wanted} there.")


def _append_line(path: Path, line: str) -> None:
    """Append a line to a text file, and create the file if it doesn't exist."""
    refuse_stream(path)
    before = path.read_bytes() if path.exists() else b""
    ended = before if not before or before.endswith(b"\n") else before + b"\n"
    with writing(path, before) as temporary:
        temporary.write_bytes(ended + f"{line}\n".encode())
