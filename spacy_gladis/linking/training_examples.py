"""What labelled mentions ask of the model as it is served, and the loss of its answers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats
from ..dictionary.learnt import NOTHING, Elsewhere
from ..text import Mention, merge_key
from ..text.spelling import group_spellings
from .calibration import softmax
from .candidates import Question
from .features import CENTROID, COSINE, Evidence
from .linker import Linker
from .ranking import DISCOURSE, raise_user_entries
from .sense_vectors import sense_key

REHEARSED = 8
"""Of an acronym's senses the most frequent ones with a centroid are rehearsed."""

TINY = 1e-12


class TrainingExample(NamedTuple):
    """Which of its candidates, or none of them, does a mention stand for?

    senses: the candidates' sense keys. query: the context's vector [width]. logits: of the
    candidates, of NIL last, by all evidence but what was learnt [candidates + 1]. right: which of
    these alternatives are right, booleans [candidates + 1]; None where the answer is to stay as
    `logits` give it. weight: of the example in the loss.
    """

    senses: tuple[int, ...]
    query: Floats
    logits: Floats
    right: Flags | None
    weight: float = 1.0

    @property
    def taught(self) -> list[int]:
        """The keys of the senses that are right."""
        right = () if self.right is None else self.right
        return [key for key, is_right in zip(self.senses, right, strict=False) if is_right]


def training_examples(
    linker: Linker,
    mentions: Sequence[Mention],
    meant: Sequence[str | None],
    elsewhere: Elsewhere = NOTHING,
    *,
    passed_over: set[tuple[str, str]] | None = None,
) -> list[TrainingExample]:
    """Return examples of the mentions that something can be learnt from, weighed as when linking.

    Args:
        linker: Which is trained.
        mentions: All mentions of each document, since they inform one another.
        meant: The long form of each mention in any spelling; an empty string where it is known to
            be none of the candidates, None where it is not known.
        elsewhere: What other documents say.
        passed_over: Receives the acronyms and long forms that are no candidates.
    """
    questions = linker.questions(mentions, elsewhere)
    labels = [
        [right_alternatives(question, meant[number]) for number in question.mentions]
        for question in questions
    ]
    if passed_over is not None:
        passed_over |= {
            (mentions[number].acronym, long_form)
            for question, rows in zip(questions, labels, strict=True)
            for number, right in zip(question.mentions, rows, strict=True)
            if right is None and (long_form := meant[number])
        }
    if not any(right is not None for rows in labels for right in rows):
        return []
    examples = []
    evidence = linker.reader.gather(questions, mentions, elsewhere)
    for item, rows in zip(evidence, labels, strict=True):
        candidates = item.question.candidates
        senses = tuple(sense_key(candidate.long_form) for candidate in candidates)
        weights = linker.model.settings.weights(item.question.is_alone)
        scores = [weights.logits(table) for table in item.tables]
        number = len(rows)
        voted = zip(rows, _vote(scores, number), _vote(list(item.queries), number), strict=True)
        for right, logits, query in voted:
            if right is not None:
                raised, nil = raise_user_entries(item, logits, weights)
                whole = np.append(raised, nil).astype(np.float32)
                examples.append(TrainingExample(senses, query, whole, right))
        if labelled := sum(right is not None for right in rows):
            examples += rehearse(linker, item, senses, labelled)
    return examples


def _vote(read: Sequence[Floats], mentions: int) -> list[Floats]:
    """Return what each mention takes from its own context and from the document's others."""
    mean: Floats = np.mean(read, axis=0)
    if mentions == 1:
        return [mean]
    own: list[Floats] = [(1 - DISCOURSE) * one + DISCOURSE * mean for one in read]
    return [*own, *[mean] * (mentions - len(own))]


def rehearse(
    linker: Linker, evidence: Evidence, senses: tuple[int, ...], weight: float
) -> list[TrainingExample]:
    """Return examples that keep what an acronym meant before: its senses' centroids as contexts.

    Without them, an acronym taught in one sense alone would have that sense everywhere.

    Args:
        linker: Which is trained.
        evidence: Evidence for the acronym.
        senses: Keys of its candidates' senses.
        weight: Weight of all examples together.
    """
    model, question = linker.model, evidence.question
    names = [candidate.long_form for candidate in question.candidates]
    rows = model.centroids.rows(names)
    known = rows[rows >= 0][:REHEARSED]
    if not len(known):
        return []
    centroids = model.centroids.vectors(known)
    queries = centroids / np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), 1e-6)
    tables = [evidence.tables[0].copy() for _ in queries]
    for table, centroid in zip(tables, centroids, strict=True):
        table[:, COSINE] = 0  # `compare` chooses by all other evidence
        table[:, CENTROID] = model.centroids.compare(names, centroid, model.scale)[0]
    candidates = [question.candidates] * len(queries)
    linker.reader.compare(queries, candidates, tables, model.settings.calibration)
    weights = model.settings.weights(question.is_alone)
    nil = np.float32(weights.nil_logit(question.nil))
    each = weight / len(queries)
    return [
        TrainingExample(senses, query, np.append(weights.logits(table), nil), None, each)
        for table, query in zip(tables, queries, strict=True)
    ]


def right_alternatives(question: Question, meant: str | None) -> Flags | None:
    """Return which alternatives, NIL last, are right; None where nothing is to be learnt.

    All spellings of one meaning are right, since linking adds up their probabilities.
    """
    if meant is None or not question.candidates:
        return None
    right = np.zeros(len(question.candidates) + 1, bool)
    if not meant:
        right[-1] = True
        return right
    names = tuple(candidate.long_form for candidate in question.candidates)
    key = merge_key(meant)
    spelt = [merge_key(name) == key for name in names]
    if not any(spelt):
        return None
    meaning = group_spellings(names)
    wanted = {of for of, same in zip(meaning, spelt, strict=True) if same}
    right[:-1] = [of in wanted for of in meaning]
    return right


def cross_entropy(
    scores: Sequence[Floats], examples: Sequence[TrainingExample]
) -> tuple[float, list[Floats]]:
    """How far the answers are from what is right, the mean over the labelled examples.

    scores: logits [candidates + 1] of each example. Of a labelled one the cross-entropy in a
    softmax over its alternatives, of a rehearsed one the divergence from its answer before. Returns
    it with its gradients by the scores.
    """
    labelled = max(1, sum(one.right is not None for one in examples))
    loss = 0.0
    gradients: list[Floats] = []
    for one, example in zip(scores, examples, strict=True):
        given = softmax(one)
        if example.right is None:
            wanted = softmax(example.logits)
            value = float((wanted * np.log((wanted + TINY) / (given + TINY))).sum())
        else:
            whole = float(given[example.right].sum()) + TINY
            wanted = np.where(example.right, given / whole, 0)
            value = -float(np.log(whole))
        weight = example.weight / labelled
        loss += weight * value
        gradients.append((weight * (given - wanted)).astype(np.float32))
    return loss, gradients
