"""Systems that mark acronyms and long forms in a text.

The SDU shared tasks' rule: words mostly of capitals; in brackets, a match of characters.

Veyseh et al. (2020), "What Does This Acronym Mean?", section 4; the behaviour is that of the
program published with the task.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import InputError, missing_extra, unknown_name
from ...text import (
    Definition,
    Offsets,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)

if TYPE_CHECKING:
    from spacy.language import Language

_WORD = re.compile(r"[^\W_]{2,}")


def all_capitals(text: str) -> set[tuple[int, int]]:
    """Offsets of the words of two characters or more that hold a capital and no small letter."""
    return {match.span() for match in _WORD.finditer(text) if match[0].isupper()}


Spans = tuple[set[Offsets], set[Offsets]]

_TOKEN = re.compile(r"\w+|[^\w\s]")
_CAPITALS = 0.6  # of an acronym's characters, at least
_MIN, _MAX = 2, 10  # characters of an acronym


def character_match(text: str) -> Spans:
    """Offsets of acronyms and of long forms.

    An acronym begins with a capital, is of 2 to 10 characters and has more than 60 % capitals. Its
    long form is read from min(n + 5, 2n) tokens before its bracket, or in the bracket behind it:
    each of its letters and digits in order, the first at the beginning of a word.
    """
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[slice(*span)] for span in tokens]
    short, long = set(), set()
    for index, word in enumerate(words):
        if not is_short_form(word):
            continue
        short.add(tokens[index])
        size = min(len(word) + 5, 2 * len(word))
        if index < len(words) - 3 and words[index + 1] == "(":
            inner = tokens[index + 2 : index + 2 + size]
            closed = words[index + 2 : index + 2 + size]
            found = _forwards(text, word, inner[: closed.index(")") if ")" in closed else size])
        elif index > 1 and words[index - 1] == "(" and words[index + 1 : index + 2] == [")"]:
            # As published: the sentence's first token is never part of a long form.
            found = _backwards(text, word, tokens[max(1, index - 1 - size) : index - 1])
        else:
            found = None
        if found:
            long.add(found)
    return short, long


def is_short_form(word: str) -> bool:
    """Whether a word is taken for an acronym."""
    capitals = sum(map(str.isupper, word))
    return word[0].isupper() and _MIN <= len(word) <= _MAX and capitals / len(word) > _CAPITALS


def _backwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens:
        return None
    begin, end = tokens[0][0], tokens[-1][1]
    at = end
    for number in range(len(acronym) - 1, -1, -1):
        letter = acronym[number].lower()
        if not letter.isalnum():
            continue
        at = text.lower().rfind(letter, begin, at)
        while number == 0 and at > begin and text[at - 1].isalnum():
            at = text.lower().rfind(letter, begin, at)
        if at < 0:
            return None
    return max(start for start, _ in tokens if start <= at), end


def _forwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens or text[tokens[0][0]].lower() != acronym[0].lower():
        return None
    at, end = tokens[0][0], tokens[-1][1]
    for letter in filter(str.isalnum, acronym.lower()):
        at = text.lower().find(letter, at, end) + 1
        if at == 0:
            return None
    return tokens[0][0], min(stop for _, stop in tokens if stop >= at)


def touches(span: Offsets, others: set[Offsets]) -> bool:
    """Whether a span has a character of one of the others."""
    return any(span[0] < end and start < span[1] for start, end in others)


LSTM_CRF = "lstm-crf"
"""The system that learns from a training file."""


class Found(NamedTuple):
    """Character offsets of acronyms and long forms; no acronym lies in a long form."""

    short: set[Offsets]
    long: set[Offsets]


System = Callable[[Iterable[str]], Iterable[Found]]
"""Texts in, what each holds out, in order."""


def rules(text: str) -> Found:
    """Definitions with and without marks, and undefined acronyms by their shape."""
    definitions = find_definitions(text)
    acronyms = find_acronyms(text)
    return _found([*definitions, *find_unmarked(text, acronyms, definitions)], acronyms)


def _found(definitions: list[Definition], acronyms: list[Offsets]) -> Found:
    long = {one.long_form for one in definitions}
    defined = {one.acronym for one in definitions}
    return _apart(defined | {one for one in acronyms if not touches(one, defined)}, long)


def _apart(short: set[Offsets], long: set[Offsets]) -> Found:
    return Found({span for span in short if not touches(span, long)}, long)


def _each(find: Callable[[str], Found]) -> System:
    return lambda texts: map(find, texts)


def _detector() -> System:
    import spacy

    nlp = spacy.blank("xx")
    nlp.add_pipe("acronym_detector")
    return _pipeline(nlp)


def _trained(path: Path) -> System:
    import spacy

    try:
        return _pipeline(spacy.load(path))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a pipeline that spaCy loads: {error}") from error


def _pipeline(nlp: "Language") -> System:
    from ...pipeline.annotations import place_of

    if "acronym_detector" not in nlp.pipe_names:
        raise InputError(
            f"The pipeline has no acronym_detector, only: {', '.join(nlp.pipe_names) or 'nothing'}."
        )
    pipe = nlp.get_pipe("acronym_detector")
    keys = [pipe.cfg[key] for key in ("spans_key", "long_forms_key")]  # type: ignore[attr-defined]

    def find(texts: Iterable[str]) -> Iterator[Found]:
        for doc in nlp.pipe(texts):
            short, long = ({place_of(span) for span in doc.spans[key]} for key in keys)
            yield _apart(short, long)

    return find


SYSTEMS: dict[str, Callable[[], System]] = {
    "rules": lambda: _each(rules),
    "find_definitions": lambda: _each(lambda text: _found(find_definitions(text), [])),
    "schwartz_hearst and shapes": lambda: _each(
        lambda text: _found(schwartz_hearst(text), find_acronyms(text))
    ),
    "schwartz_hearst": lambda: _each(lambda text: _found(schwartz_hearst(text), [])),
    "character match": lambda: _each(lambda text: _apart(*character_match(text))),
    "all capitals": lambda: _each(lambda text: Found(all_capitals(text), set())),
    "acronym_detector": _detector,
}


def make_systems(
    names: list[str], train: Path | None = None, tagger: str | None = None
) -> dict[str, System]:
    """Systems by name, or by the folder of a trained pipeline.

    "all" is every one with a name that needs neither `train`, a file of marked texts to learn from,
    nor `tagger`, a spaCy pipeline with a part-of-speech tagger. Raises InputError for an unknown
    name, for a folder without such a pipeline and for a system without what it needs.
    """
    wanted = [one for name in names for one in (SYSTEMS if name == "all" else [name])]
    systems: dict[str, System] = {}
    for name in wanted:
        if name in SYSTEMS:
            systems[name] = SYSTEMS[name]()
        elif name == LSTM_CRF:
            systems[name] = _lstm_crf(train, tagger)
        elif Path(name).is_dir():
            systems[name] = _trained(Path(name))
        else:
            known = ["all", *SYSTEMS, LSTM_CRF]
            raise unknown_name("system or folder of a trained pipeline", name, known)
    return systems


def _lstm_crf(train: Path | None, tagger: str | None) -> System:
    if find_spec("torchcrf") is None:
        raise missing_extra("pytorch-crf", "evaluation")
    if train is None or tagger is None:
        raise InputError(
            f"{LSTM_CRF} needs --train, a file of SciAI or SDU-22 to learn from, and --tagger, a "
            "spaCy pipeline with a part-of-speech tagger: an installed one, or the folder that "
            "'spacy project run parser' writes."
        )
    from .docbin import read_marked
    from .lstm_crf import LSTMCRF

    system = LSTMCRF(tagger)
    system.fit((one.text, one.short, one.long) for one in read_marked(train, Counter()))
    return lambda texts: (_apart(*spans) for spans in system.predict(texts))
