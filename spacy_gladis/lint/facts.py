"""What a pipeline found in a document."""

from typing import NamedTuple

from spacy.tokens import Doc

from ..pipeline.annotations import definitions_of, find_acronym_spans, find_resolution
from ..pipeline.findings import place_of
from ..resolution import Resolution
from ..rules import Offsets


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
    definitions = [(one.acronym, one.long_form) for one in definitions_of(doc)]
    spans = find_acronym_spans(doc)
    return Facts(doc.lang_, definitions, [(*place_of(s), find_resolution(s)) for s in spans])
