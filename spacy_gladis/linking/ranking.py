"""Third stage of linking: from evidence to meanings with probabilities."""

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
"""Probability of a meaning that fits its context and its document's topics well."""

OTHER_DOCUMENT = 0.85
"""Highest probability of what another document defines, below that of a strong match."""

DISCOURSE = 0.8
"""Weight of the document's vote against a mention's own context: one sense per discourse (Gale,
Church and Yarowsky 1992)."""

OTHER_SPELLING, OTHER_CASE = 0.5, 0.15
"""Weight in the vote of a context of another spelling (CNNs, U.S.), or of one in another case (PT
for pt); a context of the same spelling counts 1."""

MOST_GROUPED = 32
"""Candidates beyond the first so many are not compared for spellings of one meaning: their
probability is next to nothing, and comparing all with all is quadratic."""

USER_ENTRY = 5.0
"""Added to the logit of an entry that the user typed."""

NIL_WORDS = NIL_FEATURES.index("nil_words")

ATTESTING = np.isin(FEATURES, ("initials", "attested", "sources", "glossary", "common", "topic"))
"""Features that speak for a long form whatever the context is, and for its document's topics."""

Meanings = list[tuple[Candidate, float]]
"""Meanings of a mention with their probabilities, best first."""


@dataclass(frozen=True)
class Ranked:
    """The meanings of one mention.

    Attributes:
        mention: Number of the mention.
        meanings: Candidates with their probabilities, best first. A candidate stands for all
            spellings of its meaning. What the probabilities lack to 1 is that of "none of these".
        evidence: What they come from; None where counts alone decide.
    """

    mention: int
    meanings: Meanings
    evidence: Evidence | None = None

    @property
    def compared(self) -> tuple[object, ...]:
        """What the reasons hang on: the evidence, and the two best meanings."""
        return (id(self.evidence), *(candidate.long_form for candidate, _ in self.meanings[:2]))


def rank(evidence: Sequence[Evidence], reader: FeatureReader) -> list[Ranked]:
    """Rank the meanings of every mention by all evidence.

    Args:
        evidence: Evidence for all acronyms of each document.
        reader: Which gathered it; its model has the weights.

    Returns:
        One item for each mention, in the order of the evidence.
    """
    alone = [item.without_folder() for item in evidence]
    has_folder = any(item.question.folder.any() for item in evidence)
    without = _rank_questions(alone, reader) if has_folder else [[]] * len(evidence)
    ranked = []
    for item, meanings, rivals in zip(
        evidence, _rank_questions(evidence, reader), without, strict=True
    ):
        if item.question.folder.any():
            pairs = zip(meanings, rivals, strict=True)
            meanings = [_temper_folder(item.question, own, rival) for own, rival in pairs]
        for place, mention in enumerate(item.question.mentions):
            own = meanings[min(place, len(meanings) - 1)]
            ranked.append(Ranked(mention, list(own), item))
    return ranked


def _rank_questions(evidence: Sequence[Evidence], reader: FeatureReader) -> list[list[Meanings]]:
    """Rank the meanings of each question in each context; all mentions beyond take the last."""
    undefined = Counter(item.question.document for item in evidence if item.question.candidates)
    ranked = []
    for item, voted in zip(evidence, vote(evidence, reader), strict=True):
        weights = reader.model.settings.weights(item.question.is_alone)
        meanings = [rank_candidates(item, logits, weights) for logits in voted]
        number = undefined[item.question.document]
        ranked.append(add_confidence(item, meanings, voted, number, reader))
    return ranked


def _temper_folder(question: Question, meanings: Meanings, alone: Meanings) -> Meanings:
    """Return meanings in which what other documents say is not overrated.

    A definition in another document is at most `OTHER_DOCUMENT` likely. One that is not near
    yields to a meaning that is `STRONG` by all other evidence.

    Args:
        question: The acronym, with what other documents say of its candidates.
        meanings: Its meanings by all evidence.
        alone: Its meanings without what other documents say.
    """
    weights = zip(question.candidates, question.folder, strict=True)
    said = {candidate.long_form for candidate, weight in weights if weight}
    (best, probability), (rival, likely) = meanings[0], alone[0]
    if not question.is_near and likely >= STRONG and rival.long_form not in said:
        return alone
    if best.long_form not in said or USER_SOURCE in best.counts:
        return meanings
    return reweigh(meanings, min(probability, OTHER_DOCUMENT))


