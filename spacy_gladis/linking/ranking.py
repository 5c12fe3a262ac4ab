"""Ranking: convert the features of an acronym's candidates to meanings with probabilities."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..dictionary import USER_SOURCE, Candidate
from ..text import base_form
from ..text.spelling import group_spellings, same_key
from .calibration import FEATURES, NIL_FEATURES, SUREST, Calibration, reweigh
from .candidates import Question
from .features import CENTROID, COUNTED, TOPIC, Evidence, FeatureReader
from .sense_vectors import sense_key

STRONG = 0.9
"""Minimum probability of a meaning that counts as well supported by all evidence other than
definitions in other documents."""

OTHER_DOCUMENT = 0.85
"""Maximum probability of a meaning that another document defines. It is lower than `STRONG`."""

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

NIL_CANDIDATES = NIL_FEATURES.index("nil_candidates")
NIL_WORDS = NIL_FEATURES.index("nil_words")

ATTESTING = np.isin(FEATURES, ("initials", "attested", "sources", "glossary", "common", "topic"))
"""Boolean mask of the features that attest a long form independently of a mention's context, and of
the topic feature."""

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

    Definitions in other documents can't make a meaning more probable than `OTHER_DOCUMENT`, unless
    it is an entry of the user.

    Args:
        evidence: Features for all acronyms of one or more documents.
        reader: The reader that computed the features.

    Returns:
        The ranked meanings of each mention. The acronyms are in the order of `evidence`, and the
        mentions of an acronym in text order.
    """
    has_folder = [bool(item.question.folder.any()) for item in evidence]
    without: list[list[Meanings]] = [[] for _ in evidence]
    if any(has_folder):
        reduced = [
            item.without_folder() if in_folder else item
            for item, in_folder in zip(evidence, has_folder, strict=True)
        ]
        without = _rank_questions(reduced, reader)
    ranked = []
    for item, in_folder, meanings, rivals in zip(
        evidence, has_folder, _rank_questions(evidence, reader), without, strict=True
    ):
        if in_folder:
            pairs = zip(meanings, rivals, strict=True)
            meanings = [_temper_folder(item.question, best, rival) for best, rival in pairs]
        for number, mention in enumerate(item.question.mentions):
            of_mention = meanings[min(number, len(meanings) - 1)]
            ranked.append(Ranked(mention, list(of_mention), item))
    return ranked


def _rank_questions(evidence: Sequence[Evidence], reader: FeatureReader) -> list[list[Meanings]]:
    """Rank the meanings of each question in each encoded context.

    If a question has more mentions than encoded contexts, the last item applies to the other
    mentions.
    """
    undefined = Counter(item.question.document for item in evidence if item.question.candidates)
    ranked = []
    logits = [
        reader.model.compute_logits(item.question, item.tables, item.queries) for item in evidence
    ]
    for item, voted in zip(evidence, vote(evidence, logits, reader), strict=True):
        weights = reader.model.settings.select_weights(item.question.is_alone)
        meanings = [rank_candidates(item, logits, weights) for logits in voted]
        number = undefined[item.question.document]
        ranked.append(add_confidence(item, meanings, voted, number, reader))
    return ranked


def _temper_folder(question: Question, meanings: Meanings, alone: Meanings) -> Meanings:
    """Limit the influence of definitions in other documents on an acronym's ranked meanings.

    A meaning that is defined in another document gets a probability of at most `OTHER_DOCUMENT`. If
    no such document is near, the meaning yields to a meaning that is `STRONG` by all other evidence
    (`alone`).
    """
    weights = zip(question.candidates, question.folder, strict=True)
    in_folder = {candidate.long_form for candidate, weight in weights if weight}
    (best, probability), (rival, rival_probability) = meanings[0], alone[0]
    if not question.is_near and rival_probability >= STRONG and rival.long_form not in in_folder:
        return alone
    if best.long_form not in in_folder or USER_SOURCE in best.counts:
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
        probabilities = Calibration().probabilities(logits, 0.0)
        order = np.argsort(-logits, kind="stable")
        meanings = _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])
        ranked += [Ranked(mention, list(meanings)) for mention in question.mentions]
    return ranked


