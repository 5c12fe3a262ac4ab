"""The dictionary of acronyms and their long forms, its file formats, and the user's entries."""

from .builder import BuildReport, build_dictionary
from .candidate import (
    Candidate,
    CandidateSource,
    Entry,
    Group,
    Row,
    SourceInfo,
    merge_entries,
)
from .dictionary import Dictionary
from .importing import export_dictionary, import_dictionary, read_folder, read_rows
from .overlay import USER_SOURCE, is_own_entry
from .store import write_store

__all__ = [
    "USER_SOURCE",
    "BuildReport",
    "Candidate",
    "CandidateSource",
    "Dictionary",
    "Entry",
    "Group",
    "Row",
    "SourceInfo",
    "build_dictionary",
    "export_dictionary",
    "import_dictionary",
    "is_own_entry",
    "merge_entries",
    "read_folder",
    "read_rows",
    "write_store",
]