def rank_by_popularity(questions: Sequence[Question]) -> list[Ranked]:
    """Rank the meanings of every mention by the source's counts alone.

    A candidate's probability is its share of the counts, each seen once more, and "none of these"
    once.
    """
    ranked = []
    for question in questions:
        logits = np.log1p([one.total for one in question.candidates]).astype(np.float32)
        probabilities = Calibration().probabilities(logits, 0.0)
        order = np.argsort(-logits, kind="stable")
        meanings = _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])
        ranked += [Ranked(mention, list(meanings)) for mention in question.mentions]
    return ranked


def vote(evidence: Sequence[Evidence], reader: FeatureReader) -> Iterator[list[Floats]]:
    """Let the mentions of an acronym in a document vote on its meaning, whatever their spelling.

    Args:
        evidence: Evidence for all acronyms of each document.
        reader: Which gathered it.

    Yields:
        For each question the candidates' logits, [candidates], in each context that was read, then
        those of all other mentions if there are any.
    """
    logits = [reader.logits(item) for item in evidence]
    groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for number, item in enumerate(evidence):
        groups[item.question.vote_key].append(number)
    for number, item in enumerate(evidence):
        group = groups[item.question.vote_key]
        others = [other for other in group if other != number]
        mean = np.mean(logits[number], axis=0, dtype=np.float32)
        if others:
            mean = _vote_of_spellings(number, others, evidence, logits, reader)
        yield _own_votes(logits[number], mean, len(item.question.mentions), bool(others))


def _own_votes(
    read: Sequence[Floats], mean: Floats, mentions: int, has_others: bool
) -> list[Floats]:
    if mentions == 1 and not has_others:
        return [mean]
    own = [(1 - DISCOURSE) * logits + DISCOURSE * mean for logits in read]
    return [*own, mean] if mentions > len(own) else own


def _vote_of_spellings(
    number: int,
    others: Sequence[int],
    evidence: Sequence[Evidence],
    logits: Sequence[Sequence[Floats]],
    reader: FeatureReader,
) -> Floats:
    """Return the mean logits of a spelling's candidates, with the votes of other spellings.

    Votes are logits relative to that of "none of these". A spelling does not vote on a candidate
    that it does not have.
    """

    def relative(one: int) -> Floats:
        question = evidence[one].question
        nil = reader.model.settings.weights(question.is_alone).nil_logit(question.nil)
        votes: Floats = np.mean(logits[one], axis=0, dtype=np.float32) - np.float32(nil)
        return votes

    question = evidence[number].question
    own = relative(number)
    keys = [same_key(candidate.long_form) for candidate in question.candidates]
    weights = np.full(len(own), float(len(logits[number])), np.float32)
    summed = own * weights
    for other in others:
        weight = _likeness(question, evidence[other].question) * len(logits[other])
        votes: dict[str, float] = {}
        rivals = evidence[other].question.candidates
        for candidate, value in zip(rivals, relative(other).tolist(), strict=True):
            votes.setdefault(same_key(candidate.long_form), value)
        has_vote = np.array([key in votes for key in keys], bool)
        given = np.array([votes.get(key, 0.0) for key in keys], np.float32)
        summed, weights = summed + weight * given, weights + weight * has_vote
    nil = reader.model.settings.weights(question.is_alone).nil_logit(question.nil)
    voted: Floats = (summed / weights + np.float32(nil)).astype(np.float32)
    return voted


def _likeness(question: Question, other: Question) -> float:
    """Return how much another spelling counts in the vote on a question."""
    own, spelt = base_form(question.acronym), base_form(other.acronym)
    is_same = own == spelt or own[1:] == spelt[1:] == own[1:].lower()  # Pt and pt
    return OTHER_SPELLING if is_same else OTHER_CASE


def rank_candidates(evidence: Evidence, logits: Floats, weights: Calibration) -> Meanings:
    """Return the meanings that logits [candidates] give, best first."""
    question = evidence.question
    logits, nil = raise_user_entries(evidence, logits, weights)
    probabilities = weights.probabilities(logits, nil)
    order = np.argsort(-logits, kind="stable")
    return _by_meaning([(question.candidates[i], float(probabilities[i])) for i in order])


