"""Fitting of the linker's feature weights on labelled texts, and their cross-validation.

Every acronym of every text is collected once, with the features of its candidates. The weights
determine the estimated topics of a document, and the topics are features that determine the
weights. Both are therefore updated in turn. Folds are made of subject fields or repositories, so
that the weights are evaluated on texts unlike those that they were fitted on.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from spacy.language import Language

from ...arrays import Floats
from ...linking import Linker
from ...linking.calibration import Calibration, Confidence
from ...linking.features import Evidence
from ...linking.ranking import (
    Meanings,
    add_confidence,
    compute_confidence_features,
    rank_candidates,
)
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.annotations import Findings
from ...settings import THRESHOLD
from ...text import Mention, merge_key
from ...text.spelling import same_key
from ..datasets.split import by_folds
from ..datasets.texts import GoldMention, LabelledText, find_closest
from ..metrics.equal_wordings import EqualWordings, read_equal_wordings
from ..metrics.scores import expected_calibration_error
from ..training.logit import fit_calibration
from ..training.sense_calibration import fit_confidence

FITTED = (
    *("cosine", "match", "centroid", "unseen", "seen", "sources", "glossary"),
    *("common", "initials", "attested", "overlap", "neighbours", "topic", "phrase"),
    *("nil", "nil_candidates", "nil_words", "nil_density"),
)
"""Names of the weights that are fitted. The other weights of a `Calibration` keep their values."""
RIDGE = 1e-4
"""Penalty on the squared weights of features that are scaled to standard deviation 1."""
SAME = EqualWordings(merge_key, read_equal_wordings())
"""A function that returns whether two long forms have the same sense."""
ALTERNATIONS = 3
"""Number of times that the weights are fitted and the topics of documents are updated."""
MOST_MENTIONS = 3
"""Maximum number of mentions of an acronym in a text that count in a fit."""


class Labelled(NamedTuple):
    """An acronym in a labelled text, with the features of its candidates and its right answers.

    Attributes:
        evidence: Features of the acronym's candidates.
        right: Rows of the right candidates. Empty if no candidate is right.
        mentions: Number of gold mentions of the acronym in the text.
        answerable: Number of these gold mentions that have a long form. The others only look like
            acronyms and must not be resolved.
        text: Index of the text.
    """

    evidence: Evidence
    right: tuple[int, ...]
    mentions: int
    answerable: int
    text: int


class Gathered(NamedTuple):
    """The labelled acronyms of all texts, and the number of gold mentions that the pipeline lost.

    Attributes:
        acronyms: The acronyms that the pipeline found, with the features of their candidates.
        lost: For each text, the number of gold mentions with a long form that the pipeline did not
            find, or that it took to be defined in the text. A mapping from the index of the text.
    """

    acronyms: list[Labelled]
    lost: dict[int, int]


def gather(
    nlp: Language, texts: Sequence[LabelledText], report: Callable[[int], None] = lambda done: None
) -> Gathered:
    """Run a pipeline on labelled texts, and collect the features of the labelled acronyms.

    Acronyms that the text defines are left out, because the linker doesn't resolve them.

    Args:
        nlp: Pipeline with the component `acrobert_linker`.
        texts: Texts with labelled mentions.
        report: Function that is called after each text with the number of texts processed so far.

    Returns:
        The acronyms with the features of their candidates, and the number of lost mentions of each
        text.
    """
    linker = nlp.get_pipe("acrobert_linker")
    assert isinstance(linker, AcroBERTLinker)
    opened = linker.open()
    acronyms: list[Labelled] = []
    lost: dict[int, int] = {}
    with nlp.select_pipes(disable=["acrobert_linker"]):
        docs = nlp.pipe(text.text for text in texts)
        for number, (text, doc) in enumerate(zip(texts, docs, strict=True)):
            offsets = Findings.of(doc.spans[linker.cfg["spans_key"]]).undefined
            mentions = [Mention(text.text, start, end, number) for start, end in offsets]
            gathered = opened.reader.gather(opened.questions(mentions), mentions)
            undefined = [gold for gold in text.mentions if not gold.defined]
            lost[number] = sum(bool(gold.long_forms) for gold in undefined)
            by_mention: defaultdict[int, list[GoldMention]] = defaultdict(list)
            for gold in undefined:
                closest = find_closest(gold, offsets)
                if closest is not None:
                    by_mention[closest].append(gold)
            for evidence in gathered:
                matches = [gold for i in evidence.question.mentions for gold in by_mention[i]]
                if matches:
                    answerable = [gold for gold in matches if gold.long_forms]
                    right = _right(evidence, usual(answerable)) if answerable else ()
                    acronyms.append(
                        Labelled(evidence, right, len(matches), len(answerable), number)
                    )
                    lost[number] -= len(answerable)
            report(number + 1)
    return Gathered(acronyms, lost)


def usual(meant: Iterable[GoldMention]) -> tuple[str, ...]:
    """Return the long forms that most gold mentions of an acronym have.

    The gold mentions may be parts of the acronym. For example, those of "wg/cgMLST" may include
    mentions of "cgMLST".

    Args:
        meant: One or more gold mentions that overlap mentions of the acronym.

    Returns:
        The most frequent tuple of long forms. On a tie, the first one in the order of `meant`.
    """
    return Counter(gold.long_forms for gold in meant).most_common(1)[0][0]


def _right(evidence: Evidence, long_forms: Collection[str]) -> tuple[int, ...]:
    """Return the rows of candidates whose long form has the same sense as a gold long form."""
    keys = {same_key(name) for name in long_forms}
    return tuple(
        row
        for row, candidate in enumerate(evidence.question.candidates)
        if same_key(candidate.long_form) in keys
        or any(SAME(name, candidate.long_form) for name in long_forms)
    )


def keep_likeliest(acronym: Labelled, weights: Calibration, most: int) -> Labelled:
    """Remove the least likely candidates of an acronym, so that a fit needs less memory.

    Right candidates are kept. The features of NIL still count all candidates.

    Args:
        acronym: Labelled acronym with the features of its candidates.
        weights: Feature weights, whose logits tell which candidates are likely.
        most: Maximum number of candidates to keep besides the right ones.

    Returns:
        The acronym with its remaining candidates, or `acronym` itself if all are kept.
    """
    evidence, question = acronym.evidence, acronym.evidence.question
    if len(question.candidates) <= most:
        return acronym
    likeliest = np.argsort(-weights.logits(evidence.mean_table), kind="stable")[:most]
    rows = np.union1d(likeliest, np.array(acronym.right, np.int64))
    kept = replace(
        question,
        candidates=tuple(question.candidates[row] for row in rows.tolist()),
        phrases=question.phrases[rows],
        folder=question.folder[rows],
    )
    tables = tuple(table[rows] for table in evidence.tables)
    evidence = replace(evidence, question=kept, tables=tables, mean_table=evidence.mean_table[rows])
    right = tuple(np.flatnonzero(np.isin(rows, acronym.right)).tolist())
    return acronym._replace(evidence=evidence, right=right)


def weights_of(acronyms: Sequence[Labelled], sets: Sequence[str]) -> Floats:
    """Compute how much each acronym counts in a fit.

    Within a data set, the weight of an acronym is proportional to its number of mentions, up to
    `MOST_MENTIONS`. All data sets have the same total weight.

    Args:
        acronyms: Labelled acronyms of one or more data sets.
        sets: Name of the data set that each text belongs to. Acronyms refer to texts by index.

    Returns:
        A weight for each acronym, float32 [acronyms].
    """
    counts = np.array([min(acronym.mentions, MOST_MENTIONS) for acronym in acronyms], np.float32)
    names = np.array([sets[acronym.text] for acronym in acronyms])
    for name in set(sets):
        counts[names == name] *= len(acronyms) / max(1.0, counts[names == name].sum())
    return counts


def folds_of(texts: Sequence[LabelledText], number: int) -> list[int]:
    """Assign the texts of a data set to folds, so that related texts are in the same fold.

    Texts are related if they come from the same repository, or from the same subject field if they
    have no repository. If there are fewer repositories or fields than folds, texts with the same
    first acronym are related instead.

    Args:
        texts: Texts with labelled mentions.
        number: Number of folds.

    Returns:
        The number of each text's fold, starting at 0.
    """
    groups = [text.repository or text.field for text in texts]
    if len(set(groups)) < number:
        groups = [text.mentions[0].acronym if text.mentions else "" for text in texts]
    shuffled = np.random.default_rng(0).permutation(sorted(set(groups)))
    fold = {name: position % number for position, name in enumerate(shuffled)}
    return [fold[name] for name in groups]


def fit_evidence(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Calibration:
    """Fit the feature weights and the topics of documents in turn, and set both in the linker.

    Args:
        linker: Linker that estimates the topics. Its feature weights are replaced.
        acronyms: Labelled acronyms to fit the weights on. Their features are updated in place.
        weights: Weight of each acronym in the fit, [acronyms].

    Returns:
        The fitted feature weights.
    """
    fitted = Calibration()
    for _ in range(ALTERNATIONS):
        fitted = fit(acronyms, weights)
        use(linker, fitted, acronyms)
    return fitted


def fit(
    acronyms: Sequence[Labelled],
    weights: Floats,
    start: Calibration | None = None,
    fitted: Sequence[str] = FITTED,
    ridge: float = RIDGE,
) -> Calibration:
    """Fit the feature weights on labelled acronyms, without updating the topics of documents.

    Args:
        acronyms: Labelled acronyms with the features of their candidates.
        weights: Weight of each acronym in the fit, [acronyms].
        start: Feature weights to start from, and the values of weights that are not fitted.
            Defaults to `Calibration()`.
        fitted: Names of the weights to fit.
        ridge: Penalty on the squared weights of features that are scaled to standard deviation 1.

    Returns:
        The fitted feature weights.
    """
    return fit_calibration(
        [acronym.evidence.mean_table for acronym in acronyms],
        [acronym.right for acronym in acronyms],
        start or Calibration(),
        fitted,
        nil=np.stack([acronym.evidence.question.nil for acronym in acronyms]),
        weights=weights,
        ridge=ridge,
    )


def use(linker: Linker, calibration: Calibration, acronyms: Sequence[Labelled]) -> None:
    """Set the feature weights of a linker, and recompute the topics of all texts with them.

    Args:
        linker: Linker whose weights are replaced. It then uses these weights for short texts too.
        calibration: New feature weights.
        acronyms: Labelled acronyms of the texts. The topic features of their candidates are updated
            in place.
    """
    model = linker.model
    model.settings = replace(model.settings, calibration=calibration, alone=None)
    texts: defaultdict[int, list[Evidence]] = defaultdict(list)
    for acronym in acronyms:
        if acronym.evidence.question.candidates:
            texts[acronym.text].append(acronym.evidence)
    for together in texts.values():  # updates the evidence tables in place
        deque(linker.reader.agree(together, np.zeros(1, np.float32)), maxlen=0)


def fit_trees(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Confidence:
    """Fit the boosted trees that estimate whether a first answer is right, and use them.

    Acronyms without candidates are left out, because they have no answer.

    Args:
        linker: Linker that answers with its current feature weights. Its trees are replaced.
        acronyms: Labelled acronyms with the features of their candidates.
        weights: Weight of each acronym in the fit, [acronyms].

    Returns:
        The fitted trees.
    """
    linker.model.confidence = Confidence.empty()
    rows, right, counts = [], [], []
    number = Counter(acronym.text for acronym in acronyms if acronym.evidence.question.candidates)
    for acronym, count in zip(acronyms, weights.tolist(), strict=True):
        if acronym.evidence.question.candidates:
            logits, answers = _answers(linker, acronym, number[acronym.text])
            rows.append(
                compute_confidence_features(acronym.evidence, answers, logits, number[acronym.text])
            )
            right.append(outcome(acronym, answers).right)
            counts.append(count)
    fitted = fit_confidence(np.stack(rows), np.array(right), np.array(counts, np.float32))
    linker.model.confidence = fitted
    return fitted


def _answers(linker: Linker, acronym: Labelled, acronyms: int) -> tuple[Floats, Meanings]:
    """Return the logits of an acronym's candidates, and its meanings with their probabilities."""
    evidence = acronym.evidence
    logits: Floats = np.mean(
        linker.model.compute_logits(evidence.question, evidence.tables, evidence.queries), axis=0
    )
    calibration = linker.model.settings.select_weights(evidence.question.is_alone)
    meanings = [rank_candidates(evidence, logits, calibration)]
    return logits, add_confidence(evidence, meanings, [logits], acronyms, linker.reader)[0]


