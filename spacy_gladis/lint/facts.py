"""What a pipeline found in a document."""

from typing import NamedTuple

from spacy.tokens import Doc

from ..output.records import Offsets, definitions_of
from ..pipeline.annotations import acronym_groups, find_resolution, mention_offsets
from ..pipeline.resolution import Resolution


class Facts(NamedTuple):
    """What the rules need of a Doc, which itself takes far more memory than its text.

    language: spaCy's code. definitions: acronym and long form. mentions: start, end, and the
    linker's answer, if any. All places are character offsets.
    """

    language: str
    definitions: list[tuple[Offsets, Offsets]]
    mentions: list[tuple[int, int, Resolution | None]]


def facts_of(doc: Doc) -> Facts:
    """The facts of an annotated document."""
    mentions = [
        (*mention_offsets(group, span), find_resolution(span))
        for group in acronym_groups(doc)
        for span in group
    ]
    return Facts(doc.lang_, definitions_of(doc), mentions)
