"""What a pipeline found in a document."""

from typing import NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from ..output.records import Offsets, definitions_of
from ..pipeline.annotations import (
    acronym_groups,
    find_definition,
    find_resolution,
    first_offsets,
    mention_offsets,
)
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
    mentions = [_mention(group, span) for group in acronym_groups(doc) for span in group]
    return Facts(doc.lang_, definitions_of(doc), mentions)


def _mention(group: SpanGroup, span: Span) -> tuple[int, int, Resolution | None]:
    """A mention with its answer; of acronyms that a slash joins the first where the text defines
    it, as that is a use of what it defines."""
    first, place = first_offsets(group, span), mention_offsets(group, span)
    own = find_definition(group, span) if first != place else None
    return (*first, own) if own else (*place, find_resolution(span))
