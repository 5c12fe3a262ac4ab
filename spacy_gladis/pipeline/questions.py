"""What the linker learns from: mentions whose long form is known, among their candidates."""

from collections.abc import Iterable
from typing import NamedTuple

from spacy.training import Example
from thinc.api import Ops
from thinc.types import Floats1d

from ..dictionary import Dictionary
from ..rules import Mention, merge_key
from .annotations import mention_offsets
from .resolution import NIL

MOST_CANDIDATES = 16
"""The right long form stands against at most so many others, the most frequent ones."""


class Question(NamedTuple):
    """Which of these long forms does the mention stand for?"""

    mention: Mention
    long_forms: tuple[str, ...]


def ask(
    examples: Iterable[Example], spans_key: str, dictionary: Dictionary, domains: list[str] | None
) -> tuple[list[Question], list[int]]:
    """A question for each reference mention that can be learnt, and the index of its answer.

    That is each whose `kb_id_` is one of two or more long forms of its acronym, however spelt.
    """
    questions: list[Question] = []
    answers: list[int] = []
    for example in examples:
        group = example.reference.spans.get(spans_key)
        if not group:
            continue
        text = example.reference.text
        for span in group:
            if span.kb_id_ in ("", NIL):
                continue
            start, end = mention_offsets(group, span)
            names = [c.long_form for c in dictionary.lookup(text[start:end], domains)]
            keys = [merge_key(name) for name in names]
            wanted = merge_key(span.kb_id_)
            if wanted not in keys or len(names) < 2:
                continue
            answer = keys.index(wanted)
            if answer > MOST_CANDIDATES:
                names[MOST_CANDIDATES] = names[answer]
                answer = MOST_CANDIDATES
            long_forms = tuple(names[: MOST_CANDIDATES + 1])
            questions.append(Question(Mention(text, start, end), long_forms))
            answers.append(answer)
    return questions, answers


def cross_entropy(
    scores: list[Floats1d], answers: list[int], ops: Ops
) -> tuple[float, list[Floats1d]]:
    """The mean cross-entropy of the answers in a softmax over each question's scores.

    Returns it with its gradient by the scores, arrays of their shapes.
    """
    loss = 0.0
    gradients = []
    for one, answer in zip(scores, answers, strict=True):
        probabilities = ops.softmax(one, inplace=False)
        loss -= float(ops.xp.log(probabilities[answer] + 1e-12)) / len(answers)
        gradient = probabilities / len(answers)
        gradient[answer] -= 1 / len(answers)
        gradients.append(gradient)
    return loss, gradients
