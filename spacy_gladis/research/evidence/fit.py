"""Fit the weights of the evidence on labelled texts, cross-validated by field.

Every acronym of every text is gathered once, with the features of its candidates. A fit and the
topics of a document depend on each other, so they alternate.
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
    """An acronym in a text with its right answers.

    Attributes:
        evidence: Evidence for its candidates.
        right: Rows of the right candidates.
        mentions: Gold mentions that it stands for.
        answerable: Those of them with a meaning.
        text: Number of the text.
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
        lost: Gold mentions of each text that were not found or are defined there.
    """

    acronyms: list[Labelled]
    lost: dict[int, int]


def gather(
    nlp: Language, texts: Sequence[LabelledText], report: Callable[[int], None] = lambda done: None
) -> Gathered:
    """Gather the labelled acronyms of texts as the pipeline's linker sees them.

    Args:
        nlp: Pipeline with an `acrobert_linker`.
        texts: Labelled texts.
        report: Receives the number of texts done.

    Returns:
        The acronyms with their evidence.
    """
    linker = nlp.get_pipe("acrobert_linker")
    assert isinstance(linker, AcroBERTLinker)
    opened = linker.open()
    acronyms: list[Labelled] = []
    lost: dict[int, int] = {}
    with nlp.select_pipes(disable=["acrobert_linker"]):
        docs = nlp.pipe(one.text for one in texts)
        for number, (text, doc) in enumerate(zip(texts, docs, strict=True)):
            places = Findings.of(doc.spans[linker.cfg["spans_key"]]).undefined
            mentions = [Mention(text.text, start, end, number) for start, end in places]
            gathered = opened.reader.gather(opened.questions(mentions), mentions)
            asked = [gold for gold in text.mentions if not gold.defined]
            lost[number] = sum(bool(gold.long_forms) for gold in asked)
            for evidence in gathered:
                own = [places[i] for i in evidence.question.mentions]
                here = [gold for gold in asked if _meets(gold, own)]
                if here:
                    meant = [gold for gold in here if gold.long_forms]
                    right = _right(evidence, usual(meant)) if meant else ()
                    acronyms.append(Labelled(evidence, right, len(here), len(meant), number))
                    lost[number] -= len(meant)
            report(number + 1)
    return Gathered(acronyms, lost)


def _meets(gold: GoldMention, places: Iterable[tuple[int, int]]) -> bool:
    return any(start < gold.end and gold.start < end for start, end in places)


def usual(meant: Iterable[GoldMention]) -> tuple[str, ...]:
    """Return the most frequent long forms of an acronym's gold mentions.

    They can include another acronym's, if a mention is part of it: "cgMLST" of "wg/cgMLST".

    Args:
        meant: Gold mentions, at least one.

    Returns:
        The long forms.
    """
    return Counter(gold.long_forms for gold in meant).most_common(1)[0][0]


def _right(evidence: Evidence, long_forms: Collection[str]) -> tuple[int, ...]:
    """Return the rows that match a gold long form or a wording judged equal to it."""
    keys = {same_key(name) for name in long_forms}
    return tuple(
        row
        for row, one in enumerate(evidence.question.candidates)
        if same_key(one.long_form) in keys or any(SAME(name, one.long_form) for name in long_forms)
    )


def weights_of(acronyms: Sequence[Labelled], sets: Sequence[str]) -> Floats:
    """Return the weight of each acronym in a fit.

    An acronym counts by its mentions, up to MOST_MENTIONS. All sets have the same total.

    Args:
        acronyms: The acronyms.
        sets: Set name of each text.

    Returns:
        Weights, [acronyms].
    """
    counts = np.array([min(one.mentions, MOST_MENTIONS) for one in acronyms], np.float32)
    names = np.array([sets[one.text] for one in acronyms])
    for name in set(sets):
        counts[names == name] *= len(acronyms) / max(1.0, counts[names == name].sum())
    return counts


def folds_of(texts: Sequence[LabelledText], number: int) -> list[int]:
    """Assign the texts of a set to folds by repository or field.

    If there are fewer of these than folds, texts are assigned by acronym.

    Args:
        texts: The texts.
        number: Number of folds.

    Returns:
        The fold of each text.
    """
    groups = [one.repository or one.field for one in texts]
    if len(set(groups)) < number:
        groups = [one.mentions[0].acronym if one.mentions else "" for one in texts]
    shuffled = np.random.default_rng(0).permutation(sorted(set(groups)))
    fold = {name: place % number for place, name in enumerate(shuffled)}
    return [fold[name] for name in groups]


def fit_evidence(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Calibration:
    """Fit the weights and the documents' topics in turn, and leave them in the linker.

    Args:
        linker: The linker, changed in place.
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].

    Returns:
        The fitted weights.
    """
    found = Calibration()
    for _ in range(ALTERNATIONS):
        found = fit(acronyms, weights)
        use(linker, found, acronyms)
    return found


def fit(
    acronyms: Sequence[Labelled],
    weights: Floats,
    start: Calibration | None = None,
    fitted: Sequence[str] = FITTED,
    ridge: float = RIDGE,
) -> Calibration:
    """Fit the weights of the evidence as it stands.

    Args:
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].
        start: Initial weights.
        fitted: Names of the weights to fit.
        ridge: Penalty on squared weights of scaled features.

    Returns:
        The fitted weights.
    """
    return fit_calibration(
        [one.evidence.mean_table for one in acronyms],
        [one.right for one in acronyms],
        start or Calibration(),
        fitted,
        nil=np.stack([one.evidence.question.nil for one in acronyms]),
        weights=weights,
        ridge=ridge,
    )


def use(linker: Linker, calibration: Calibration, acronyms: Sequence[Labelled]) -> None:
    """Set the linker's weights and recompute the topics of all texts.

    Args:
        linker: The linker, changed in place.
        calibration: The weights.
        acronyms: The acronyms, whose evidence is updated in place.
    """
    model = linker.model
    model.settings = replace(model.settings, calibration=calibration, alone=None)
    texts: defaultdict[int, list[Evidence]] = defaultdict(list)
    for one in acronyms:
        if one.evidence.question.candidates:
            texts[one.text].append(one.evidence)
    for together in texts.values():  # fills in the tables of the evidence
        deque(linker.reader.agree(together, np.zeros(1, np.float32)), maxlen=0)


def fit_trees(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Confidence:
    """Fit the confidence of first answers under the linker's weights, and leave it in the linker.

    Args:
        linker: The linker, changed in place.
        acronyms: The acronyms.
        weights: Weight of each acronym, [acronyms].

    Returns:
        The fitted trees.
    """
    linker.model.confidence = Confidence.empty()
    rows, right, counts = [], [], []
    number = Counter(one.text for one in acronyms if one.evidence.question.candidates)
    for one, count in zip(acronyms, weights.tolist(), strict=True):
        if one.evidence.question.candidates:
            logits, answers = _answers(linker, one, number[one.text])
            rows.append(
                compute_confidence_features(one.evidence, answers, logits, number[one.text])
            )
            right.append(outcome(one, answers).right)
            counts.append(count)
    fitted = fit_confidence(np.stack(rows), np.array(right), np.array(counts, np.float32))
    linker.model.confidence = fitted
    return fitted


def _answers(linker: Linker, one: Labelled, acronyms: int) -> tuple[Floats, Meanings]:
    """Return the candidates' logits, averaged over contexts, and the ranked meanings."""
    logits: Floats = np.mean(linker.reader.logits(one.evidence), axis=0)
    calibration = linker.model.settings.select_weights(one.evidence.question.is_alone)
    found = [rank_candidates(one.evidence, logits, calibration)]
    return logits, add_confidence(one.evidence, found, [logits], acronyms, linker.reader)[0]


