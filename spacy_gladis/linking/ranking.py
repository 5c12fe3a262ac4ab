"""Ranking: convert the features of an acronym's candidates to meanings with probabilities."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, is_own_entry
from ..text import base_form
from ..text.spelling import group_spellings, same_key
from .acrobert import AcroBERT
from .calibration import compute_probabilities, reweigh
from .candidates import Question
from .features import Evidence, FeatureReader

OTHER_DOCUMENT = 0.85
"""Maximum probability of a meaning that another document defines."""

DISCOURSE = 0.8
"""Weight, between 0 and 1, of the mean over all of an acronym's mentions in the document. The
remaining weight goes to the mention's own context. Words tend to have one sense per discourse
(Gale, Church and Yarowsky 1992)."""

OTHER_SPELLING, OTHER_CASE = 0.5, 0.15
"""Weights in the vote on a meaning. `OTHER_SPELLING` applies to mentions with another spelling of
the acronym (CNNs, U.S.), and `OTHER_CASE` to mentions with another case (PT for pt). Mentions with
the same spelling have weight 1."""

MOST_GROUPED = 32
"""Maximum number of candidates that are compared to find spellings of the same meaning. The
comparison takes quadratic time, and the probabilities of later candidates are negligible."""

USER_ENTRY = 5.0
"""Value that is added to the logits of entries from the user's own list."""

GLOSSARY_ENTRY = 12.0
"""Value that is added to the logits of entries from a glossary file, multiplied by their weight. It
exceeds what other evidence adds, so that a glossary file decides the answer."""

Meanings = list[tuple[Candidate, float]]
"""Meanings of a mention with their probabilities, best first."""


@dataclass(frozen=True)
class Ranked:
    """The ranked meanings of a mention of an acronym.

    Attributes:
        mention: Index of the mention in the linker's list of mentions.
        meanings: Candidates with their probabilities, best first. A candidate stands for all
            spellings of its meaning. The probabilities of all meanings and of NIL, the answer that
            no candidate is right, sum to 1.
        evidence: The features of the candidates. None if they were ranked only by counts.
    """

    mention: int
    meanings: Meanings
    evidence: Evidence | None = None


def rank(evidence: Sequence[Evidence], reader: FeatureReader) -> list[Ranked]:
    """Rank the meanings of every mention of an acronym by all features of the candidates.

    Definitions in other documents are evidence with a weight of its own, which other evidence can
    outvote. A meaning that another document defines never gets a probability above
    `OTHER_DOCUMENT`, unless it is an entry of the user.

    Args:
        evidence: Features for all acronyms of one or more documents.
        reader: The reader that computed the features.

    Returns:
        The ranked meanings of each mention. The acronyms are in the order of `evidence`, and the
        mentions of an acronym in text order.
    """
    ranked = []
    for item, meanings in zip(evidence, _rank_questions(evidence, reader), strict=True):
        if item.question.folder.any():
            meanings = [_limit_folder(item.question, of_context) for of_context in meanings]
        for number, mention in enumerate(item.question.mentions):
            of_mention = meanings[min(number, len(meanings) - 1)]
            ranked.append(Ranked(mention, list(of_mention), item))
    return ranked


def _rank_questions(evidence: Sequence[Evidence], reader: FeatureReader) -> list[list[Meanings]]:
    """Rank the meanings of each question in each encoded context.

    If a question has more mentions than encoded contexts, the last item applies to the other
    mentions.
    """
    model = reader.model
    logits = [model.compute_logits(item.question, item.tables, item.queries) for item in evidence]
    ranked = []
    for item, voted in zip(evidence, vote(evidence, logits, model), strict=True):
        nil = model.score_nil(item.question)
        ranked.append([rank_candidates(item.question, scores, nil) for scores in voted])
    return ranked


def _limit_folder(question: Question, meanings: Meanings) -> Meanings:
    """Limit the probability of a meaning that another document defines to `OTHER_DOCUMENT`."""
    weights = zip(question.candidates, question.folder, strict=True)
    in_folder = {candidate.long_form for candidate, weight in weights if weight}
    best, probability = meanings[0]
    if best.long_form not in in_folder or is_own_entry(best):
        return meanings
    return reweigh(meanings, min(probability, OTHER_DOCUMENT))


