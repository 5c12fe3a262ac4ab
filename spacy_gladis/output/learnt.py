"""What documents define as a table of own entries, for a person to look through."""

from collections import defaultdict
from pathlib import Path

from ..dictionary.learnt import LearntDefinitions, LearntEntry
from ..dictionary.tables import format_rows
from ..rules import base_form

HEADING = ("acronym", "long_form", "count", "note")
"""`count`: in how many documents. The notes are for the reader: an overlay passes them over."""


def to_table(learnt: LearntDefinitions, path: Path = Path("learnt.tsv")) -> str:
    """An entry a line in the order of the acronyms, the commoner meaning first.

    path: whose ending tells what is between the columns, tabs or commas.
    """
    meanings: defaultdict[str, list[LearntEntry]] = defaultdict(list)
    for entry in learnt:
        meanings[base_form(entry.acronym)].append(entry)
    lines = [HEADING]
    for entries in meanings.values():
        note = f"{len(entries)} meanings" if len(entries) > 1 else ""
        lines += [(one.acronym, one.long_form, str(one.documents), note) for one in entries]
    text = format_rows(lines, path)
    return text.replace("\t\n", "\n")