def cross_validate(
    linker: Linker,
    gathered: Gathered,
    folds: Sequence[int],
    sets: Sequence[str],
    weights: Floats,
) -> dict[str, Any]:
    """Evaluate the feature weights and the boosted trees on each data set by cross-validation.

    The acronyms of each fold are resolved with weights and trees that were fitted on the other
    folds.

    Args:
        linker: Linker that is evaluated. Its feature weights and boosted trees are replaced for
            each fold and not restored, so the caller has to set them again after the call.
        gathered: The labelled acronyms of all texts.
        folds: Number of the fold that each text is in.
        sets: Name of the data set that each text belongs to.
        weights: Weight of each acronym in the fit, [acronyms].

    Returns:
        A mapping from each data set to its scores, as returned by `figures`.
    """
    rows: defaultdict[str, list[Outcome]] = defaultdict(list)
    acronym_folds = [folds[acronym.text] for acronym in gathered.acronyms]
    number = Counter(
        acronym.text for acronym in gathered.acronyms if acronym.evidence.question.candidates
    )
    weighed = list(zip(gathered.acronyms, weights, strict=True))
    for training, held_out in by_folds(weighed, acronym_folds):
        train, counts = zip(*training, strict=True)
        test = [acronym for acronym, _ in held_out]
        fitted = fit_evidence(linker, train, np.array(counts))
        fit_trees(linker, train, np.array(counts))
        use(linker, fitted, test)
        for acronym in test:
            answers = _answers(linker, acronym, number[acronym.text])[1]
            rows[sets[acronym.text]].append(outcome(acronym, answers))
    results = {}
    for name, answered in rows.items():
        lost = sum(n for text, n in gathered.lost.items() if sets[text] == name)
        results[name] = figures(answered, lost)
    return results


