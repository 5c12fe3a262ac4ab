"""Phrases with the acronyms in them spelt out, as their document defines them."""

import re
from collections.abc import Iterable

from ..rules import Definition, defined_mentions, find_definitions
from .mention import ConceptMention

_EMPTY_BRACKETS = re.compile(r"\s*[(\[]\s*[)\]]")


def expand_acronyms(mentions: Iterable[ConceptMention]) -> list[str]:
    """The phrases, each acronym that the mention's text defines in its long form.

    "G6PD deficiency" becomes "glucose-6-phosphate dehydrogenase deficiency"; where the long form is
    in the phrase already, the acronym goes. A text is searched once for all its mentions.
    """
    known: dict[str, tuple[list[Definition], dict[tuple[int, int], int]]] = {}
    expanded = []
    for mention in mentions:
        if mention.start < 0:
            expanded.append(mention.phrase)
            continue
        if mention.text not in known:
            definitions = find_definitions(mention.text)
            known[mention.text] = definitions, defined_mentions(mention.text, definitions)
        expanded.append(_expand(mention, *known[mention.text]))
    return expanded


def _expand(
    mention: ConceptMention, definitions: list[Definition], places: dict[tuple[int, int], int]
) -> str:
    phrase, first = mention.phrase, mention.start
    last = first + len(phrase)
    for start, end in sorted(places, reverse=True):
        if first <= start and end <= last:
            low, high = definitions[places[start, end]].long_form
            spelt_out = first <= low and high <= last
            long_form = "" if spelt_out else mention.text[low:high]
            phrase = phrase[: start - first] + long_form + phrase[end - first :]
    return " ".join(_EMPTY_BRACKETS.sub("", phrase).split()) or mention.phrase
