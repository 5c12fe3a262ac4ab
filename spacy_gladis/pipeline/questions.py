"""What the linker learns from: reference mentions whose long form is known."""

from collections.abc import Iterable

from spacy.training import Example

from ..rules import Mention
from .annotations import mention_offsets
from .resolution import NIL


def labelled_mentions(
    examples: Iterable[Example], spans_key: str
) -> tuple[list[Mention], list[str | None]]:
    """The mentions of the references, and what each one means.

    That is the span's `kb_id_`: a long form, however spelt, or NIL, which gives an empty string.
    None where a span has no `kb_id_`.
    """
    mentions: list[Mention] = []
    meant: list[str | None] = []
    for number, example in enumerate(examples):
        group = example.reference.spans.get(spans_key, ())
        text = example.reference.text if group else ""
        for span in group:
            mentions.append(Mention(text, *mention_offsets(group, span), number))
            meant.append("" if span.kb_id_ == NIL else span.kb_id_ or None)
    return mentions, meant
