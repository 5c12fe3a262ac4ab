"""The documents of a project that are kept in memory, with the definitions that they share."""

import os
from pathlib import Path

from ..dictionary.folder_definitions import FolderDefinitions
from ..documents.formats import format_of_file, read_file
from ..documents.source import Source
from ..errors import GladisError
from ..problem import ProblemLog
from .document import LintDocument
from .registry import load_rules
from .settings import Settings, find_settings

INDEXED = ("markdown", "restructuredtext", "latex", "asciidoc", "text")
"""Formats of the files that are read from folders."""
MOST_FILES = 1000
"""Maximum number of files that are read from a folder."""
MOST_FOLDERS = 5000
"""Maximum number of folders that are searched."""
MOST_BYTES = 1 << 20
"""Maximum size of a file that is read from a folder."""
SKIPPED_FOLDERS = frozenset({"node_modules", "venv", "__pycache__", "build", "dist", "site"})
"""Folders of installed or generated files, which are not searched. Neither are hidden folders."""


class Project:
    """The documents of a project, with their settings and the definitions that they share.

    A project may only be used in a single thread.

    Attributes:
        documents: The documents by the paths of their files.
    """

    def __init__(self) -> None:
        """Create a project without documents."""
        self.documents: dict[str, LintDocument] = {}
        self._settings: dict[Path, Settings] = {}
        self._pairs: dict[str, list[tuple[str, str]]] = {}
        self._definitions: FolderDefinitions | None = None

    def forget_settings(self) -> None:
        """Discard the settings, which are read again when they are used next."""
        self._settings.clear()

    def settings(self, folder: Path) -> Settings:
        """Return the linter's settings for a folder, which are read only once.

        Args:
            folder: The folder.

        Returns:
            The settings.

        Raises:
            InputError: If a setting is unknown or invalid.
            FormatError: If the file isn't TOML.
        """
        if folder not in self._settings:
            settings = find_settings(folder)
            settings.check(load_rules())
            self._settings[folder] = settings
        return self._settings[folder]

    @property
    def definitions(self) -> FolderDefinitions:
        """The definitions in all documents. If any of them has changed, this is a new object."""
        if self._definitions is None:
            self._definitions = FolderDefinitions()
            for path, pairs in self._pairs.items():
                self._definitions.add(pairs, path)
        return self._definitions

    def put(self, source: Source, settings: Settings) -> LintDocument:
        """Add a document to the project, or replace it by a new version.

        Args:
            source: The document, which is stored under its path.
            settings: Its settings.

        Returns:
            The document with the annotations that rules need.
        """
        document = LintDocument(source, settings)
        pairs = [(definition.acronym, definition.long_form) for definition in document.definitions]
        if pairs != self._pairs.get(source.path, []):
            self._definitions = None
        self._pairs[source.path] = pairs
        self.documents[source.path] = document
        return document

    def load(self, path: Path) -> None:
        """Read a file and add it to the project.

        A file that no longer exists, is excluded or isn't a document is removed from the project.

        Args:
            path: Path of the file.

        Raises:
            GladisError: If the file is damaged, or a setting is invalid.
            UnicodeDecodeError: If the file isn't UTF-8.
            OSError: If the file can't be read.
        """
        self.documents.pop(str(path), None)
        if self._pairs.pop(str(path), None):
            self._definitions = None
        if _is_document(path) and (settings := self.settings(path.parent)).is_included(path):
            for source in read_file(path, ProblemLog()):
                self.put(source, settings)

    def with_version(self, document: LintDocument) -> list[LintDocument]:
        """Return all documents, sorted by path, with one of them replaced by another version.

        Args:
            document: The version that replaces the stored one.

        Returns:
            The documents.
        """
        documents = {**self.documents, document.source.path: document}
        return [documents[path] for path in sorted(documents)]


def list_documents(folder: Path) -> list[Path]:
    """Find the documents in a folder and its subfolders, at most `MOST_FILES`.

    Args:
        folder: The folder.

    Returns:
        The paths of the documents.
    """
    documents: list[Path] = []
    for number, (parent, folders, names) in enumerate(os.walk(folder)):
        folders[:] = sorted(
            name for name in folders if name[0] != "." and name not in SKIPPED_FOLDERS
        )
        paths = (Path(parent, name) for name in sorted(names) if name[0] != ".")
        documents += filter(_is_document, paths)
        if len(documents) >= MOST_FILES or number >= MOST_FOLDERS:
            break
    return documents[:MOST_FILES]


def _is_document(path: Path) -> bool:
    try:
        is_small = path.is_file() and path.stat().st_size <= MOST_BYTES
        return is_small and format_of_file(path) in INDEXED
    except (OSError, GladisError):
        return False