def cross_validate(
    linker: Linker,
    gathered: Gathered,
    folds: Sequence[int],
    sets: Sequence[str],
    weights: Floats,
) -> dict[str, Any]:
    """Measure each set, with every text answered by weights and trees fitted on other folds.

    Args:
        linker: The linker, changed in place.
        gathered: The acronyms of all texts.
        folds: Fold of each text.
        sets: Set name of each text.
        weights: Weight of each acronym, [acronyms].

    Returns:
        The figures of each set; see `figures`.
    """
    rows: defaultdict[str, list[Outcome]] = defaultdict(list)
    places = [folds[one.text] for one in gathered.acronyms]
    number = Counter(one.text for one in gathered.acronyms if one.evidence.question.candidates)
    weighed = list(zip(gathered.acronyms, weights, strict=True))
    for others, held_out in by_folds(weighed, places):
        train, counts = zip(*others, strict=True)
        test = [one for one, _ in held_out]
        fitted = fit_evidence(linker, train, np.array(counts))
        fit_trees(linker, train, np.array(counts))
        use(linker, fitted, test)
        for one in test:
            answers = _answers(linker, one, number[one.text])[1]
            rows[sets[one.text]].append(outcome(one, answers))
    found = {}
    for name, answered in rows.items():
        lost = sum(n for text, n in gathered.lost.items() if sets[text] == name)
        found[name] = figures(answered, lost)
    return found


class Outcome(NamedTuple):
    """The first answer for an acronym.

    Attributes:
        probability: Its probability, 0..1.
        right: Whether it is right.
        answerable: Gold mentions with a meaning.
        mentions: All gold mentions.
    """

    probability: float
    right: bool
    answerable: int
    mentions: int


def outcome(one: Labelled, answers: Meanings) -> Outcome:
    """Compare the first answer with the gold one.

    Args:
        one: The acronym.
        answers: Its meanings, best first.

    Returns:
        The outcome.
    """
    best = one.evidence.question.candidates.index(answers[0][0]) if answers else -1
    probability = answers[0][1] if answers else 0.0
    return Outcome(probability, best in one.right, one.answerable, one.mentions)


def figures(rows: Sequence[Outcome], lost: int) -> dict[str, float]:
    """Measure outcomes over gold mentions.

    Args:
        rows: Outcomes, at least one.
        lost: Further answerable gold mentions that were not found.

    Returns:
        The number of mentions, and the percentages `right`, `precision`, `ranked_first` and
        `calibration_error`.
    """
    probability, right, answerable, mentions = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    total = answerable.sum() + lost
    given = probability >= THRESHOLD
    correct = (answerable * (given & right)).sum()
    known = answerable > 0
    counts = answerable[known]
    error = expected_calibration_error(
        np.repeat(probability[known], counts), np.repeat(right[known], counts)
    )
    return {
        "mentions": int(total),
        "right": round(100 * correct / total, 1),
        "precision": round(100 * correct / max(1, (mentions * given).sum()), 1),
        "ranked_first": round(100 * (answerable * right).sum() / total, 1),
        "calibration_error": round(100 * error, 1),
    }
