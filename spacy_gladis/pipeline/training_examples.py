"""What the linker learns from: reference mentions whose long form is known."""

from collections.abc import Iterable

from spacy.training import Example

from ..dictionary.learnt import Elsewhere, LearntDefinitions
from ..rules import Mention
from .annotations import mention_offsets
from .decision import defined_elsewhere
from .resolution import NIL


def labelled_mentions(
    examples: Iterable[Example], spans_key: str, learnt: LearntDefinitions
) -> tuple[list[Mention], list[str | None], Elsewhere]:
    """The mentions of the references, what each one means, and what other documents say.

    What it means is the span's `kb_id_`: a long form, however spelt, or NIL, which gives an empty
    string. None where a span has no `kb_id_`. learnt: what other documents say.
    """
    mentions: list[Mention] = []
    meant: list[str | None] = []
    definitions: dict[tuple[int, str], dict[str, float]] = {}
    for number, example in enumerate(examples):
        group = example.reference.spans.get(spans_key, ())
        text = example.reference.text if group else ""
        for span in group:
            mentions.append(Mention(text, *mention_offsets(group, span), number))
            meant.append("" if span.kb_id_ == NIL else span.kb_id_ or None)
            if found := defined_elsewhere(mentions[-1], example.reference, learnt):
                definitions[number, mentions[-1].acronym] = found
    return mentions, meant, Elsewhere(definitions, learnt.undefined)
