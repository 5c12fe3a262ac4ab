"""From the meanings of a mention and their probabilities to what is said of it."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..dictionary import USER_SOURCE, Candidate, SourceInfo
from ..dictionary.learnt import NOTHING, Elsewhere, SaidElsewhere
from ..dictionary.same_key import group_spellings
from ..resolution import AnswerSource, Resolution
from ..settings import FIELDS
from ..text import Mention
from .calibration import FEATURES, Calibration
from .disambiguator import Disambiguator
from .evidence import AcronymInDocument
from .topics import Topics

NO_DOCUMENTS: Mapping[int, str] = {}


def resolve(
    disambiguator: Disambiguator,
    mentions: Sequence[Mention],
    elsewhere: Elsewhere = NOTHING,
    *,
    threshold: float,
    top_k: int,
    why: bool = False,
    foreign: Mapping[int, str] = NO_DOCUMENTS,
) -> list[Resolution]:
    """What each mention means by all evidence, in order; NIL below the threshold, 0..1.

    elsewhere: what other documents say. top_k: how many candidates are kept. why: name the
    evidence of each answer. foreign: the documents, by their numbers, in a language that the
    dictionary has not, with the language's name.
    """
    groups = disambiguator.group(mentions, elsewhere, foreign)
    disambiguator.read(mentions, groups, elsewhere)
    ranked = disambiguator.rank(groups, len(mentions))
    told: list[list[str]] = [[] for _ in mentions]
    if why:
        model, sources = disambiguator.model, disambiguator.dictionary.sources
        for group in groups:
            weights = model.settings.weights(group.alone)
            for index in group.indices:
                told[index] = reasons(group, ranked[index], weights, model.topics, sources)
    return [
        decide(
            " ".join(one.acronym.split()),
            found,
            elsewhere.definitions.get((one.document, one.acronym), {}),
            threshold,
            top_k,
            because,
            foreign.get(one.document),
        )
        for one, found, because in zip(mentions, ranked, told, strict=True)
    ]


def decide(
    acronym: str,
    ranked: Sequence[tuple[Candidate, float]],
    learnt: Mapping[str, SaidElsewhere],
    threshold: float,
    top_k: int,
    reasons: Sequence[str] = (),
    language: str | None = None,
) -> Resolution:
    """The best candidate, or NIL where there is none or it is too unlikely.

    learnt: long forms that other documents define; the best one has their wording if it is one.
    reasons: why it is the best. language: the document's, where the dictionary has it not.
    """
    pairs = [(one.long_form, probability) for one, probability in ranked[:top_k]]
    if not pairs:
        why = f"the text is in {language}, the dictionary is not" if language else ""
        return Resolution(acronym, None, 0.0, "nil", (), (why,) if why else ())
    best, probability = pairs[0]
    source: AnswerSource = "dictionary" if ranked[0][0].counts else "document"
    document = ""
    if learnt and (taught := _same_meaning(best, learnt)):
        best, source, document = taught, "folder", learnt[taught].document
        pairs[0] = best, probability
    if probability < threshold:
        return Resolution(acronym, None, probability, "nil", tuple(pairs))
    return Resolution(acronym, best, probability, source, tuple(pairs), tuple(reasons), document)


def _same_meaning(long_form: str, learnt: Mapping[str, SaidElsewhere]) -> str | None:
    """The learnt long form that is a spelling of this one, the one of most weight."""
    names = sorted(learnt, key=lambda name: -learnt[name].weight)
    groups = group_spellings((long_form, *names))
    return next((name for name, group in zip(names, groups[1:], strict=True) if not group), None)


REASONS = {
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


def reasons(
    group: AcronymInDocument,
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
    told = ["your own entry"] if USER_SOURCE in best.counts else []
    features = np.mean(group.features, axis=0)
    if len(ranked) == 1:
        told += ["only meaning in the dictionary"] if best.counts else []
        # Of all other evidence there is nothing to compare with.
        added = features[row] * calibration.weights * np.isin(FEATURES, ("phrase", "folder"))
    else:
        added = (features[row] - features[indices[ranked[1][0].long_form]]) * calibration.weights
    found = {words: added[np.isin(FEATURES, names)].sum() for words, names in REASONS.items()}
    for words in sorted(found, key=lambda one: -found[one]):
        if found[words] >= LEAST and len(told) < MOST:
            told.append(_with_details(words, best, group, topics, sources))
    return told


def _with_details(
    words: str,
    best: Candidate,
    group: AcronymInDocument,
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
