"""Fit the weights of the linker's evidence and the trees that rerank candidates.

Everything is fitted on the training texts (`held_out.py`). Every acronym of every text is gathered
once, with the features of its candidates. A fit of the weights and the topics of a document depend
on each other, so they alternate.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from spacy.language import Language

from ...arrays import Flags, Floats
from ...dictionary import Candidate
from ...linking import Linker
from ...linking.calibration import Calibration
from ...linking.features import Evidence
from ...linking.reranking import compute_features
from ...linking.trees import BoostedTrees
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.annotations import Findings
from ...text import Mention
from ...text.spelling import same_key
from ..datasets.split import by_folds
from ..datasets.texts import GoldMention, LabelledText
from ..metrics.equal_wordings import EqualWordings
from ..training.boosting import fit_trees
from ..training.logit import fit_calibration
from .held_out import HeldOutDictionary

FITTED = (
    *("cosine", "centroid", "unseen", "seen", "sources", "glossary", "common", "initials"),
    *("attested", "overlap", "neighbours", "topic", "phrase", "glossed", "gloss"),
    *("nil", "nil_candidates", "nil_words", "nil_density"),
)
RIDGE = 1e-4
ALTERNATIONS = 3

MOST_MENTIONS = 3
"""Mentions by which an acronym of a text counts, at most."""

MOST_FITTED = 32
"""Candidates of an acronym that a fit of the weights compares, at most. The right ones are always
among them."""

PRECISIONS = (0.97, 0.95, 0.93, 0.9)
"""Precisions at which the share of right answers is reported."""


class Labelled(NamedTuple):
    """An acronym in a text with its right answers.

    Attributes:
        evidence: Evidence for its candidates.
        right: Rows of the right candidates.
        mentions: Gold mentions that it stands for; 0 if the acronym has no label.
        text: Number of the text.
    """

    evidence: Evidence
    right: tuple[int, ...]
    mentions: int
    text: int


class Source(NamedTuple):
    """A text with the source that its dictionary leaves out.

    Attributes:
        text: The text with its mentions.
        source: The source to leave out.
    """

    text: LabelledText
    source: str


def gather(
    nlp: Language,
    linker: Linker,
    dictionary: HeldOutDictionary,
    texts: Sequence[Source],
    same: EqualWordings,
    report: Callable[[int], None] = lambda done: None,
) -> list[Labelled]:
    """Gather the acronyms of texts with the evidence for their candidates.

    Args:
        nlp: Pipeline with an `acrobert_linker`, whose detector finds the acronyms.
        linker: The linker, with the dictionary.
        dictionary: Dictionary that leaves out the source of each text.
        texts: The texts.
        same: Says which long forms have the same sense.
        report: Receives the number of texts done.

    Returns:
        The acronyms, text by text.
    """
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    spans_key = component.cfg["spans_key"]
    acronyms = []
    with nlp.select_pipes(disable=["acrobert_linker"]):
        docs = nlp.pipe(text.text.text for text in texts)
        for number, ((text, source), doc) in enumerate(zip(texts, docs, strict=True)):
            dictionary.held_out = source
            offsets = Findings.of(doc.spans[spans_key]).undefined
            mentions = [Mention(text.text, start, end, number) for start, end in offsets]
            undefined = [gold for gold in text.mentions if not gold.defined]
            for evidence in linker.reader.gather(linker.questions(mentions), mentions):
                spans = [offsets[i] for i in evidence.question.mentions]
                matches = [gold for gold in undefined if _meets(gold, spans)]
                meant = [gold for gold in matches if gold.long_forms]
                right = (
                    find_right(evidence.question.candidates, usual(meant), same) if meant else ()
                )
                acronyms.append(Labelled(evidence, right, len(matches), number))
            report(number + 1)
    return acronyms


def _meets(gold: GoldMention, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < gold.end and gold.start < end for start, end in spans)


def usual(meant: Iterable[GoldMention]) -> tuple[str, ...]:
    """Return the most frequent long forms of an acronym's gold mentions.

    They can include another acronym's, if a mention is part of it: "cgMLST" of "wg/cgMLST".

    Args:
        meant: Gold mentions, at least one.

    Returns:
        The long forms.
    """
    return Counter(gold.long_forms for gold in meant).most_common(1)[0][0]


def find_right(
    candidates: Sequence[Candidate], long_forms: Sequence[str], same: EqualWordings
) -> tuple[int, ...]:
    """Return the rows of the candidates that match a gold long form, or a wording equal to it.

    Args:
        candidates: The candidates.
        long_forms: The gold long forms.
        same: Says which long forms have the same sense.
    """
    keys = {same_key(name) for name in long_forms}
    return tuple(
        row
        for row, candidate in enumerate(candidates)
        if same_key(candidate.long_form) in keys
        or any(same(name, candidate.long_form) for name in long_forms)
    )


def count_weights(acronyms: Sequence[Labelled]) -> Floats:
    """Return the weight of each acronym: its labelled mentions, up to `MOST_MENTIONS`.

    Args:
        acronyms: The acronyms.

    Returns:
        Weights, float32 [acronyms].
    """
    return np.array([min(acronym.mentions, MOST_MENTIONS) for acronym in acronyms], np.float32)


def balance(weights: Floats, sets: Sequence[str]) -> Floats:
    """Scale weights so that all sets have the same total.

    Args:
        weights: Weights, float32 [acronyms].
        sets: Name of the set of each acronym, [acronyms].

    Returns:
        The scaled weights, float32 [acronyms].
    """
    balanced, names = weights.copy(), np.array(sets)
    for name in set(sets):
        balanced[names == name] *= len(sets) / max(1.0, float(weights[names == name].sum()))
    return balanced


def fit(
    acronyms: Sequence[Labelled],
    weights: Floats,
    start: Calibration | None = None,
    fitted: Sequence[str] = FITTED,
    ridge: float = RIDGE,
) -> Calibration:
    """Fit the weights of the evidence as it stands.

    Args:
        acronyms: Labelled acronyms.
        weights: Weight of each acronym, [acronyms].
        start: Initial weights, which also choose the candidates to compare.
        fitted: Names of the weights to fit.
        ridge: Penalty on squared weights of scaled features.

    Returns:
        The fitted weights.
    """
    start = start or Calibration()
    pairs = [
        limit_candidates(acronym.evidence.mean_table, acronym.right, start) for acronym in acronyms
    ]
    return fit_calibration(
        [table for table, _ in pairs],
        [right for _, right in pairs],
        start,
        fitted,
        nil=np.stack([acronym.evidence.question.nil for acronym in acronyms]),
        weights=weights,
        ridge=ridge,
    )


def limit_candidates(
    table: Floats, right: Sequence[int], weights: Calibration
) -> tuple[Floats, tuple[int, ...]]:
    """Keep the `MOST_FITTED` best candidates of a question, and the right ones.

    Args:
        table: Features of the candidates, float32 [candidates, FEATURES].
        right: Rows of the right candidates.
        weights: Weights that say which candidates are best.

    Returns:
        The features of the kept candidates, and the rows of the right ones among them.
    """
    if len(table) <= MOST_FITTED:
        return table, tuple(right)
    best = np.argsort(-weights.logits(table), kind="stable")[:MOST_FITTED]
    kept = sorted({*best.tolist(), *right})
    rows = {row: position for position, row in enumerate(kept)}
    return table[kept], tuple(rows[row] for row in right)


def fit_evidence(
    linker: Linker, acronyms: Sequence[Labelled], weights: Floats, start: Calibration
) -> Calibration:
    """Fit the weights and the documents' topics in turn, and leave the weights in the linker.

    Args:
        linker: The linker, changed in place.
        acronyms: All acronyms of the texts, whose evidence is updated in place.
        weights: Weight of each acronym, 0 if it has no label, [acronyms].
        start: Weights that choose the candidates to compare at first.

    Returns:
        The fitted weights.
    """
    labelled = [acronym for acronym, weight in zip(acronyms, weights, strict=True) if weight]
    fitted = start
    for _ in range(ALTERNATIONS):
        fitted = fit(labelled, weights[weights > 0], fitted)
        use(linker, fitted, acronyms)
    return fitted


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
    for acronym in acronyms:
        if acronym.evidence.question.candidates:
            texts[acronym.text].append(acronym.evidence)
    for together in texts.values():  # updates the evidence tables in place
        deque(linker.reader.agree(together, np.zeros(1, np.float32)), maxlen=0)


class Rows(NamedTuple):
    """The candidates of an acronym that the trees score.

    Attributes:
        features: Features of the candidates, float32 [scored, COLUMNS].
        right: Whether each is right, bool [scored].
        has_answer: Whether a candidate of the acronym is right, scored or not.
        weight: Weight of the acronym.
        source: Source of its text.
        set_name: Name of its set.
    """

    features: Floats
    right: Flags
    has_answer: bool
    weight: float
    source: str
    set_name: str


def make_rows(
    acronym: Labelled, weights: Calibration, weight: float, source: str, set_name: str
) -> Rows:
    """Compute the features from which the trees score the candidates of an acronym.

    Args:
        acronym: The acronym; it has candidates.
        weights: Weights of the evidence.
        weight: Weight of the acronym.
        source: Source of its text.
        set_name: Name of its set.
    """
    logits = weights.logits(acronym.evidence.mean_table)
    scored, features = compute_features(acronym.evidence, logits)
    right = np.isin(scored, acronym.right)
    return Rows(features, right, bool(acronym.right), weight, source, set_name)


def fit_reranker(rows: Sequence[Rows]) -> BoostedTrees:
    """Fit the trees that score candidates.

    Args:
        rows: The candidates of each acronym.

    Returns:
        The trees.
    """
    weights = [np.full(len(acronym.right), acronym.weight, np.float32) for acronym in rows]
    return fit_trees(
        np.vstack([acronym.features for acronym in rows]),
        np.concatenate([acronym.right for acronym in rows]),
        np.concatenate(weights),
    )


def cross_validate(rows: Sequence[Rows], folds: int) -> dict[str, dict[str, Any]]:
    """Measure the trees on each set, with every source answered by trees of other sources.

    Args:
        rows: The candidates of each acronym.
        folds: Number of folds of the sources.

    Returns:
        For each set, the percentages `ranked_first` of the acronyms with a right candidate and
        several candidates, and `right_at` of all acronyms at each of `PRECISIONS`.
    """
    sources = np.random.default_rng(0).permutation(sorted({row.source for row in rows})).tolist()
    fold = {source: position % folds for position, source in enumerate(sources)}
    answers: defaultdict[str, list[tuple[float, bool, float, bool]]] = defaultdict(list)
    for training, held_out in by_folds(rows, [fold[row.source] for row in rows]):
        trees = fit_reranker(training)
        for row in held_out:
            odds = np.exp(trees.log_odds(row.features))
            best = int(odds.argmax())
            probability = float(odds[best] / (1 + odds.sum()))
            is_ambiguous = row.has_answer and len(row.right) > 1
            answers[row.set_name].append(
                (probability, bool(row.right[best]), row.weight, is_ambiguous)
            )
    return {name: _figures(outcomes) for name, outcomes in sorted(answers.items())}


def _figures(outcomes: Sequence[tuple[float, bool, float, bool]]) -> dict[str, Any]:
    probability, right, weight, is_ambiguous = map(np.array, zip(*outcomes, strict=True))
    order = np.argsort(-probability, kind="stable")
    correct, answered = np.cumsum((weight * right)[order]), np.cumsum(weight[order])
    right_at = {}
    for precision in PRECISIONS:
        reached = np.flatnonzero(correct / answered >= precision)
        share = correct[reached[-1]] / weight.sum() if len(reached) else 0.0
        right_at[str(precision)] = round(100 * float(share), 1)
    counts = weight * is_ambiguous
    first = float((counts * right).sum() / max(1.0, counts.sum()))
    return {
        "acronyms": len(outcomes),
        "ranked_first": round(100 * first, 1),
        "right_at": right_at,
    }
