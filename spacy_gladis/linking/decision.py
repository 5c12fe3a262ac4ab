"""Decision: choose the answer for each mention of an acronym, and explain the choice."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..dictionary import Candidate, SourceInfo, is_own_entry
from ..dictionary.folder_definitions import DefinitionEvidence, FolderEvidence
from ..resolution import AnswerSource, Resolution
from ..settings import FIELDS
from ..text import Mention
from ..text.spelling import group_spellings
from .acrobert import AcroBERT
from .calibration import FEATURES, Calibration
from .features import Evidence
from .ranking import Meanings, Ranked
from .topics import Topics

REASONS = {
    "its wording fits the text": ("cosine", "match"),
    "context like its other uses": ("centroid", "unseen", "seen"),
    "many sources have it": ("sources",),
    "common": ("common",),
    "glossaries have it": ("glossary",),
    "its initials spell the acronym": ("initials", "attested"),
    "its words stand near the acronym": ("overlap", "gloss"),
    "words beside it": ("neighbours",),
    "field": ("topic",),
    "the document says": ("phrase",),
    "documents beside this one define it": ("folder",),
}
"""A mapping from each reason for an answer, as shown to users, to the names of the features that
support it. The weighted features only approximate the scoring network, which decides."""

MOST_FREQUENT = "most frequent in the dictionary"
"""The reason that is shown for answers that were chosen only by the dictionary's counts."""

LEAST_REASON = 0.3
"""Minimum contribution of a reason to be shown. The contribution is the part of the best meaning's
lead over the second-best meaning, in logits, that comes from the features of the reason."""

MOST_REASONS = 4
"""Maximum number of reasons that are shown for an answer."""


def decide_all(
    ranked: Iterable[Ranked],
    mentions: Sequence[Mention],
    folder_evidence: FolderEvidence,
    model: AcroBERT,
    sources: Mapping[str, SourceInfo],
    *,
    threshold: float,
    top_k: int,
    foreign: Mapping[int, str],
) -> list[Resolution]:
    """Decide the answer for each mention of an acronym, and find the reasons for it.

    NIL is the answer that no candidate is probable enough. Mentions of an acronym in the same
    document share their reasons if their two best meanings are the same.

    Args:
        ranked: The ranked meanings of each mention, in any order.
        mentions: The mentions to answer, to which `ranked` refers by index.
        folder_evidence: Definitions found in other documents of the folder.
        model: The model, whose settings contain the weights of the features.
        sources: A mapping from the names of the dictionary's sources to their descriptions.
        threshold: Minimum probability of an answer, between 0 and 1. Less probable answers become
            NIL.
        top_k: Maximum number of candidates to keep in each answer.
        foreign: A mapping from the numbers of documents whose language the dictionary doesn't cover
            to the name of that language, such as ``"French"``.

    Returns:
        One answer for each mention, in the order of `mentions`.
    """
    by_mention = {item.mention: item for item in ranked}
    reasons: dict[tuple[object, ...], tuple[str, ...]] = {}
    resolutions = []
    for number, mention in enumerate(mentions):
        item, language = by_mention[number], foreign.get(mention.document)
        resolution = decide(
            item, mention, folder_evidence, threshold=threshold, top_k=top_k, language=language
        )
        if resolution.long_form is not None:  # an answer NIL is explained by `Resolution.why`
            compared = [candidate.long_form for candidate, _ in item.meanings[:2]]
            key = mention.document, mention.acronym, *compared
            if key not in reasons:
                reasons[key] = tuple(_explain(item, model, sources))
            resolution = resolution._replace(reasons=reasons[key])
        resolutions.append(resolution)
    return resolutions


def _explain(ranked: Ranked, model: AcroBERT, sources: Mapping[str, SourceInfo]) -> Sequence[str]:
    """Return the reasons for the best meaning of a mention, as phrases for users."""
    if ranked.evidence is None:
        return [MOST_FREQUENT]
    weights = model.settings.calibration
    return find_reasons(ranked.evidence, ranked.meanings, weights, model.topics, sources)


