"""Scorers of the components, for `nlp.evaluate` and `spacy train`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example

from ..resolution import NIL
from ..text import Offsets, merge_key
from ..text.mention import outermost
from .annotations import ACRONYM_LABEL, LONG_FORM_LABEL, Findings, place_of, span_at

Scorer = Callable[..., dict[str, Any]]


def make_acronym_detector_scorer() -> Scorer:
    """Create the scorer of `acronym_detector`, for an entry in a pipeline's config.

    Returns:
        The function `score_acronyms`.
    """
    return score_acronyms


def make_acrobert_linker_scorer() -> Scorer:
    """Create the scorer of `acrobert_linker`, for an entry in a pipeline's config.

    Returns:
        The function `score_links`.
    """
    return score_links


def make_concept_linker_scorer() -> Scorer:
    """Create the scorer of `concept_linker`, for an entry in a pipeline's config.

    Returns:
        The function `score_concepts`.
    """
    return score_concepts


def score_acronyms(
    examples: Iterable[Example], *, spans_key: str, long_forms_key: str, **_: Any
) -> dict[str, Any]:
    """Score the acronyms and long forms that a detector found, by exact span, as in SDU@AAAI-21.

    The scores are named like spaCy's own scores of spans, so that `spacy evaluate --spans-key
    acronyms` prints them. `spans_acronyms_per_type` also contains the scores of the long forms.

    Args:
        examples: Pairs of a predicted and a reference document. Examples whose reference has
            neither of the two groups of spans are ignored. Predicted parts of compounds that the
            reference doesn't mark are ignored too.
        spans_key: Key of the acronyms in `doc.spans`.
        long_forms_key: Key of the long forms in `doc.spans`.

    Returns:
        Precision, recall and F1 of acronyms and of long forms (such as `spans_acronyms_p`), and the
        macro F1 of both (`identification_f`). All values are None if there are no usable examples.
    """
    # Slow to import, and spaCy imports this module at every start.
    from ..metrics.identification import score_spans

    keys = (spans_key, long_forms_key)
    labelled = [
        example for example in examples if any(key in example.reference.spans for key in keys)
    ]
    per_type = f"spans_{spans_key}_per_type"
    names = [f"spans_{key}_{metric}" for key in keys for metric in "prf"]
    if not labelled:
        return dict.fromkeys([*names, "identification_f", per_type])
    gold = [_places((example.reference for example in labelled), key) for key in keys]
    predicted = [_places((example.predicted for example in labelled), key) for key in keys]
    predicted[0] = _without_parts(predicted[0], gold[0])
    scores = score_spans(gold, predicted)
    return {
        **dict(zip(names, (*scores.short, *scores.long), strict=True)),
        "identification_f": scores.macro.f1,
        per_type: {
            label: dict(zip("prf", values, strict=True))
            for label, values in ((ACRONYM_LABEL, scores.short), (LONG_FORM_LABEL, scores.long))
        },
    }


def score_links(examples: Iterable[Example], *, spans_key: str, **_: Any) -> dict[str, Any]:
    """Score the long forms that a linker chose for the acronyms of reference documents.

    A chosen long form is correct if it equals the reference after stemming. A missing answer counts
    as wrong. If the reference is NIL, only NIL is correct. Acronyms without a meaning in the
    reference are ignored.

    Args:
        examples: Pairs of a predicted and a reference document.
        spans_key: Key of the acronyms in `doc.spans`.

    Returns:
        Accuracy (`acronym_accuracy`), and macro F1 as GLADIS defines it (`acronym_macro_f1`). Both
        are None if the reference documents have no resolved acronyms.
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
    """Score the concepts that a linker chose for the phrases of reference documents, by their ids.

    A missing answer counts as wrong. If the reference is NIL, only NIL is correct. Phrases without
    a concept in the reference are ignored.

    Args:
        examples: Pairs of a predicted and a reference document.
        spans_key: Key of the phrases in `doc.spans`.

    Returns:
        Accuracy (`concept_accuracy`), and the share of phrases whose concept is among the linker's
        candidates (`concept_recall`). Phrases labelled NIL don't count for the recall. A score is
        None if there are no phrases to count.
    """
    correct = linked = 0
    recalled: list[bool] = []
    for example in examples:
        group = example.predicted.spans.get(spans_key)
        answers = {} if group is None else Findings.of(group).links
        for span in example.reference.spans.get(spans_key, ()):
            if not span.kb_id_:
                continue
            link = answers.get(place_of(span))
            linked += 1
            correct += link is not None and link.kb_id == span.kb_id_
            if span.kb_id_ != NIL:
                candidates = () if link is None else link.candidates
                recalled.append(span.kb_id_ in [candidate.concept for candidate in candidates])
    return {
        "concept_accuracy": correct / linked if linked else None,
        "concept_recall": sum(recalled) / len(recalled) if recalled else None,
    }


def with_gold_spans(example: Example, key: str) -> Example:
    """Return an example whose predicted document has the reference's spans, without their answers.

    A linker can then be scored on all reference spans, whatever spans the earlier components found.

    Args:
        example: A predicted and a reference document. They aren't changed.
        key: Key of the spans in `doc.spans`.

    Returns:
        The new example, with a copy of the predicted document.
    """
    doc = example.predicted.copy()
    gold = example.reference.spans.get(key, ())
    spans = [span_at(doc, place_of(span), span.label_) for span in gold]
    doc.spans[key] = [span for span in spans if span is not None]
    return Example(doc, example.reference)


def _places(docs: Iterable[Doc], key: str) -> set[tuple[int, int, int]]:
    return {
        (number, *place_of(span))
        for number, doc in enumerate(docs)
        for span in doc.spans.get(key, ())
    }


def _without_parts(
    predicted: set[tuple[int, int, int]], gold: set[tuple[int, int, int]]
) -> set[tuple[int, int, int]]:
    """Remove the parts of compounds that the reference doesn't mark, such as SHA in SHA256."""
    by_document: defaultdict[int, list[Offsets]] = defaultdict(list)
    for number, start, end in predicted:
        by_document[number].append((start, end))
    whole = {(number, *span) for number, spans in by_document.items() for span in outermost(spans)}
    return whole | (predicted & gold)


def _links(doc: Doc, key: str) -> Iterator[tuple[Offsets, str]]:
    for span in doc.spans.get(key, ()):
        if span.kb_id_:
            meaning = NIL if span.kb_id_ == NIL else merge_key(span.kb_id_)
            yield place_of(span), meaning
