"""Fitting of the linker's feature weights on labelled texts.

Every acronym of every text is collected once, with the features of its candidates. The topics and
likely senses of a document, which are features too, are estimated from all its acronyms, with the
weights of the model that the fit starts from.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from ...arrays import Floats, Ints
from ...dictionary.folder_definitions import FolderDefinitions
from ...linking.calibration import Calibration
from ...linking.candidates import Question
from ...linking.features import Evidence
from ...linking.ranking import Meanings
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.annotations import Findings
from ...settings import THRESHOLD
from ...text import Mention, merge_key
from ...text.spelling import same_key
from ..datasets.texts import GoldMention, LabelledText, find_closest
from ..metrics.equal_wordings import EqualWordings, read_equal_wordings
from ..metrics.scores import expected_calibration_error
from ..training.logit import fit_calibration

FITTED = (
    *("cosine", "match", "centroid", "unseen", "seen", "sources", "glossary"),
    *("common", "initials", "attested", "overlap", "neighbours", "gloss", "glossed"),
    *("topic", "phrase"),
    *("nil", "nil_candidates", "nil_words", "nil_density"),
)
"""Names of the weights that are fitted. The other weights of a `Calibration` keep their values."""
RIDGE = 1e-4
"""Penalty on the squared weights of features that are scaled to standard deviation 1."""
SAME = EqualWordings(merge_key, read_equal_wordings())
"""A function that returns whether two long forms have the same sense."""
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
    nlp: Language,
    texts: Sequence[LabelledText],
    report: Callable[[int], None] = lambda done: None,
    prune: Callable[[Labelled], Labelled] = lambda acronym: acronym,
    *,
    folders: Iterable[FolderDefinitions] = repeat(FolderDefinitions()),
    hide: Callable[[Question, LabelledText], Question] = lambda question, text: question,
) -> Gathered:
    """Run a pipeline on labelled texts, and collect the features of the labelled acronyms.

    Acronyms that the text defines are left out, because the linker doesn't resolve them.

    Args:
        nlp: Pipeline with the component `acrobert_linker`.
        texts: Texts with labelled mentions.
        report: Function that is called after each text with the number of texts processed so far.
        prune: Function that removes unneeded candidates of an acronym, so that less memory is used.
        folders: For each text, the definitions in the other documents of its folder. By default,
            there are no other documents.
        hide: Function that removes candidates of an acronym that must not be known, before their
            features are computed.

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
        for number, (text, doc, folder) in enumerate(zip(texts, docs, folders, strict=False)):
            offsets = Findings.of(doc.spans[linker.cfg["spans_key"]]).undefined
            mentions = [Mention(text.text, start, end, number) for start, end in offsets]
            evidence_of_others = folder.find_evidence(mentions, {number: text.name})
            questions = [
                hide(question, text) for question in opened.questions(mentions, evidence_of_others)
            ]
            gathered = opened.reader.gather(questions, mentions, evidence_of_others)
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
                    labelled = Labelled(evidence, right, len(matches), len(answerable), number)
                    acronyms.append(prune(labelled))
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


def keep_likeliest(acronym: Labelled, weights: Calibration, most: int, others: int = 0) -> Labelled:
    """Remove the least likely candidates of an acronym, so that a fit needs less memory.

    Right candidates are kept. The features of NIL still count all candidates.

    Args:
        acronym: Labelled acronym with the features of its candidates.
        weights: Feature weights, whose logits tell which candidates are likely.
        most: Maximum number of likely candidates to keep besides the right ones.
        others: Maximum number of the remaining candidates to keep. They are spread evenly over the
            ranks.

    Returns:
        The acronym with its remaining candidates, or `acronym` itself if all are kept.
    """
    evidence, question = acronym.evidence, acronym.evidence.question
    if len(question.candidates) <= most + others:
        return acronym
    ranked = np.argsort(-weights.logits(evidence.mean_table), kind="stable")
    spread = np.linspace(most, len(ranked) - 1, others).astype(np.int64)
    rows = np.concatenate([ranked[:most], ranked[spread]])
    return select_rows(acronym, np.union1d(rows, np.array(acronym.right, np.int64)))


