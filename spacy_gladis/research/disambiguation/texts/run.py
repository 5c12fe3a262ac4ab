"""The pipeline's answers to the gold mentions of labelled texts."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ....dictionary.learnt import LearntDefinitions
from ....documents.source import Source
from ....pipeline.annotations import DOCUMENT, mentions_of
from ....pipeline.learn import learn_definitions, linker_of
from ....pipeline.load import load_pipeline
from ....resolution import Resolution
from ....text import merge_key
from ...datasets.texts import GoldMention, LabelledText, read_texts
from ...metrics.equal_wordings import EqualWordings, read_equal_wordings
from .measure import Row, Same, count_reasons, measure


def annotate_together(nlp: Language, texts: Sequence[LabelledText]) -> Iterator[Doc]:
    """Each text by a linker that has learnt of all others of its repository, and of nothing else.

    Other than in use, a text's own definitions are left out of what it is given as the others'.
    """
    linker = linker_of(nlp)
    found = [learn_definitions(nlp, [Source(text.name, text.text)]) for text in texts]
    together: defaultdict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        together[text.repository].append(number)
    for numbers in together.values():
        undefined = {acronym: None for number in numbers for acronym in found[number].undefined}
        for number in numbers:
            found[number].add_phrases(texts[number].text, undefined, texts[number].name)
    for number, text in enumerate(texts):
        linker.learnt = LearntDefinitions()
        for other in together[text.repository] if text.repository else ():
            if other != number:
                linker.learnt.update(found[other])
        doc = nlp.make_doc(text.text)
        doc.user_data[DOCUMENT] = text.name
        yield nlp(doc)
    linker.learnt = LearntDefinitions()


ALL_CANDIDATES = 1_000_000
"""A `top_k` that keeps every candidate."""

BATCH = 32
"""Texts that go through the pipeline together, and between two reports of progress."""

Progress = Callable[[int, int], None]
Found = list[tuple[int, int, Resolution]]


def evaluate(
    path: Path,
    *,
    model: Path | None = None,
    dictionary: Path | None = None,
    threshold: float | None = None,
    cache: Path | None = None,
    together: bool = False,
    progress: Progress = lambda done, total: None,
) -> tuple[dict[str, Any], list[Row]]:
    """The figures of a file of texts, and the rows that they count.

    model, dictionary, threshold: as `load_pipeline` has them. cache: a folder that keeps the
    vectors of long forms for the next run. together: each text of a repository with the definitions
    of the others. progress: told how many texts of how many are done.
    Raises InputError and FormatError where a file cannot be used.
    """
    texts = read_texts(path)
    nlp = load_pipeline(model, dictionary=dictionary, threshold=threshold, top_k=ALL_CANDIDATES)
    if cache is not None:
        linker_of(nlp).configure(cache=str(cache))
        linker_of(nlp).open()
    started = time.perf_counter()
    rows, elsewhere = answer_texts(nlp, texts, progress, together)
    seconds = time.perf_counter() - started
    results = {
        "data": str(path),
        "texts": len(texts),
        "mentions": len(rows),
        "characters": sum(len(one.text) for one in texts),
        "dictionary": linker_of(nlp).dictionary.fingerprint,
        "threshold": linker_of(nlp).cfg["threshold"],
        "together": together,
        "seconds": round(seconds, 1),
        "mentions_per_second": round(len(rows) / seconds, 1),
        "answers_elsewhere": elsewhere,
    }
    # Undefined mentions are the test; what a text spells out itself is a report of its own.
    for name, defined in (("undefined", False), ("defined", True)):
        if chosen := [row for row in rows if row.mention.defined == defined]:
            results[name] = {
                rule: {"reasons": count_reasons(chosen, same), **measure(chosen, same)}
                for rule, same in equalities().items()
            }
    return results, rows


def equalities() -> dict[str, Same]:
    """When two long forms are the same: equal merge keys; or the same sense in other words."""
    return {
        "exact": EqualWordings(merge_key, ()),
        "by sense": EqualWordings(merge_key, read_equal_wordings()),
    }


def answer_texts(
    nlp: Language,
    texts: Sequence[LabelledText],
    progress: Progress = lambda done, total: None,
    together: bool = False,
) -> tuple[list[Row], int]:
    """Every gold mention with what a pipeline says of it, and the answers given elsewhere.

    nlp: finds and resolves acronyms; a row has the linker's first `top_k` candidates with their
    probabilities (ALL_CANDIDATES: all), best first, whether one was answered or not. together:
    texts of a repository explain one another. The second value is the number of answers on spans
    that overlap no gold mention.
    """
    linker = linker_of(nlp)
    rows: list[Row] = []
    elsewhere = 0
    alone = nlp.pipe((one.text for one in texts), batch_size=BATCH)
    docs = annotate_together(nlp, texts) if together else alone
    for number, (text, doc) in enumerate(zip(texts, docs, strict=True), 1):
        found = mentions_of(doc)
        for gold in text.mentions:
            known = tuple(one.long_form for one in linker.dictionary.lookup(gold.acronym))
            rows.append(
                Row(text.name, text.field, text.repository, gold, _answer(gold, found), known)
            )
        elsewhere += sum(
            answer.long_form is not None
            and not any(start < gold.end and gold.start < end for gold in text.mentions)
            for start, end, answer in found
        )
        progress(number, len(texts))
    return rows, elsewhere


def _answer(gold: GoldMention, found: Found) -> Resolution | None:
    """What is said of the span that overlaps a gold mention, the nearest where several do."""
    near = [
        (abs(start - gold.start) + abs(end - gold.end), place)
        for place, (start, end, _) in enumerate(found)
        if start < gold.end and gold.start < end
    ]
    return found[min(near)[1]][2] if near else None