def decide(
    ranked: Ranked,
    mention: Mention,
    folder_evidence: FolderEvidence,
    *,
    threshold: float,
    top_k: int,
    language: str | None = None,
) -> Resolution:
    """Decide whether the answer for a mention is its best meaning or NIL.

    NIL means that no meaning is probable enough. If another document of the folder defines the best
    meaning, the answer uses the wording of that document.

    Args:
        ranked: The ranked meanings of the mention.
        mention: The mention of the acronym, with its text.
        folder_evidence: Definitions found in other documents of the folder.
        threshold: Minimum probability of an answer, between 0 and 1. A less probable answer becomes
            NIL.
        top_k: Maximum number of candidates to keep in the answer.
        language: Name of the document's language if the dictionary doesn't cover it, else None.

    Returns:
        The answer. Its `reasons` stay empty, unless it has no candidates because of the document's
        language.
    """
    acronym = " ".join(mention.acronym.split())
    meanings = ranked.meanings[:top_k]
    if not meanings:
        why = f"the text is in {language}, but the dictionary is not" if language else ""
        return Resolution(acronym, None, 0.0, "nil", (), (why,) if why else ())
    pairs = [(candidate.long_form, probability) for candidate, probability in meanings]
    first, probability = meanings[0]
    best = first.long_form
    source: AnswerSource = "dictionary" if first.counts else "document"
    definitions = folder_evidence.definitions.get((mention.document, mention.acronym), {})
    document = ""
    if definitions and (wording := _find_same_meaning(best, definitions)):
        best, source, document = wording, "folder", definitions[wording].document
        pairs[0] = best, probability
    if probability < threshold:
        return Resolution(acronym, None, probability, "nil", tuple(pairs))
    return Resolution(acronym, best, probability, source, tuple(pairs), (), document, first.kind)


def _find_same_meaning(long_form: str, definitions: Mapping[str, DefinitionEvidence]) -> str | None:
    """Return the spelling of a long form in the definition with the greatest weight, or None."""
    names = sorted(definitions, key=lambda name: -definitions[name].weight)
    groups = group_spellings((long_form, *names))
    return next((name for name, group in zip(names, groups[1:], strict=True) if not group), None)


def find_reasons(
    evidence: Evidence,
    meanings: Meanings,
    weights: Calibration,
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> list[str]:
    """Explain why the best meaning of a mention was preferred to the second-best meaning.

    A reason is shown if its features contribute enough to the difference between the logits of both
    meanings. If there is only one meaning, only evidence from this and other documents counts. For
    an entry of the user, the first reason is "your own entry".

    Args:
        evidence: Features of the acronym's candidates.
        meanings: The mention's meanings with their probabilities, best first. There is at least
            one.
        weights: Weights with which the features add up to logits.
        topics: The topic classifier, which gives the subject field of the document.
        sources: A mapping from the names of the dictionary's sources to their descriptions.

    Returns:
        Up to `MOST_REASONS` reasons as phrases for users, strongest first.
    """
    question = evidence.question
    rows = {candidate.long_form: row for row, candidate in enumerate(question.candidates)}
    best = meanings[0][0]
    features = evidence.mean_table
    reasons = ["your own entry"] if is_own_entry(best) else []
    if len(meanings) == 1:
        reasons += ["only meaning in the dictionary"] if best.counts else []
        # All other features are only meaningful in comparison with a second meaning.
        is_absolute = np.isin(FEATURES, ("phrase", "folder"))
        differences = features[rows[best.long_form]] * weights.weights * is_absolute
    else:
        rival = features[rows[meanings[1][0].long_form]]
        differences = (features[rows[best.long_form]] - rival) * weights.weights
    gains = {
        reason: differences[np.isin(FEATURES, names)].sum() for reason, names in REASONS.items()
    }
    for reason in sorted(gains, key=lambda name: -gains[name]):
        if gains[reason] >= LEAST_REASON and len(reasons) < MOST_REASONS:
            reasons.append(_add_details(reason, best, evidence, topics, sources))
    return reasons


def _add_details(
    reason: str,
    best: Candidate,
    evidence: Evidence,
    topics: Topics,
    sources: Mapping[str, SourceInfo],
) -> str:
    if reason == "the document says":
        return f"the document says '{best.long_form}'"
    if reason == "field":
        document = evidence.topics / max(float(evidence.topics.sum()), 1e-6)
        of_best = topics.locate_candidates([best], sources).mix(np.ones(1, np.float32))
        fields = topics.field_shares(sources)
        likeliest = int((fields @ (of_best * document)).argmax())
        return f"field {FIELDS[likeliest]} {float(fields[likeliest] @ document):.2f}"
    return reason