def select_rows(acronym: Labelled, rows: Ints) -> Labelled:
    """Keep only some candidates of an acronym. The features of NIL still count all candidates.

    Args:
        acronym: Labelled acronym with the features of its candidates.
        rows: Rows of the candidates to keep, in ascending order, int64 [rows].

    Returns:
        The acronym with these candidates.
    """
    evidence, question = acronym.evidence, acronym.evidence.question
    selected = select_candidates_of(question, rows)
    tables = tuple(table[rows] for table in evidence.tables)
    mean_table = evidence.mean_table[rows]
    evidence = replace(evidence, question=selected, tables=tables, mean_table=mean_table)
    right = tuple(np.flatnonzero(np.isin(rows, acronym.right)).tolist())
    return acronym._replace(evidence=evidence, right=right)


def select_candidates_of(question: Question, rows: Ints) -> Question:
    """Keep only some candidates of a question. The features of NIL still count all candidates.

    Args:
        question: The acronym with its candidates.
        rows: Rows of the candidates to keep, in ascending order, int64 [rows].

    Returns:
        The question with these candidates.
    """
    return replace(
        question,
        candidates=tuple(question.candidates[row] for row in rows.tolist()),
        phrases=question.phrases[rows],
        folder=question.folder[rows],
        glossary=question.glossary[rows],
    )


def weights_of(acronyms: Sequence[Labelled], sets: Sequence[str]) -> Floats:
    """Compute how much each acronym counts in a fit.

    Within a data set, the weight of an acronym is proportional to its number of mentions, up to
    `MOST_MENTIONS`. The total weight of a data set is the square root of its number of mentions,
    so that large sets count more, but don't dominate.

    Args:
        acronyms: Labelled acronyms of one or more data sets.
        sets: Name of the data set that each text belongs to. Acronyms refer to texts by index.

    Returns:
        A weight for each acronym, float32 [acronyms], with the mean 1.
    """
    counts = np.array([min(acronym.mentions, MOST_MENTIONS) for acronym in acronyms], np.float32)
    names = np.array([sets[acronym.text] for acronym in acronyms])
    for name in set(sets):
        of_set = names == name
        counts[of_set] /= max(1.0, float(counts[of_set].sum())) ** 0.5
    weights: Floats = counts / max(float(counts.mean()), 1e-12)
    return weights


def fit(
    acronyms: Sequence[Labelled],
    weights: Floats,
    start: Calibration | None = None,
    fitted: Sequence[str] = FITTED,
    ridge: float = RIDGE,
) -> Calibration:
    """Fit the feature weights on labelled acronyms.

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


THRESHOLDS = (*(round(0.05 * step, 2) for step in range(1, 20)), 0.97, 0.98, 0.99)
"""Thresholds for which precisions are measured."""


def precisions(sets: Sequence[Sequence[Outcome]]) -> tuple[tuple[float, float], ...]:
    """Compute the precision of the linker's answers at each threshold, averaged over data sets.

    Args:
        sets: Outcomes of the acronyms of each data set.

    Returns:
        Pairs of a threshold and its mean precision, both in 0..1, in ascending order. Thresholds
        at which a data set has no answers are left out.
    """
    measured = []
    for threshold in THRESHOLDS:
        of_sets = []
        for outcomes in sets:
            answered = [item for item in outcomes if item.probability >= threshold]
            right = sum(item.answerable for item in answered if item.right)
            mentions = sum(item.mentions for item in answered)
            of_sets.append(right / mentions if mentions else None)
        defined = [value for value in of_sets if value is not None]
        if len(defined) == len(sets):
            measured.append((threshold, round(sum(defined) / len(defined), 4)))
    return tuple(measured)
