"""Training examples for fine-tuning a linker on labelled mentions, and the loss to minimize."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats
from ..dictionary.folder_definitions import NO_EVIDENCE, FolderEvidence
from ..text import Mention, merge_key
from ..text.spelling import group_spellings
from .calibration import softmax
from .candidates import Question
from .features import CENTROID, COSINE, Evidence
from .linker import Linker
from .ranking import mix_votes, raise_entries, vote
from .sense_vectors import sense_key

REHEARSED = 8
"""Maximum number of senses of an acronym that are rehearsed during training (see `rehearse`). These
are its first candidates that have a centroid, and candidates are sorted by frequency."""

TINY = 1e-12
"""Small value that is added to probabilities before their logarithm is computed, because a
probability may be 0."""


class TrainingExample(NamedTuple):
    """A mention of an acronym with everything that is needed to train on it.

    Training keeps `logits` constant and learns what to add to them.

    Attributes:
        senses: Hash of each candidate's long form (see `sense_key`).
        query: Vector of the mention's context, float32 [width].
        logits: Logits without fine-tuning, float32 [candidates + 1]. The last value belongs to NIL,
            the answer that no candidate is right.
        right: Whether each candidate, and NIL in the last place, is right, [candidates + 1]. None
            if training should keep the model's current prediction for this example.
        weight: Factor by which the example's loss is multiplied.
    """

    senses: tuple[int, ...]
    query: Floats
    logits: Floats
    right: Flags | None
    weight: float = 1.0

    @property
    def right_senses(self) -> list[int]:
        """Hashes of the right candidates. Empty if NIL is right or the example has no label."""
        right = () if self.right is None else self.right
        return [key for key, is_right in zip(self.senses, right, strict=False) if is_right]


def make_training_examples(
    linker: Linker,
    mentions: Sequence[Mention],
    meant: Sequence[str | None],
    folder_evidence: FolderEvidence = NO_EVIDENCE,
    *,
    passed_over: set[tuple[str, str]] | None = None,
) -> list[TrainingExample]:
    """Make training examples for a linker from mentions that are labelled with their long forms.

    The features of the candidates are computed as in `Linker.resolve`. Each acronym with a labelled
    mention also gets examples that preserve the predictions for its other senses (see `rehearse`).

    Args:
        linker: The linker to train, whose model supplies the current predictions.
        mentions: All mentions of each document, with or without a label, because the acronyms of a
            document help to resolve each other.
        meant: Label of each mention, in the order of `mentions`: its long form in any spelling, an
            empty string if none of the candidates is right, or None if there is no label.
        folder_evidence: Definitions and undefined acronyms from other documents in the folder.
        passed_over: A set to which unusable labels are added, as pairs of an acronym and a long
            form. A label is unusable if its long form is not a candidate. None to skip such labels
            silently.

    Returns:
        The examples for all mentions with a usable label, and the examples that preserve other
        senses. Empty if no label is usable.
    """
    questions = linker.questions(mentions, folder_evidence)
    labels = [
        [label_alternatives(question, meant[number]) for number in question.mentions]
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
    evidence = linker.reader.gather(questions, mentions, folder_evidence)
    model = linker.model
    scores = [
        [model.score_features(item.question, table) for table in item.tables] for item in evidence
    ]
    votes = vote(evidence, scores, model)
    for item, rows, voted in zip(evidence, labels, votes, strict=True):
        candidates = item.question.candidates
        senses = tuple(sense_key(candidate.long_form) for candidate in candidates)
        nil = model.score_nil(item.question)
        mean: Floats = np.mean(item.queries, axis=0)
        queries = mix_votes(list(item.queries), mean, len(rows))
        for number, right in enumerate(rows):
            if right is not None:
                logits = voted[min(number, len(voted) - 1)]
                query = queries[min(number, len(queries) - 1)]
                raised = np.append(*raise_entries(item.question, logits, nil))
                alternatives = raised.astype(np.float32)
                examples.append(TrainingExample(senses, query, alternatives, right))
        if labelled := sum(right is not None for right in rows):
            examples += rehearse(linker, item, senses, labelled)
    return examples


def rehearse(
    linker: Linker, evidence: Evidence, senses: tuple[int, ...], weight: float
) -> list[TrainingExample]:
    """Make examples that preserve a model's predictions for an acronym's other senses.

    Without these examples, an acronym whose labels all have the same sense would get this sense
    everywhere after training. Each example uses the centroid of a sense as its context. Its target
    is the prediction before training.

    Args:
        linker: The linker to train, whose model supplies the current predictions.
        evidence: Features of the acronym's candidates.
        senses: Hash of each candidate's long form (see `sense_key`).
        weight: Total weight of the examples in the loss. It is divided equally among them.

    Returns:
        Up to `REHEARSED` examples, one for each sense. Empty if no candidate has a centroid.
    """
    model, question = linker.model, evidence.question
    names = [candidate.long_form for candidate in question.candidates]
    rows = model.centroids.find_rows(names)
    rows = rows[rows >= 0][:REHEARSED]
    if not len(rows):
        return []
    centroids = model.centroids.decode(rows)
    queries = centroids / np.maximum(np.linalg.norm(centroids, axis=1, keepdims=True), 1e-6)
    tables = [evidence.tables[0].copy() for _ in queries]
    for table, centroid in zip(tables, centroids, strict=True):
        table[:, COSINE] = 0  # `compare` selects candidates by all other evidence
        table[:, CENTROID] = model.centroids.compare(names, centroid, model.scale)[0]
    candidates = [question.candidates] * len(queries)
    linker.reader.compare(queries, candidates, tables, model.settings.calibration)
    nil = np.float32(model.score_nil(question))
    each = weight / len(queries)
    return [
        TrainingExample(
            senses, query, np.append(model.score_features(question, table), nil), None, each
        )
        for table, query in zip(tables, queries, strict=True)
    ]


def label_alternatives(question: Question, meant: str | None) -> Flags | None:
    """Mark each candidate of an acronym, and the answer NIL, as right or wrong.

    All candidates that are spellings of the right meaning count as right, because linking adds up
    their probabilities. If the label is "computed tomography", the candidate "computed tomographic"
    is right too.

    Args:
        question: The acronym to resolve, with its mentions and its candidates.
        meant: The right long form in any spelling, an empty string if no candidate is right, or
            None if there is no label.

    Returns:
        True for each right answer, [candidates + 1], where the last value belongs to NIL. None if
        there is no label, there are no candidates, or the long form is not a candidate.
    """
    if meant is None or not question.candidates:
        return None
    right = np.zeros(len(question.candidates) + 1, bool)
    if not meant:
        right[-1] = True
        return right
    names = tuple(candidate.long_form for candidate in question.candidates)
    key = merge_key(meant)
    is_same = [merge_key(name) == key for name in names]
    if not any(is_same):
        return None
    groups = group_spellings(names)
    right_groups = {group for group, same in zip(groups, is_same, strict=True) if same}
    right[:-1] = [group in right_groups for group in groups]
    return right


def cross_entropy(
    scores: Sequence[Floats], examples: Sequence[TrainingExample]
) -> tuple[float, list[Floats]]:
    """Compute the loss of a model's predictions for training examples, and its gradients.

    The loss of a labelled example is the cross-entropy of its right answers. The loss of an example
    without a label is the Kullback-Leibler divergence from its prediction before training.

    Args:
        scores: For each example, the predicted logits of its candidates and, in the last place, of
            NIL, [candidates + 1].
        examples: The training examples, in the order of `scores`.

    Returns:
        The loss and its gradients. The loss is the weighted sum over all examples, divided by the
        number of labelled examples. There is one gradient for each array in `scores`, float32
        [candidates + 1].
    """
    labelled = max(1, sum(example.right is not None for example in examples))
    loss = 0.0
    gradients: list[Floats] = []
    for logits, example in zip(scores, examples, strict=True):
        predicted = softmax(logits)
        if example.right is None:
            target = softmax(example.logits)
            value = float((target * np.log((target + TINY) / (predicted + TINY))).sum())
        else:
            total = float(predicted[example.right].sum()) + TINY
            target = np.where(example.right, predicted / total, 0)
            value = -float(np.log(total))
        weight = example.weight / labelled
        loss += weight * value
        gradients.append((weight * (predicted - target)).astype(np.float32))
    return loss, gradients
