"""How `nlp.evaluate` and `spacy train` score the two components."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.scorer import PRFScore
from spacy.tokens import Doc
from spacy.training import Example

from ..metrics.disambiguation import score_disambiguation
from ..rules import merge_key
from .resolution import NIL

Scorer = Callable[..., dict[str, Any]]


def make_acronym_detector_scorer() -> Scorer:
    """The scorer of `acronym_detector`, for a config."""
    return score_acronyms


def make_acrobert_linker_scorer() -> Scorer:
    """The scorer of `acrobert_linker`, for a config."""
    return score_links


def score_acronyms(
    examples: Iterable[Example], *, spans_key: str, long_forms_key: str, **_: Any
) -> dict[str, Any]:
    """Precision, recall and F1 of exact spans, for acronyms and for long forms.

    References without a group of the key are not scored for it; no such reference, no score.
    """
    examples = list(examples)
    scores: dict[str, Any] = {}
    for kind, key in (("acronym", spans_key), ("long_form", long_forms_key)):
        counts = PRFScore()
        for example in examples:
            if key in example.reference.spans:
                counts.score_set(_places(example.predicted, key), _places(example.reference, key))
        seen = counts.tp + counts.fp + counts.fn > 0
        values = (counts.precision, counts.recall, counts.fscore)
        for letter, value in zip("prf", values, strict=True):
            scores[f"{kind}_{letter}"] = value if seen else None
    return scores


def score_links(examples: Iterable[Example], *, spans_key: str, **_: Any) -> dict[str, Any]:
    """Accuracy and macro F1 (GLADIS) of the long forms, at the reference's resolved mentions.

    Long forms are equal when they are after stemming. A mention without an answer is wrong; NIL
    in the reference wants NIL.
    """
    gold: list[str] = []
    predicted: list[str | None] = []
    for example in examples:
        answers = dict(_links(example.predicted, spans_key))
        for offsets, long_form in _links(example.reference, spans_key):
            gold.append(long_form)
            predicted.append(answers.get(offsets))
    if not gold:
        return {"acronym_accuracy": None, "acronym_macro_f1": None}
    scores = score_disambiguation(gold, predicted)
    return {"acronym_accuracy": scores.accuracy, "acronym_macro_f1": scores.gladis_macro_f1}


def _places(doc: Doc, key: str) -> set[tuple[int, int]]:
    return {(span.start_char, span.end_char) for span in doc.spans.get(key, ())}


def _links(doc: Doc, key: str) -> Iterator[tuple[tuple[int, int], str]]:
    for span in doc.spans.get(key, ()):
        if span.kb_id_:
            meaning = NIL if span.kb_id_ == NIL else merge_key(span.kb_id_)
            yield (span.start_char, span.end_char), meaning
