"""The systems that find acronyms and long forms in a text, defined or not."""

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ....errors import InputError, missing_extra, unknown_name
from ....rules import (
    Definition,
    Offsets,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)
from ..systems.all_capitals import all_capitals
from ..systems.character_match import character_match
from .classes import touches

if TYPE_CHECKING:
    from spacy.language import Language

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
    from ....pipeline.findings import place_of

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
    from ..docbin import read_marked
    from ..systems.lstm_crf import LSTMCRF

    system = LSTMCRF(tagger)
    system.fit((one.text, one.short, one.long) for one in read_marked(train))
    return lambda texts: (_apart(*spans) for spans in system.predict(texts))