def rank_by_popularity(questions: Sequence[Question]) -> list[Ranked]:
    """Rank the meanings of every mention of an acronym only by the dictionary's counts.

    The probability of a candidate is its share of all counts. For this, each candidate's count is
    increased by one. NIL, the answer that no candidate is right, has a count of one.

    Args:
        questions: The acronyms with their candidates.

    Returns:
        The ranked meanings of each mention. The acronyms are in the order of `questions`, and the
        mentions of an acronym in text order.
    """
    ranked = []
    for question in questions:
        counts = [candidate.total for candidate in question.candidates]
        logits = np.log1p(counts).astype(np.float32)
        probabilities = compute_probabilities(logits, 0.0)
        order = np.argsort(-logits, kind="stable")
        meanings = _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])
        ranked += [Ranked(mention, list(meanings)) for mention in question.mentions]
    return ranked


def vote(
    evidence: Sequence[Evidence], logits: Sequence[Sequence[Floats]], model: AcroBERT
) -> Iterator[list[Floats]]:
    """Combine the logits of all mentions of an acronym in a document.

    An acronym usually has the same meaning throughout a document, so its mentions vote on the
    meaning. Other spellings, such as the plural, vote with a lower weight.

    Args:
        evidence: Features for all acronyms of one or more documents.
        logits: For each acronym and each of its encoded contexts, the logits of the candidates,
            float32 [candidates].
        model: The model that computed the logits.

    Yields:
        For each acronym, a list with the combined logits for each encoded context, float32
        [candidates]. If there are more mentions than encoded contexts, an additional last item
        applies to the other mentions.
    """
    groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for number, item in enumerate(evidence):
        groups[item.question.vote_key].append(number)
    for number, item in enumerate(evidence):
        group = groups[item.question.vote_key]
        others = [other for other in group if other != number]
        mean = np.mean(logits[number], axis=0, dtype=np.float32)
        if others:
            mean = _vote_of_spellings(number, others, evidence, logits, model)
        yield mix_votes(logits[number], mean, len(item.question.mentions), bool(others))


def mix_votes(
    contexts: Sequence[Floats], mean: Floats, mentions: int, has_others: bool = False
) -> list[Floats]:
    """Mix the values from each mention's own context with their mean over the document.

    The mean gets the weight `DISCOURSE`, because the mentions of an acronym usually have the same
    meaning.

    Args:
        contexts: Values for each encoded context of the acronym, such as the logits of its
            candidates.
        mean: Mean of these values. It includes the votes of other spellings.
        mentions: Number of mentions of the acronym in the document.
        has_others: Whether other spellings of the acronym vote too.

    Returns:
        The mixed values for each encoded context. If there are more mentions than encoded contexts,
        an additional last item applies to the other mentions.
    """
    if mentions == 1 and not has_others:
        return [mean]
    mixed = [(1 - DISCOURSE) * logits + DISCOURSE * mean for logits in contexts]
    return [*mixed, mean] if mentions > len(mixed) else mixed


def _vote_of_spellings(
    number: int,
    others: Sequence[int],
    evidence: Sequence[Evidence],
    logits: Sequence[Sequence[Floats]],
    model: AcroBERT,
) -> Floats:
    """Return the mean logits of a spelling's candidates, including the votes of other spellings.

    Votes are logits minus the logit of NIL. If another spelling has a likely meaning, it votes
    against the candidates that are not among its own.
    """

    def compute_votes(index: int) -> Floats:
        nil = np.float32(model.score_nil(evidence[index].question))
        votes: Floats = np.mean(logits[index], axis=0, dtype=np.float32) - nil
        return votes

    question = evidence[number].question
    of_spelling = compute_votes(number)
    keys = [same_key(candidate.long_form) for candidate in question.candidates]
    weights = np.full(len(of_spelling), float(len(logits[number])), np.float32)
    summed = of_spelling * weights
    for other in others:
        weight = _spelling_weight(question, evidence[other].question) * len(logits[other])
        votes: dict[str, float] = {}
        rivals = evidence[other].question.candidates
        for candidate, value in zip(rivals, compute_votes(other).tolist(), strict=True):
            votes.setdefault(same_key(candidate.long_form), value)
        # A spelling is neutral about candidates that it doesn't have, unless one of its own
        # candidates is likely.
        is_sure = max(votes.values(), default=0.0) > 0
        counts = np.array([is_sure or key in votes for key in keys], bool)
        values = np.array([votes.get(key, 0.0) for key in keys], np.float32)
        summed, weights = summed + weight * values, weights + weight * counts
    voted: Floats = (summed / weights + model.score_nil(question)).astype(np.float32)
    return voted


