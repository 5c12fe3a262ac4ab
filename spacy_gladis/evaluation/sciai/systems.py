"""The systems that find acronyms and long forms in a text, defined or not."""

from collections.abc import Callable
from typing import NamedTuple

from ...errors import InputError
from ...rules import (
    Definition,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)

Offsets = tuple[int, int]


class Found(NamedTuple):
    """Character offsets of acronyms and long forms; no acronym lies in a long form."""

    short: set[Offsets]
    long: set[Offsets]


System = Callable[[str], Found]


def rules(text: str) -> Found:
    """Definitions with and without marks, and undefined acronyms by their shape."""
    definitions = find_definitions(text)
    defined = {text[slice(*one.acronym)] for one in definitions}
    acronyms = find_acronyms(text)
    undefined = [span for span in acronyms if text[slice(*span)] not in defined]
    return _found([*definitions, *find_unmarked(text, undefined)], acronyms)


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
    return Found({span for span in short if not _overlaps(span, long)}, long)


def _overlaps(span: Offsets, others: set[Offsets]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _detector() -> System:
    import spacy

    nlp = spacy.blank("xx")
    nlp.add_pipe("acronym_detector")

    def find(text: str) -> Found:
        doc = nlp(text)
        short, long = (
            {(span.start_char, span.end_char) for span in doc.spans.get(key, ())}
            for key in ("acronyms", "long_forms")
        )
        return Found({span for span in short if not _overlaps(span, long)}, long)

    return find


SYSTEMS: dict[str, Callable[[], System]] = {
    "rules": lambda: rules,
    "find_definitions": lambda: definitions_alone,
    "schwartz_hearst and shapes": lambda: schwartz_hearst_and_shapes,
    "schwartz_hearst": lambda: schwartz_hearst_alone,
    "acronym_detector": _detector,
}


def make_systems(names: list[str]) -> dict[str, System]:
    """Systems by name; "all" is every one. Raises InputError for an unknown name."""
    wanted = list(SYSTEMS) if "all" in names else names
    unknown = [name for name in wanted if name not in SYSTEMS]
    if unknown:
        raise InputError(f"No system {unknown[0]!r}; there are: all, {', '.join(SYSTEMS)}.")
    return {name: SYSTEMS[name]() for name in wanted}
