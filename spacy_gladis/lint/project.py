"""The documents of a project that the language server keeps in memory, with their definitions."""

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
"""Formats of the files that are read from the folders of a project."""
MOST_FILES = 1000
"""Maximum number of files that are read from a folder and its subfolders."""
MOST_FOLDERS = 5000
"""Maximum number of folders that are searched for documents."""
MOST_BYTES = 1 << 20
"""Maximum size in bytes of a file that is read from a folder. Larger files are skipped."""
SKIPPED_FOLDERS = frozenset({"node_modules", "venv", "__pycache__", "build", "dist", "site"})
"""Names of folders with installed or generated files, which are not searched for documents."""


class Project:
    """The documents of a project, kept in memory with their settings and definitions.

    Documents are added and replaced while a user edits them. A project is not safe to use from
    several threads.

    Attributes:
        documents: Documents by the paths of their files.
    """

    def __init__(self) -> None:
        """Create a project without documents."""
        self.documents: dict[str, LintDocument] = {}
        self._settings: dict[Path, Settings] = {}
        self._pairs: dict[str, list[tuple[str, str]]] = {}
        self._definitions: FolderDefinitions | None = None

    def forget_settings(self) -> None:
        """Discard the cached linter settings, so that their files are read again when needed."""
        self._settings.clear()

    def settings(self, folder: Path) -> Settings:
        """Return the linter's settings for the documents in a folder.

        The settings of a folder are read once and then cached.

        Args:
            folder: Folder of a document. The settings file is in this folder or in one above it.

        Returns:
            Settings from the nearest settings file, or the default settings if there is no file.

        Raises:
            InputError: If a setting is unknown or invalid.
            FormatError: If the settings file isn't valid TOML.
        """
        if folder not in self._settings:
            settings = find_settings(folder)
            settings.check(load_rules())
            self._settings[folder] = settings
        return self._settings[folder]

    @property
    def definitions(self) -> FolderDefinitions:
        """The definitions in all documents of the project. A change of them makes a new object."""
        if self._definitions is None:
            self._definitions = FolderDefinitions()
            for path, pairs in self._pairs.items():
                self._definitions.add(pairs, path)
        return self._definitions

    def put(self, source: Source, settings: Settings) -> LintDocument:
        """Add a document to the project, or replace the document with the same path.

        Args:
            source: Document as it was read or edited. It is stored under its path.
            settings: Linter settings that apply to the document.

        Returns:
            The stored document, with the annotations that lint rules need.
        """
        document = LintDocument(source, settings)
        pairs = [(definition.acronym, definition.long_form) for definition in document.definitions]
        if pairs != self._pairs.get(source.path, []):
            self._definitions = None
        self._pairs[source.path] = pairs
        self.documents[source.path] = document
        return document

    def load(self, path: Path) -> None:
        """Read a file from disk and add it to the project, or replace its earlier version.

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
        """Return all documents of the project, with another version of one document.

        The project itself is not changed.

        Args:
            document: Version that takes the place of the stored document with the same path.

        Returns:
            All documents, sorted by path.
        """
        documents = {**self.documents, document.source.path: document}
        return [documents[path] for path in sorted(documents)]


def list_documents(folder: Path) -> list[Path]:
    """Find the documents in a folder and its subfolders, up to `MOST_FILES` files.

    Hidden files and folders, files larger than `MOST_BYTES`, and `SKIPPED_FOLDERS` are left out.

    Args:
        folder: Folder to search.

    Returns:
        Paths of the documents, sorted by name within each folder.
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
