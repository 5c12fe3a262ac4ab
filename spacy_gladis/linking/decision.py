"""Last stage of linking: from ranked meanings to what is said of each mention."""

from collections.abc import Mapping

import numpy as np

from ..dictionary import USER_SOURCE, Candidate, SourceInfo
from ..dictionary.glosses import kind_of
from ..dictionary.learnt import Elsewhere, SaidElsewhere
from ..resolution import AnswerSource, Resolution
from ..settings import FIELDS
from ..text import Mention
from ..text.spelling import group_spellings
from .calibration import FEATURES, Calibration
from .features import Evidence
from .ranking import Meanings, Ranked
from .topics import Topics

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
"""What a reader is told, and the features that it stands for."""

MOST_FREQUENT = "most frequent in the dictionary"
"""The reason where counts alone decide."""

LEAST_REASON = 0.3
"""What a feature must add to the difference of two logits to be a reason."""

MOST_REASONS = 4


def decide(
    ranked: Ranked,
    mention: Mention,
    elsewhere: Elsewhere,
    *,
    threshold: float,
    top_k: int,
    language: str | None = None,
) -> Resolution:
    """Decide what a mention means: its best meaning, or NIL where that is too unlikely.

    Args:
        ranked: The mention's meanings.
        mention: The mention.
        elsewhere: What other documents define; the answer takes their wording.
        threshold: The probability, 0..1, below which the answer is NIL.
        top_k: How many candidates are kept.
        language: The document's language if the dictionary does not have it.
    """
    acronym = " ".join(mention.acronym.split())
    kept = ranked.meanings[:top_k]
    if not kept:
        why = f"the text is in {language}, the dictionary is not" if language else ""
        return Resolution(acronym, None, 0.0, "nil", (), (why,) if why else ())
    pairs = [(candidate.long_form, probability) for candidate, probability in kept]
    first, probability = kept[0]
    best = first.long_form
    source: AnswerSource = "dictionary" if first.counts else "document"
    defined = elsewhere.definitions.get((mention.document, mention.acronym), {})
    document = ""
    if defined and (wording := _same_meaning(best, defined)):
        best, source, document = wording, "folder", defined[wording].document
        pairs[0] = best, probability
    if probability < threshold:
        return Resolution(acronym, None, probability, "nil", tuple(pairs))
    gloss = kind_of(first.gloss)
    return Resolution(acronym, best, probability, source, tuple(pairs), (), document, gloss)


def _same_meaning(long_form: str, defined: Mapping[str, SaidElsewhere]) -> str | None:
    """Return the defined long form of most weight that is a spelling of this one."""
    names = sorted(defined, key=lambda name: -defined[name].weight)
    groups = group_spellings((long_form, *names))
    return next((name for name, group in zip(names, groups[1:], strict=True) if not group), None)


def find_reasons(
    evidence: Evidence,
    meanings: Meanings,
    weights: Calibration,
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> list[str]:
    """Return what speaks for the first meaning and not for the second, most of it first.

    Args:
        evidence: The evidence for all candidates.
        meanings: The candidates with their probabilities, best first; one at least.
        weights: What each piece of evidence is worth.
        topics: Names the fields.
        sources: Names the dictionary's sources.
    """
    question = evidence.question
    rows = {candidate.long_form: row for row, candidate in enumerate(question.candidates)}
    best = meanings[0][0]
    features = evidence.mean_table
    reasons = ["your own entry"] if USER_SOURCE in best.counts else []
    if len(meanings) == 1:
        reasons += ["only meaning in the dictionary"] if best.counts else []
        # There is no other meaning to compare the rest of the evidence with.
        known = np.isin(FEATURES, ("phrase", "folder"))
        added = features[rows[best.long_form]] * weights.weights * known
    else:
        rival = features[rows[meanings[1][0].long_form]]
        added = (features[rows[best.long_form]] - rival) * weights.weights
    worth = {words: added[np.isin(FEATURES, names)].sum() for words, names in REASONS.items()}
    for words in sorted(worth, key=lambda name: -worth[name]):
        if worth[words] >= LEAST_REASON and len(reasons) < MOST_REASONS:
            reasons.append(_with_details(words, best, evidence, topics, sources))
    return reasons


def _with_details(
    words: str,
    best: Candidate,
    evidence: Evidence,
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> str:
    if words == "the document says":
        return f"the document says '{best.long_form}'"
    if words == "field":
        document = evidence.topics / max(float(evidence.topics.sum()), 1e-6)
        own = topics.of_candidates([best], sources).mix(np.ones(1, np.float32))
        fields = topics.fields(sources)
        likeliest = int((fields @ (own * document)).argmax())
        return f"field {FIELDS[likeliest]} {float(fields[likeliest] @ document):.2f}"
    return words
