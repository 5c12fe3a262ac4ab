"""What labelled mentions ask of the model as it is served, and the loss of its answers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats
from ..dictionary.learnt import NOTHING, Elsewhere
from ..dictionary.same_key import group_spellings
from ..text import Mention, merge_key
from .answers import own_entries_first
from .calibration import softmax
from .disambiguator import Disambiguator
from .evidence import CENTROID, COSINE, AcronymInDocument
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
    disambiguator: Disambiguator,
    mentions: Sequence[Mention],
    meant: Sequence[str | None],
    elsewhere: Elsewhere = NOTHING,
    *,
    passed_over: set[tuple[str, str]] | None = None,
) -> list[TrainingExample]:
    """The examples of the mentions that something can be learnt from, weighed as in `resolve`.

    mentions: all of each document, since they inform one another. meant: the long form of each, in
    any spelling; an empty string where it is known to be none of the candidates, None where it is
    not known. A long form that is not a candidate is passed over, and goes to `passed_over` with
    its acronym. elsewhere: what other documents say.
    """
    groups = disambiguator.group(mentions, elsewhere)
    found = [
        [right_alternatives(group, meant[index]) for index in group.indices] for group in groups
    ]
    if passed_over is not None:
        passed_over |= {
            (mentions[index].acronym, long_form)
            for group, rows in zip(groups, found, strict=True)
            for index, right in zip(group.indices, rows, strict=True)
            if right is None and (long_form := meant[index])
        }
    if not any(right is not None for rows in found for right in rows):
        return []
    disambiguator.read(mentions, groups, elsewhere)
    examples = []
    for group, rows in zip(groups, found, strict=True):
        senses = tuple(sense_key(candidate.long_form) for candidate in group.candidates)
        calibration = disambiguator.model.settings.weights(group.alone)
        evidence = [calibration.logits(table) for table in group.features]
        number = len(group.indices)
        voted = zip(
            rows,
            disambiguator.vote(evidence, number),
            disambiguator.vote(list(group.queries), number),
            strict=True,
        )
        nil = calibration.nil_logit(group.surroundings)
        for right, logits, query in voted:
            if right is not None:
                whole = np.append(*own_entries_first(group, logits, nil, calibration))
                examples.append(TrainingExample(senses, query, whole.astype(np.float32), right))
        if any(right is not None for right in rows):
            labelled = sum(right is not None for right in rows)
            examples += rehearse(disambiguator, group, senses, labelled)
    return examples


def rehearse(
    disambiguator: Disambiguator, group: AcronymInDocument, senses: tuple[int, ...], weight: float
) -> list[TrainingExample]:
    """Examples that hold what an acronym meant before: its senses' centroids asked as contexts.

    Without them, an acronym taught in one sense alone would have that sense everywhere. weight: of
    all of them together.
    """
    model = disambiguator.model
    names = [candidate.long_form for candidate in group.candidates]
    rows = model.centroids.rows(names)
    known = rows[rows >= 0][:REHEARSED]
    if not len(known):
        return []
    centroids = model.centroids.vectors(known)
    queries = centroids / np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), 1e-6)
    tables = [group.features[0].copy() for _ in queries]
    for table, centroid in zip(tables, centroids, strict=True):
        table[:, COSINE] = 0  # `compare` chooses by all other evidence
        table[:, CENTROID] = model.centroids.compare(names, centroid, model.scale)[0]
    asked = [group.candidates] * len(queries)
    disambiguator.evidence.compare(queries, asked, tables, model.settings.calibration)
    calibration = model.settings.weights(group.alone)
    nil = np.float32(calibration.nil_logit(group.surroundings))
    each = weight / len(queries)
    return [
        TrainingExample(senses, query, np.append(calibration.logits(table), nil), None, each)
        for table, query in zip(tables, queries, strict=True)
    ]


def right_alternatives(group: AcronymInDocument, meant: str | None) -> Flags | None:
    """Which alternatives, NIL last, are right where `meant` is; None where nothing is to be learnt.

    All spellings of one meaning are right, since `resolve` adds up their probabilities.
    """
    if meant is None or not group.candidates:
        return None
    right = np.zeros(len(group.candidates) + 1, bool)
    if not meant:
        right[-1] = True
        return right
    names = tuple(candidate.long_form for candidate in group.candidates)
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
