"""How `nlp.evaluate` and `spacy train` score the components."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example

from ..resolution import NIL
from ..text import Offsets, merge_key
from .annotations import ACRONYM_LABEL, LONG_FORM_LABEL, Findings, place_of, span_at

Scorer = Callable[..., dict[str, Any]]


def make_acronym_detector_scorer() -> Scorer:
    """The scorer of `acronym_detector`, for a config."""
    return score_acronyms


def make_acrobert_linker_scorer() -> Scorer:
    """The scorer of `acrobert_linker`, for a config."""
    return score_links


def make_concept_linker_scorer() -> Scorer:
    """The scorer of `concept_linker`, for a config."""
    return score_concepts


def score_acronyms(
    examples: Iterable[Example], *, spans_key: str, long_forms_key: str, **_: Any
) -> dict[str, Any]:
    """Exact spans, as SDU-21 scores them: acronyms, long forms, and the macro F1 of both.

    The names are those of spaCy's scores of spans, so that `spacy evaluate --spans-key acronyms`
    prints them: `spans_acronyms_p`, `_r`, `_f`, `_per_type` with a row for the long forms, too.
    Examples whose reference has neither group of spans are left out; without any, no score.
    """
    from ..metrics.identification import score_spans  # here: spaCy imports this at every start

    keys = (spans_key, long_forms_key)
    known = [one for one in examples if any(key in one.reference.spans for key in keys)]
    per_type = f"spans_{spans_key}_per_type"
    names = [f"spans_{key}_{one}" for key in keys for one in "prf"]
    if not known:
        return dict.fromkeys([*names, "identification_f", per_type])
    gold = [_places((one.reference for one in known), key) for key in keys]
    predicted = [_places((one.predicted for one in known), key) for key in keys]
    scores = score_spans(gold, predicted)
    return {
        **dict(zip(names, (*scores.short, *scores.long), strict=True)),
        "identification_f": scores.macro.f1,
        per_type: {
            label: dict(zip("prf", one, strict=True))
            for label, one in ((ACRONYM_LABEL, scores.short), (LONG_FORM_LABEL, scores.long))
        },
    }


def score_links(examples: Iterable[Example], *, spans_key: str, **_: Any) -> dict[str, Any]:
    """Accuracy and macro F1 (GLADIS) of the long forms, at the reference's resolved mentions.

    Long forms are equal when they are after stemming. A mention without an answer is wrong; NIL
    in the reference wants NIL.
    """
    from ..metrics.disambiguation import score_disambiguation

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


def score_concepts(examples: Iterable[Example], *, spans_key: str, **_: Any) -> dict[str, Any]:
    """Accuracy at the reference's linked phrases, and how many have their concept among the
    candidates (recall); ids are compared as they are written.

    A phrase without an answer is wrong; NIL in the reference wants NIL, and counts in no recall.
    """
    right = linked = 0
    among: list[bool] = []
    for example in examples:
        group = example.predicted.spans.get(spans_key)
        answers = {} if group is None else Findings.of(group).links
        for span in example.reference.spans.get(spans_key, ()):
            if not span.kb_id_:
                continue
            link = answers.get(place_of(span))
            linked += 1
            right += link is not None and link.kb_id == span.kb_id_
            if span.kb_id_ != NIL:
                offered = () if link is None else link.candidates
                among.append(span.kb_id_ in [one.concept for one in offered])
    return {
        "concept_accuracy": right / linked if linked else None,
        "concept_recall": sum(among) / len(among) if among else None,
    }


def with_gold_spans(example: Example, key: str) -> Example:
    """The example with the reference's mentions, unresolved, in a copy of the predicted document.

    So that a linker is scored on all of them, whatever the pipeline before it found.
    """
    doc = example.predicted.copy()
    gold = example.reference.spans.get(key, ())
    spans = [span_at(doc, place_of(one), one.label_) for one in gold]
    doc.spans[key] = [span for span in spans if span is not None]
    return Example(doc, example.reference)


def _places(docs: Iterable[Doc], key: str) -> set[tuple[int, int, int]]:
    return {
        (number, *place_of(span))
        for number, doc in enumerate(docs)
        for span in doc.spans.get(key, ())
    }


def _links(doc: Doc, key: str) -> Iterator[tuple[Offsets, str]]:
    for span in doc.spans.get(key, ()):
        if span.kb_id_:
            meaning = NIL if span.kb_id_ == NIL else merge_key(span.kb_id_)
            yield place_of(span), meaning