def vote(
    evidence: Sequence[Evidence], logits: Sequence[Sequence[Floats]], reader: FeatureReader
) -> Iterator[list[Floats]]:
    """Combine the logits of all mentions of an acronym in a document.

    An acronym usually has the same meaning throughout a document, so its mentions vote on the
    meaning. Other spellings, such as the plural, vote with a lower weight.

    Args:
        evidence: Features for all acronyms of one or more documents.
        logits: For each acronym and each of its encoded contexts, the logits of the candidates,
            float32 [candidates].
        reader: The reader that computed the features.

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
            mean = _vote_of_spellings(number, others, evidence, logits, reader)
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
    reader: FeatureReader,
) -> Floats:
    """Return the mean logits of a spelling's candidates, including the votes of other spellings.

    Votes are logits minus the logit of NIL. If another spelling has a likely meaning, it votes
    against the candidates that are not among its own.
    """

    def compute_votes(index: int) -> Floats:
        question = evidence[index].question
        nil = reader.model.settings.select_weights(question.is_alone).nil_logit(question.nil)
        votes: Floats = np.mean(logits[index], axis=0, dtype=np.float32) - np.float32(nil)
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
    nil = reader.model.settings.select_weights(question.is_alone).nil_logit(question.nil)
    voted: Floats = (summed / weights + np.float32(nil)).astype(np.float32)
    return voted


def _spelling_weight(question: Question, other: Question) -> float:
    """Return the weight of another spelling in the vote on a question."""
    first, second = base_form(question.acronym), base_form(other.acronym)
    is_same = first == second or first[1:] == second[1:] == first[1:].lower()  # Pt and pt
    return OTHER_SPELLING if is_same else OTHER_CASE


def rank_candidates(evidence: Evidence, logits: Floats, weights: Calibration) -> Meanings:
    """Rank the meanings of an acronym in one context by the logits of its candidates.

    Candidates that are spellings of the same meaning are combined, and their probabilities are
    added up.

    Args:
        evidence: Features of the acronym's candidates.
        logits: Logits of the candidates in the context, [candidates].
        weights: Weights of the features, which also determine the logit of NIL.

    Returns:
        The meanings with their probabilities, best first.
    """
    question = evidence.question
    logits, nil = raise_user_entries(evidence, logits, weights)
    probabilities = weights.probabilities(logits, nil)
    order = np.argsort(-logits, kind="stable")
    return _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])


def raise_user_entries(
    evidence: Evidence, logits: Floats, weights: Calibration
) -> tuple[Floats, float]:
    """Raise the logits of entries from the user's own list above those of other candidates.

    In-house meanings don't occur in public texts or lists. A user's entry is therefore treated as
    if it were attested as well as the best candidate, and `USER_ENTRY` is added to its logit.
    Another candidate still wins if it fits the context much better. If all candidates are the
    user's entries, NIL is ruled out.

    Args:
        evidence: Features of the acronym's candidates.
        logits: Logits of the candidates, [candidates].
        weights: Weights with which the features add up to logits.

    Returns:
        The new logits of the candidates, [candidates], and the logit of NIL, the answer that no
        candidate is right.
    """
    nil = weights.nil_logit(evidence.question.nil)
    candidates = evidence.question.candidates
    is_user_entry = np.array([USER_SOURCE in candidate.counts for candidate in candidates], bool)
    if not is_user_entry.any():
        return logits, nil
    if is_user_entry.all():
        return logits, float(logits.min()) - 2 * USER_ENTRY
    attested = weights.logits(evidence.mean_table * ATTESTING)
    raised = logits + np.float32(attested.max()) - attested + np.float32(USER_ENTRY)
    return np.where(is_user_entry, raised, logits), nil - USER_ENTRY


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


def add_confidence(
    evidence: Evidence,
    meanings: Sequence[Meanings],
    logits: Sequence[Floats],
    undefined: int,
    reader: FeatureReader,
) -> list[Meanings]:
    """Correct the probability of an acronym's best meaning in each context with boosted trees.

    The probabilities don't change if a candidate is the user's entry, was fine-tuned on labelled
    texts, or is defined in another document. The trees were not trained on such cases.

    Args:
        evidence: Features of the acronym's candidates.
        meanings: For each context, the meanings with their probabilities, best first.
        logits: For each context, the logits of the candidates, [candidates].
        undefined: Number of acronyms in the document that have candidates but no definition.
        reader: The reader that computed the features. Its model contains the trees.

    Returns:
        For each context, the meanings with their corrected probabilities, best first.
    """
    trees, question = reader.model.confidence, evidence.question
    if (
        not (len(trees) and question.candidates)
        or question.folder.any()
        or any(USER_SOURCE in candidate.counts for candidate in question.candidates)
        or reader.model.adapted_senses.has_any(
            sense_key(candidate.long_form) for candidate in question.candidates
        )
    ):
        return list(meanings)
    rows = [
        compute_confidence_features(evidence, of_context, scores, undefined)
        for of_context, scores in zip(meanings, logits, strict=True)
    ]
    probabilities = trees.probabilities(np.stack(rows)).tolist()
    return [
        reweigh(of_context, probability)
        for of_context, probability in zip(meanings, probabilities, strict=True)
    ]


def compute_confidence_features(
    evidence: Evidence, meanings: Meanings, logits: Floats, undefined: int
) -> Floats:
    """Compute the features from which boosted trees estimate whether the best answer is right.

    The columns are, in this order:

    1. log odds of the best answer
    2. probability of the second-best answer
    3. difference between the two best logits
    4. log(1 + the number of candidates)
    5. how well sources attest the best answer, as a sum of log counts
    6. how far this exceeds the attestation of the best other candidate
    7. whether the acronym is in capitals
    8. whether the acronym is in lower case
    9. length of the acronym in characters
    10. log(1 + the number of words in the document)
    11. number of undefined acronyms in the document
    12. agreement of the best answer with the topics of the document
    13. similarity of the context to the contexts in which the best answer was seen in training

    Args:
        evidence: Features of the acronym's candidates.
        meanings: The acronym's meanings with their probabilities, best first.
        logits: Logits of the candidates, [candidates].
        undefined: Number of acronyms in the document that have candidates but no definition.

    Returns:
        The features, float32 [COLUMNS].
    """
    question = evidence.question
    attested = evidence.tables[0][:, COUNTED].sum(axis=1)  # the same in every context
    best = next(
        row for row, candidate in enumerate(question.candidates) if candidate is meanings[0][0]
    )
    first = min(max(meanings[0][1], SUREST), 1 - SUREST)
    margin = logits.max() - np.partition(logits, -2)[-2] if len(logits) > 1 else logits.max()
    rivals = np.delete(attested, best).max(initial=0)
    features = np.mean([table[best] for table in evidence.tables], axis=0)
    acronym = question.acronym
    row = (
        *(np.log(first / (1 - first)), meanings[1][1] if len(meanings) > 1 else 0, margin),
        *(question.nil[NIL_CANDIDATES], attested[best], attested[best] - rivals),
        *(acronym.isupper(), acronym.islower(), len(acronym)),
        *(question.nil[NIL_WORDS], undefined, features[TOPIC], features[CENTROID]),
    )
    return np.array(row, np.float32)


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