def _spelling_weight(question: Question, other: Question) -> float:
    """Return the weight of another spelling in the vote on a question."""
    first, second = base_form(question.acronym), base_form(other.acronym)
    is_same = first == second or first[1:] == second[1:] == first[1:].lower()  # Pt and pt
    return OTHER_SPELLING if is_same else OTHER_CASE


def rank_candidates(question: Question, logits: Floats, nil: float) -> Meanings:
    """Rank the meanings of an acronym in one context by the logits of its candidates.

    Entries of the user's own list and of glossary files are preferred. Candidates that are
    spellings of the same meaning are combined, and their probabilities are added up.

    Args:
        question: The acronym with its candidates.
        logits: Logits of the candidates in the context, [candidates].
        nil: Logit of NIL, the answer that no candidate is right.

    Returns:
        The meanings with their probabilities, best first.
    """
    logits, nil = raise_entries(question, logits, nil)
    probabilities = compute_probabilities(logits, nil)
    order = np.argsort(-logits, kind="stable")
    return _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])


def raise_entries(question: Question, logits: Floats, nil: float) -> tuple[Floats, float]:
    """Raise the logits of entries from glossary files and from the user's own list.

    `GLOSSARY_ENTRY` is added to the logit of an entry from a glossary file. `USER_ENTRY` is added
    to the logit of a user's entry, and subtracted from that of NIL. Another candidate still wins if
    it fits the context much better. If all candidates are the user's entries, NIL is ruled out.

    Args:
        question: The acronym with its candidates.
        logits: Logits of the candidates, [candidates].
        nil: Logit of NIL, the answer that no candidate is right.

    Returns:
        The new logits of the candidates, [candidates], and the new logit of NIL.
    """
    logits = logits + np.float32(GLOSSARY_ENTRY) * question.glossary
    is_user_entry = np.array([is_own_entry(candidate) for candidate in question.candidates], bool)
    if not is_user_entry.any():
        return logits, nil
    if is_user_entry.all():
        return logits, float(logits.min()) - 2 * USER_ENTRY
    return logits + USER_ENTRY * is_user_entry.astype(np.float32), nil - USER_ENTRY


def _by_meaning(ranked: Meanings) -> Meanings:
    """Add up the probabilities of candidates that are spellings of the same meaning."""
    head, tail = ranked[:MOST_GROUPED], ranked[MOST_GROUPED:]
    probabilities: dict[int, float] = {}
    meanings = group_meanings([candidate for candidate, _ in head])
    for index, (_, probability) in zip(meanings, head, strict=True):
        probabilities[index] = probabilities.get(index, 0.0) + probability
    # In single precision, the sum of a softmax may be slightly above 1.
    grouped = [(head[index][0], min(1.0, value)) for index, value in probabilities.items()]
    return sorted(grouped + tail, key=lambda pair: -pair[1])


def group_meanings(candidates: Sequence[Candidate]) -> list[int]:
    """Group the candidates of an acronym that are spellings of the same meaning.

    A dictionary that was mined from texts may list "computed tomography", "computed tomographic"
    and "computed tomography scan". As separate meanings, each of them would get only a part of the
    probability.

    A candidate joins the group of the first earlier candidate that has the same meaning. The most
    frequent candidate represents its group.

    Args:
        candidates: Candidates of an acronym, in order of preference.

    Returns:
        For each candidate, the index of the candidate that represents its meaning.
    """
    groups = group_spellings(tuple(candidate.long_form for candidate in candidates))
    best: dict[int, int] = {}
    for index, group in enumerate(groups):
        if group not in best or candidates[index].total > candidates[best[group]].total:
            best[group] = index
    return [best[group] for group in groups]


def order_by_mention(ranked: Sequence[Ranked], mentions: int) -> list[Meanings]:
    """Arrange the ranked meanings of mentions in the order of the mentions.

    Args:
        ranked: Ranked meanings of mentions, in any order.
        mentions: Number of mentions, which is the length of the result.

    Returns:
        For each mention, its meanings with their probabilities. The list is empty for a mention
        that `ranked` doesn't contain.
    """
    meanings: Mapping[int, Meanings] = {item.mention: item.meanings for item in ranked}
    return [meanings.get(number, []) for number in range(mentions)]