def raise_user_entries(
    evidence: Evidence, logits: Floats, weights: Calibration
) -> tuple[Floats, float]:
    """Put the user's own entries first; where there are no others, they are the answer.

    No text and no list can attest an organisation's own meaning: it counts as attested as well as
    the best of the others, and `USER_ENTRY` more. Another meaning wins where the context is much
    more like its own.

    Returns:
        The logits [candidates], and that of "none of these".
    """
    nil = weights.nil_logit(evidence.question.nil)
    own = np.array([USER_SOURCE in one.counts for one in evidence.question.candidates], bool)
    if not own.any():
        return logits, nil
    if own.all():
        return logits, float(logits.min()) - 2 * USER_ENTRY
    attested = weights.logits(evidence.mean_table * ATTESTING)
    raised = logits + np.float32(attested.max()) - attested + np.float32(USER_ENTRY)
    return np.where(own, raised, logits), nil - USER_ENTRY


def _by_meaning(ranked: Meanings) -> Meanings:
    """Add up the probabilities of each meaning's spellings, of the first `MOST_GROUPED`."""
    head, tail = ranked[:MOST_GROUPED], ranked[MOST_GROUPED:]
    probabilities: dict[int, float] = {}
    meanings = group_meanings([candidate for candidate, _ in head])
    for index, (_, probability) in zip(meanings, head, strict=True):
        probabilities[index] = probabilities.get(index, 0.0) + probability
    # The softmax is of single precision: its sum may be a little above 1.
    grouped = [(head[index][0], min(1.0, sure)) for index, sure in probabilities.items()]
    return sorted(grouped + tail, key=lambda pair: -pair[1])


def group_meanings(candidates: Sequence[Candidate]) -> list[int]:
    """Return for each candidate the index of the one that stands for its meaning.

    Mined dictionaries hold "computed tomography", "computed tomographic" and "computed tomography
    scan". Each would take its share of the probability, and the right meaning would look unsure.
    Candidates come in order of preference: a later one joins the first earlier one that it is a
    spelling of. The most frequent one stands for a meaning.
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
    """Return the meanings with the probabilities that the trees give to the first ones.

    What the user typed, what labelled texts taught, and what other documents define stays as it is.
    """
    trees, question = reader.model.confidence, evidence.question
    if (
        not (len(trees) and question.candidates)
        or question.folder.any()
        or any(USER_SOURCE in candidate.counts for candidate in question.candidates)
        or reader.model.learnt.knows(
            sense_key(candidate.long_form) for candidate in question.candidates
        )
    ):
        return list(meanings)
    rows = [
        confidence_features(evidence, own, scores, undefined)
        for own, scores in zip(meanings, logits, strict=True)
    ]
    sure = trees.probabilities(np.stack(rows)).tolist()
    return [reweigh(own, value) for own, value in zip(meanings, sure, strict=True)]


def confidence_features(
    evidence: Evidence, meanings: Meanings, logits: Floats, undefined: int
) -> Floats:
    """Return what the trees look at to say how sure a first meaning is, float32 [COLUMNS].

    Args:
        evidence: Of the question.
        meanings: Its meanings with their probabilities, best first.
        logits: Of its candidates, [candidates].
        undefined: How many acronyms with candidates its document does not define.
    """
    question = evidence.question
    attested = evidence.tables[0][:, COUNTED].sum(axis=1)  # the same in every context
    best = next(i for i, one in enumerate(question.candidates) if one is meanings[0][0])
    first = min(max(meanings[0][1], SUREST), 1 - SUREST)
    margin = logits.max() - np.partition(logits, -2)[-2] if len(logits) > 1 else logits.max()
    rivals = np.delete(attested, best).max(initial=0)
    features = np.mean([table[best] for table in evidence.tables], axis=0)
    acronym = question.acronym
    row = (
        *(np.log(first / (1 - first)), meanings[1][1] if len(meanings) > 1 else 0, margin),
        *(np.log1p(len(logits)), attested[best], attested[best] - rivals),
        *(acronym.isupper(), acronym.islower(), len(acronym)),
        *(question.nil[NIL_WORDS], undefined, features[TOPIC], features[CENTROID]),
    )
    return np.array(row, np.float32)


def by_mention(ranked: Sequence[Ranked], mentions: int) -> list[Meanings]:
    """Return the meanings of each mention, in order."""
    found: Mapping[int, Meanings] = {item.mention: item.meanings for item in ranked}
    return [found.get(number, []) for number in range(mentions)]