class Outcome(NamedTuple):
    """The linker's first answer for an acronym, and whether it is right.

    Attributes:
        probability: Probability of the answer, 0..1. It is 0 if there is no answer.
        right: Whether the answer is one of the right candidates.
        answerable: Number of the acronym's gold mentions that have a long form.
        mentions: Number of all gold mentions of the acronym.
    """

    probability: float
    right: bool
    answerable: int
    mentions: int


def outcome(acronym: Labelled, answers: Meanings) -> Outcome:
    """Check the linker's first answer for an acronym against the gold long forms.

    Args:
        acronym: The labelled acronym.
        answers: Meanings of the acronym with their probabilities, best first. Empty if it has no
            candidates.

    Returns:
        The probability of the answer, whether it is right, and the numbers of gold mentions.
    """
    best = acronym.evidence.question.candidates.index(answers[0][0]) if answers else -1
    probability = answers[0][1] if answers else 0.0
    return Outcome(probability, best in acronym.right, acronym.answerable, acronym.mentions)


def figures(rows: Sequence[Outcome], lost: int) -> dict[str, float]:
    """Compute scores of the linker's first answers over all gold mentions.

    An answer counts as given if its probability reaches the linker's default threshold.

    Args:
        rows: First answers for one or more acronyms.
        lost: Number of further gold mentions with a long form that have no answer, because they
            were not found.

    Returns:
        The number of `mentions` that have a long form, and four percentages: `right` (mentions with
        a given and right answer), `precision` (right answers among given answers), `ranked_first`
        (mentions whose first answer is right, at any probability) and `calibration_error`.
    """
    probability, right, answerable, mentions = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    total = answerable.sum() + lost
    answered = probability >= THRESHOLD
    correct = (answerable * (answered & right)).sum()
    has_meaning = answerable > 0
    counts = answerable[has_meaning]
    error = expected_calibration_error(
        np.repeat(probability[has_meaning], counts), np.repeat(right[has_meaning], counts)
    )
    return {
        "mentions": int(total),
        "right": round(100 * correct / total, 1),
        "precision": round(100 * correct / max(1, (mentions * answered).sum()), 1),
        "ranked_first": round(100 * (answerable * right).sum() / total, 1),
        "calibration_error": round(100 * error, 1),
    }
