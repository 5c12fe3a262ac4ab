"""From a document's own definitions, and from ranked candidates, to resolutions."""

from collections.abc import Mapping, Sequence

from spacy.tokens import SpanGroup

from ..dictionary import Candidate
from ..rules import defined_mentions, find_definitions
from .annotations import defined_resolution, defined_words, definition_of, mention_offsets
from .resolution import Resolution, Source


def own_definitions(text: str, group: SpanGroup) -> dict[tuple[int, int], Resolution]:
    """The mentions that a document explains itself: as the detector says, else by rules."""
    if "definitions" in group.attrs:
        records = ((mention_offsets(group, s), definition_of(group, s)) for s in group)
        parts = [(o, defined_words(text, r), r["confidence"]) for o, r in records if r is not None]
    else:
        definitions = find_definitions(text)
        parts = [
            (offsets, definitions[index].words(text), definitions[index].confidence)
            for offsets, index in defined_mentions(text, definitions).items()
        ]
    return {
        offsets: defined_resolution(text[slice(*offsets)], long_form, confidence)
        for offsets, long_form, confidence in parts
    }


def defined_pairs(text: str, group: SpanGroup) -> list[tuple[str, str]]:
    """The acronyms and long forms that a document defines, as `own_definitions` finds them."""
    if "definitions" in group.attrs:
        return [
            (text[slice(*one["acronym"])], defined_words(text, one))
            for one in group.attrs["definitions"]
        ]
    return [(text[slice(*one.acronym)], one.words(text)) for one in find_definitions(text)]


def decide(
    acronym: str,
    scored: Sequence[tuple[Candidate, float]],
    learnt: Mapping[str, float],
    threshold: float,
    top_k: int,
) -> Resolution:
    """The best candidate, or NIL where there is none or it is too unlikely.

    learnt: long forms that other documents define; the best one has their wording if it is one.
    """
    pairs = [(one.long_form, float(share)) for one, share in scored[:top_k]]
    if not pairs:
        return Resolution(acronym, None, 0.0, "nil")
    best, probability = pairs[0]
    source: Source = "dictionary" if scored[0][0].counts else "document"
    if learnt and (taught := _same_meaning(best, learnt)):
        best, source = taught, "folder"
        pairs[0] = best, probability
    if probability < threshold:
        return Resolution(acronym, None, probability, "nil", tuple(pairs))
    return Resolution(acronym, best, probability, source, tuple(pairs))


def _same_meaning(long_form: str, learnt: Mapping[str, float]) -> str | None:
    """The learnt long form that is a spelling of this one, the one of most weight."""
    from ..modeling.meanings import group_spellings

    names = sorted(learnt, key=lambda name: -learnt[name])
    groups = group_spellings((long_form, *names))
    return next((name for name, group in zip(names, groups[1:], strict=True) if not group), None)
