"""Other wordings of a phrase: its acronyms spelt out, what it joins with "and" apart."""

import re
from collections.abc import Iterable

from ..rules import Definition, defined_mentions, find_definitions
from .concept import ConceptMention

_JOINED = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and/or|and|or)\s+|\s*/\s*")
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


def split_coordination(phrase: str) -> list[str]:
    """The phrases that one phrase joins; none where it joins nothing.

    "breast and ovarian cancer" gives "breast cancer" and "ovarian cancer": a part of one word
    takes what follows the first word of the last part.
    """
    parts = [part for part in _JOINED.split(phrase) if part]
    if len(parts) < 2:
        return []
    shared = parts[-1].split()[1:]
    return [" ".join([part, *shared]) if " " not in part else part for part in parts[:-1]] + [
        parts[-1]
    ]


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
