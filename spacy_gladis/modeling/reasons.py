"""Which pieces of evidence decided an answer, in words."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..dictionary import USER_DOMAIN, Candidate, SourceInfo
from ..settings import FIELDS
from .calibration import FEATURES, Calibration
from .topics import Topics

if TYPE_CHECKING:
    from .disambiguator import Disambiguator
    from .evidence import AcronymInDocument

WORDS = {
    "its wording fits the text": ("cosine",),
    "context like its other uses": ("centroid", "unseen", "seen"),
    "many sources have it": ("sources",),
    "common": ("common",),
    "glossaries have it": ("glossary",),
    "its initials spell the acronym": ("initials", "attested"),
    "its words stand near the acronym": ("overlap",),
    "words beside it": ("neighbours",),
    "field": ("topic",),
    "the document says": ("phrase",),
    "documents beside this one define it": ("folder",),
}
"""What a reader is told, and the evidence that it stands for."""

LEAST = 0.3
"""What evidence must add to the difference of two logits to be told."""

MOST = 4
"""Reasons of one answer."""


def explain(
    disambiguator: "Disambiguator",
    groups: Sequence["AcronymInDocument"],
    answers: Sequence[list[tuple[Candidate, float]]],
) -> list[list[str]]:
    """What decided each of the answers that the disambiguator's `rank` gave, in words."""
    settings, topics = disambiguator.model.settings, disambiguator.model.topics
    sources = disambiguator.dictionary.sources
    told: list[list[str]] = [[] for _ in answers]
    for group in groups:
        for index in group.indices:
            told[index] = reasons(
                group, answers[index], settings.weights(group.alone), topics, sources
            )
    return told


def reasons(
    group: "AcronymInDocument",
    ranked: Sequence[tuple[Candidate, float]],
    calibration: Calibration,
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> list[str]:
    """What speaks for the first of the ranked meanings and not for the second, most of it first.

    group: with the evidence of its candidates.
    """
    if not ranked:
        return ["nothing in the dictionary"]
    indices = {candidate.long_form: row for row, candidate in enumerate(group.candidates)}
    best = ranked[0][0]
    row = indices[best.long_form]
    told = ["your own entry"] if USER_DOMAIN in best.counts else []
    features = np.mean(group.features, axis=0)
    if len(ranked) == 1:
        told += ["only meaning in the dictionary"] if best.counts else []
        difference = features[row]
        told_of = {"phrase", "folder"}  # of the rest there is nothing to compare with
    else:
        difference = features[row] - features[indices[ranked[1][0].long_form]]
        told_of = set(FEATURES)
    found = {}
    for words, names in WORDS.items():
        parts = [
            getattr(calibration, name) * float(difference[FEATURES.index(name)])
            for name in names
            if name in told_of
        ]
        found[words] = sum(parts)
    for words in sorted(found, key=lambda one: -found[one]):
        if found[words] >= LEAST and len(told) < MOST:
            told.append(_with_details(words, best, group, topics, sources))
    return told


def _with_details(
    words: str,
    best: Candidate,
    group: "AcronymInDocument",
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> str:
    if words == "the document says":
        return f"the document says '{best.long_form}'"
    if words == "field":
        document = group.topics / max(float(group.topics.sum()), 1e-6)
        own = topics.of_candidates([best], sources).mix(np.ones(1, np.float32))
        fields = topics.fields(sources)
        likeliest = int((fields @ (own * document)).argmax())
        return f"field {FIELDS[likeliest]} {float(fields[likeliest] @ document):.2f}"
    return words
