"""Acronym -> long forms: build, merge, store, look up, import and export."""

from .builder import BuildReport, build_dictionary
from .candidate import Candidate, Entry, Group, Row, SourceInfo
from .dictionary import Dictionary
from .importing import export_dictionary, import_dictionary, read_folder, read_rows
from .overlay import USER_DOMAIN
from .same_key import merge_entries, same_key
from .store import write_store

__all__ = [
    "USER_DOMAIN",
    "BuildReport",
    "Candidate",
    "Dictionary",
    "Entry",
    "Group",
    "Row",
    "SourceInfo",
    "build_dictionary",
    "export_dictionary",
    "import_dictionary",
    "merge_entries",
    "read_folder",
    "read_rows",
    "same_key",
    "write_store",
]
