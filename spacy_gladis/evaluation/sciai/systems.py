"""The systems that find acronyms and long forms in a text, defined or not."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...baselines.all_capitals import all_capitals
from ...baselines.character_match import character_match
from ...errors import InputError, unknown_name
from ...rules import (
    Definition,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)

if TYPE_CHECKING:
    from spacy.language import Language

Offsets = tuple[int, int]


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


def definitions_alone(text: str) -> Found:
    """Definitions only."""
    return _found(find_definitions(text), [])


def schwartz_hearst_and_shapes(text: str) -> Found:
    """The algorithm of 2003, and undefined acronyms by their shape."""
    return _found(schwartz_hearst(text), find_acronyms(text))


def schwartz_hearst_alone(text: str) -> Found:
    """The algorithm of 2003."""
    return _found(schwartz_hearst(text), [])


def _found(definitions: list[Definition], acronyms: list[Offsets]) -> Found:
    long = {one.long_form for one in definitions}
    short = {one.acronym for one in definitions} | set(acronyms)
    return _apart(short, long)


def _apart(short: set[Offsets], long: set[Offsets]) -> Found:
    return Found({span for span in short if not _overlaps(span, long)}, long)


def _overlaps(span: Offsets, others: set[Offsets]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _each(find: Callable[[str], Found]) -> System:
    return lambda texts: map(find, texts)


def _character_match(text: str) -> Found:
    return _apart(*character_match(text))


def _all_capitals(text: str) -> Found:
    return Found(all_capitals(text), set())


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
        raise InputError(f"{path} is no pipeline that spaCy loads: {error}") from error


def _pipeline(nlp: "Language") -> System:
    from ...pipeline.annotations import all_offsets

    if "acronym_detector" not in nlp.pipe_names:
        raise InputError(
            f"The pipeline has no acronym_detector, only: {', '.join(nlp.pipe_names) or 'nothing'}."
        )
    pipe = nlp.get_pipe("acronym_detector")
    keys = [pipe.cfg[key] for key in ("spans_key", "long_forms_key")]  # type: ignore[attr-defined]

    def find(texts: Iterable[str]) -> Iterator[Found]:
        for doc in nlp.pipe(texts):
            short, long = (set(all_offsets(doc.spans[key])) for key in keys)
            yield _apart(short, long)

    return find


SYSTEMS: dict[str, Callable[[], System]] = {
    "rules": lambda: _each(rules),
    "find_definitions": lambda: _each(definitions_alone),
    "schwartz_hearst and shapes": lambda: _each(schwartz_hearst_and_shapes),
    "schwartz_hearst": lambda: _each(schwartz_hearst_alone),
    "character match": lambda: _each(_character_match),
    "all capitals": lambda: _each(_all_capitals),
    "acronym_detector": _detector,
}


def make_systems(names: list[str]) -> dict[str, System]:
    """Systems by name, or by the folder of a trained pipeline; "all" is every one with a name.

    Raises InputError for an unknown name and for a folder without such a pipeline.
    """
    wanted = [one for name in names for one in (SYSTEMS if name == "all" else [name])]
    for name in wanted:
        if name not in SYSTEMS and not Path(name).is_dir():
            raise unknown_name("system or folder of a trained pipeline", name, ["all", *SYSTEMS])
    return {name: SYSTEMS[name]() if name in SYSTEMS else _trained(Path(name)) for name in wanted}
