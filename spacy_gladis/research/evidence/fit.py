"""Fitting of the evidence weights on labelled texts, with cross-validation by subject field.

Every acronym of every text is collected once, with the features of its candidates. The weights and
the topics of a document depend on each other, so they are fitted in turn.
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
from ..datasets.texts import GoldMention, LabelledText
from ..metrics.equal_wordings import EqualWordings, read_equal_wordings
from ..metrics.scores import expected_calibration_error
from ..training.logit import fit_calibration
from ..training.sense_calibration import fit_confidence

FITTED = (
    *("cosine", "centroid", "unseen", "seen", "sources", "glossary"),
    *("common", "initials", "attested", "overlap", "neighbours", "topic", "phrase"),
    *("nil", "nil_candidates", "nil_words", "nil_density"),
)
RIDGE = 1e-4
SAME = EqualWordings(merge_key, read_equal_wordings())
ALTERNATIONS = 3
MOST_MENTIONS = 3


class Labelled(NamedTuple):
    """An acronym in a labelled text, with the evidence for its candidates and its right answers.

    Attributes:
        evidence: Evidence for its candidates.
        right: Rows of the right candidates.
        mentions: Number of gold mentions of the acronym in the text.
        answerable: Number of these mentions that have a meaning.
        text: Index of the text.
    """

    evidence: Evidence
    right: tuple[int, ...]
    mentions: int
    answerable: int
    text: int


class Gathered(NamedTuple):
    """The acronyms of all texts.

    Attributes:
        acronyms: The acronyms.
        lost: Number of gold mentions of each text that were not found or are defined there.
    """

    acronyms: list[Labelled]
    lost: dict[int, int]


def gather(
    nlp: Language, texts: Sequence[LabelledText], report: Callable[[int], None] = lambda done: None
) -> Gathered:
    """Collect the labelled acronyms of texts with the evidence that the pipeline's linker has.

    Args:
        nlp: Pipeline with an `acrobert_linker`.
        texts: Labelled texts.
        report: Called with the number of texts processed so far.

    Returns:
        The acronyms with their evidence.
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
            for evidence in gathered:
                spans = [offsets[i] for i in evidence.question.mentions]
                matches = [gold for gold in undefined if _meets(gold, spans)]
                if matches:
                    answerable = [gold for gold in matches if gold.long_forms]
                    right = _right(evidence, usual(answerable)) if answerable else ()
                    acronyms.append(
                        Labelled(evidence, right, len(matches), len(answerable), number)
                    )
                    lost[number] -= len(answerable)
            report(number + 1)
    return Gathered(acronyms, lost)


def _meets(gold: GoldMention, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < gold.end and gold.start < end for start, end in spans)


def usual(meant: Iterable[GoldMention]) -> tuple[str, ...]:
    """Return the most frequent long forms of an acronym's gold mentions.

    If a gold mention is part of the acronym, such as "cgMLST" in "wg/cgMLST", its long forms are
    included.

    Args:
        meant: One or more gold mentions.

    Returns:
        The long forms.
    """
    return Counter(gold.long_forms for gold in meant).most_common(1)[0][0]


def _right(evidence: Evidence, long_forms: Collection[str]) -> tuple[int, ...]:
    """Return the rows of candidates that equal a gold long form or a wording judged equal."""
    keys = {same_key(name) for name in long_forms}
    return tuple(
        row
        for row, candidate in enumerate(evidence.question.candidates)
        if same_key(candidate.long_form) in keys
        or any(SAME(name, candidate.long_form) for name in long_forms)
    )


def weights_of(acronyms: Sequence[Labelled], sets: Sequence[str]) -> Floats:
    """Return the weight of each acronym in a fit.

    The weight is proportional to the number of mentions, up to MOST_MENTIONS. All sets have the
    same total weight.

    Args:
        acronyms: The acronyms.
        sets: Name of the data set of each text.

    Returns:
        Weights, [acronyms].
    """
    counts = np.array([min(acronym.mentions, MOST_MENTIONS) for acronym in acronyms], np.float32)
    names = np.array([sets[acronym.text] for acronym in acronyms])
    for name in set(sets):
        counts[names == name] *= len(acronyms) / max(1.0, counts[names == name].sum())
    return counts


def folds_of(texts: Sequence[LabelledText], number: int) -> list[int]:
    """Assign the texts of a set to folds by repository or field.

    If there are fewer repositories or fields than folds, texts are assigned by acronym.

    Args:
        texts: The texts.
        number: Number of folds.

    Returns:
        The fold of each text.
    """
    groups = [text.repository or text.field for text in texts]
    if len(set(groups)) < number:
        groups = [text.mentions[0].acronym if text.mentions else "" for text in texts]
    shuffled = np.random.default_rng(0).permutation(sorted(set(groups)))
    fold = {name: position % number for position, name in enumerate(shuffled)}
    return [fold[name] for name in groups]


def fit_evidence(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Calibration:
    """Fit the evidence weights and the documents' topics in turn, and set them in the linker.

    Args:
        linker: The linker, changed in place.
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].

    Returns:
        The fitted weights.
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
    """Fit the evidence weights, without updating the topics of documents.

    Args:
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].
        start: Initial weights.
        fitted: Names of the weights to fit.
        ridge: Penalty on the squared weights of the scaled features.

    Returns:
        The fitted weights.
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
    """Set the weights of a linker and recompute the topics of all texts.

    Args:
        linker: The linker, changed in place.
        calibration: The weights.
        acronyms: The acronyms, whose evidence is updated in place.
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
    """Fit the trees that predict whether a first answer is right, and set them in the linker.

    Args:
        linker: The linker, changed in place.
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].

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
    """Return the logits of the candidates, averaged over contexts, and the ranked meanings."""
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
    """Evaluate the evidence on each data set by cross-validation.

    Every text is answered with weights and trees that were fitted on the other folds.

    Args:
        linker: The linker, changed in place.
        gathered: The acronyms of all texts.
        folds: Fold of each text.
        sets: Name of the data set of each text.
        weights: Weight of each acronym, [acronyms].

    Returns:
        The figures of each set; see `figures`.
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
    """The first answer for an acronym.

    Attributes:
        probability: Probability of the answer, 0..1.
        right: Whether the answer is right.
        answerable: Number of gold mentions with a meaning.
        mentions: Number of all gold mentions.
    """

    probability: float
    right: bool
    answerable: int
    mentions: int


def outcome(acronym: Labelled, answers: Meanings) -> Outcome:
    """Compare the first answer for an acronym with the gold answers.

    Args:
        acronym: The acronym.
        answers: Meanings of the acronym, best first.

    Returns:
        The outcome.
    """
    best = acronym.evidence.question.candidates.index(answers[0][0]) if answers else -1
    probability = answers[0][1] if answers else 0.0
    return Outcome(probability, best in acronym.right, acronym.answerable, acronym.mentions)


def figures(rows: Sequence[Outcome], lost: int) -> dict[str, float]:
    """Compute the scores of outcomes over all gold mentions.

    Args:
        rows: One or more outcomes.
        lost: Number of additional answerable gold mentions that were not found.

    Returns:
        The number of mentions, and the percentages `right`, `precision`, `ranked_first` and
        `calibration_error`.
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
