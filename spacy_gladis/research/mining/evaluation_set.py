"""Construction of evaluation sets for acronym disambiguation (GLADIS, section 3.2).

The sets are made from data sets for entity linking, WikilinksNED and MedMentions, and from SciAD.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...concepts import Concept, ConceptMention
from ...concepts.readers.tabbed import read_mrconso
from ...documents.lines import read_lines
from ...errors import InputError, check_names
from ...problem import Problem, Report, log_problem
from ...text.spelling import merge_key
from ..datasets.disambiguation import read_disambiguation
from ..datasets.entity_types import EntityTypes
from ..datasets.linked_phrases import read_articles, to_sample
from ..datasets.sample import Sample
from .readers import Piece, read_entities


def read_wikilinks(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Read the phrases of WikilinksNED that are linked to pages of Wikipedia.

    Args:
        path: Path of a JSON Lines file. Each record has the token lists `left_context`,
            `mention_as_list` and `right_context`, and the title of the page, `y_title`.
        report: Function that is called with each invalid record. Such records are skipped.

    Yields:
        The mentions. Their text is the tokens joined by spaces, and their concept is the title of
        the page.
    """
    for number, line in read_lines(path, report):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
            left, mention, right = (
                " ".join(record[part])
                for part in ("left_context", "mention_as_list", "right_context")
            )
            title = record["y_title"].replace("_", " ")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            report(Problem("no linked mention", str(path), number, repr(error)))
            continue
        left = left + " " if left else ""
        text = f"{left}{mention} {right}".rstrip()
        name = f"{path.name.split('.')[0]}:{number}"
        yield ConceptMention(mention, (title,), text, len(left), name)


TYPE = "Biomedical Concept"
PREFIX = "UMLS:"

_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z0-9(\[\"])")


def read_medmentions(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Read the phrases of MedMentions that are linked to concepts of UMLS.

    Args:
        path: Path of the corpus in the format of PubTator.
        report: Function that is called with each line that can't be read, and with each annotation
            whose phrase is not at its offsets. Both are skipped.

    Yields:
        The mentions. Their text is the sentence that contains the phrase, and their concept is an
        id of UMLS (CUI).
    """
    for article in read_articles(path, report):
        text = "\n".join(article.lines)  # a sentence cannot span title and abstract
        for annotation in article.annotations:
            if annotation.start < 0:
                continue
            low, high = sentence(text, annotation.start, annotation.start + len(annotation.phrase))
            concepts = (annotation.ids.removeprefix(PREFIX),)
            context = text[low:high], annotation.start - low
            yield ConceptMention(annotation.phrase, concepts, *context, article.id, TYPE)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Find the sentence that contains a phrase.

    A sentence never extends over the end of a line. If the phrase itself extends over several
    sentences, all of them are returned as one.

    Args:
        text: Text that contains the phrase.
        start: Character offset at which the phrase starts.
        end: Character offset at which the phrase ends (exclusive).

    Returns:
        The character offsets at which the sentence starts and ends (exclusive).
    """
    low = text.rfind("\n", 0, start) + 1
    for match in _SENTENCE_END.finditer(text, low, start):
        low = match.end()
    high = text.find("\n", end)
    high = high if high >= 0 else len(text)
    match_behind = _SENTENCE_END.search(text, max(low, end - 1), high)
    return low, match_behind.start() + 1 if match_behind else high


Candidates = Callable[[str], list[str]]
"""Function that returns a dictionary's long forms of an acronym, the most frequent first."""


class Completed(NamedTuple):
    """Samples that match a dictionary, and the pairs that must be added to the dictionary.

    Attributes:
        samples: Samples whose long forms are spelled as in the dictionary.
        missing: Pairs of an acronym and a long form that samples have but the dictionary does not.
            They are to be added with the count 1.
    """

    samples: list[Sample]
    missing: list[tuple[str, str]]


def linked_samples(
    read: Callable[[Report], Iterator[ConceptMention]],
    concepts: Iterable[Concept],
    domain: str,
    report: Report = log_problem,
) -> Iterator[Sample]:
    """Create disambiguation samples from phrases that are linked to concepts.

    In each sample, an acronym of the concept replaces the phrase, which becomes the label.

    Args:
        read: Function that reads the mentions. It is passed a function to call with each invalid
            record. It is called twice: first to collect the ids of the concepts, so that only these
            are kept in memory.
        concepts: All concepts of the vocabulary, such as UMLS or Wikidata. They are read once.
        domain: Domain of the samples, such as the name of the data set.
        report: Function that is called with each invalid record.

    Yields:
        A sample for each mention whose concept has an acronym of the phrase among its names.
    """
    wanted = {id for mention in read(lambda problem: None) for id in mention.concepts}
    concepts_by_id: dict[str, Concept] = {}
    types = EntityTypes()
    for concept in concepts:
        types.add(concept)
        for id in {concept.id, *concept.alternates} & wanted:
            concepts_by_id.setdefault(id, concept)
    for mention in read(report):
        concept_of_mention = concepts_by_id.get(mention.concepts[0])
        if concept_of_mention:
            typed_concept = concept_of_mention._replace(
                domain=types.find(concept_of_mention.parents)
            )
            if sample := to_sample(mention, typed_concept, domain):
                yield sample


def complete(samples: Iterable[Sample], candidates: Candidates) -> Completed:
    """Match samples with a dictionary, so that their long forms are spelled in the same way.

    Long forms are spelling variants if they have the same merge key. Repeated samples, with the
    same acronym, long form and text, are removed.

    Args:
        samples: Samples with long forms in any spelling.
        candidates: Function that takes an acronym and returns the dictionary's long forms of it,
            the most frequent one first.

    Returns:
        The samples with the spellings of the dictionary, and the pairs of acronym and long form
        that the dictionary lacks.
    """
    spellings: dict[str, dict[str, str]] = {}
    missing: list[tuple[str, str]] = []
    completed: dict[tuple[str, str, str], Sample] = {}
    for sample in samples:
        spelling_by_key = spellings.get(sample.acronym)
        if spelling_by_key is None:
            forms = candidates(sample.acronym)
            spelling_by_key = {
                merge_key(form): form for form in reversed(forms)
            }  # the most frequent stays
            spellings[sample.acronym] = spelling_by_key
        key = merge_key(sample.long_form)
        if key not in spelling_by_key:
            spelling_by_key[key] = sample.long_form
            missing.append((sample.acronym, sample.long_form))
        sample = sample._replace(long_form=spelling_by_key[key])
        completed.setdefault((sample.acronym, sample.long_form, sample.text), sample)
    return Completed(list(completed.values()), missing)


def set_statistics(samples: Iterable[Sample], candidates: Candidates) -> dict[str, Any]:
    """Compute the figures that describe an evaluation set in Table 3 of the GLADIS paper.

    Of equally frequent long forms, only the first in the dictionary's order counts as the most
    frequent one. A sample with another of them is overshadowed. The paper does not say how it
    treats such ties.

    Args:
        samples: Samples of the set.
        candidates: Function that takes an acronym and returns its long forms, the most frequent one
            first.

    Returns:
        A mapping with the number of `samples`, the number of `unique_short_forms` (acronyms), the
        average number of `candidates_per_short_form`, the `overshadowed_ratio` (the share of
        samples whose long form is not the most frequent one of its acronym), and the number of
        samples of each entity type (`types`).
    """
    total, overshadowed = 0, 0
    forms_by_acronym: dict[str, list[str]] = {}
    types: Counter[str] = Counter()
    for sample in samples:
        forms = forms_by_acronym.setdefault(sample.acronym, []) or candidates(sample.acronym)
        forms_by_acronym[sample.acronym] = forms
        total += 1
        overshadowed += forms[:1] != [sample.long_form]
        types[sample.kind] += 1
    return {
        "samples": total,
        "unique_short_forms": len(forms_by_acronym),
        "candidates_per_short_form": sum(map(len, forms_by_acronym.values()))
        / max(1, len(forms_by_acronym)),
        "overshadowed_ratio": overshadowed / max(1, total),
        "types": dict(types.most_common()),
    }


Linked = Callable[[Path, Report], Iterator[ConceptMention]]
Reference = Callable[[Piece, Report], Iterator[Concept]]

# By source: the samples' domain, the readers of mentions and reference, and the reference's name.
LINKED: dict[str, tuple[str, Linked, Reference, str]] = {
    "wikilinks": (
        "WikilinksNED",
        read_wikilinks,
        read_entities,
        "a Wikidata dump (.json.gz or .json.bz2)",
    ),
    "medmentions": (
        "MedMentions",
        read_medmentions,
        lambda piece, report: read_mrconso(piece.path, report),
        "UMLS names (MRCONSO.RRF)",
    ),
}
SOURCES = (*LINKED, "sciad")


def source_samples(
    source: str,
    paths: list[Path],
    reference: Path | None = None,
    report: Report = log_problem,
) -> Iterator[Sample]:
    """Create samples from a published data set, before they are matched with a dictionary.

    Args:
        source: Name of the data set: ``"wikilinks"``, ``"medmentions"`` or ``"sciad"``.
        paths: Files of the data set.
        reference: File with the names of the concepts: a Wikidata dump for WikilinksNED, or
            MRCONSO.RRF for MedMentions. Not used for SciAD, whose files have long forms.
        report: Function that is called with each invalid record. Such records are skipped.

    Returns:
        An iterator over the samples.

    Raises:
        InputError: If the data set is unknown, a file does not exist, or the data set needs a
            reference. The error is raised before any file is read.
    """
    check_names("source", [source], SOURCES)
    for path in (*paths, *filter(None, [reference])):
        if not path.is_file():
            raise InputError(f"The file {path} does not exist. Check its path.")
    if source not in LINKED:
        read_samples = chain.from_iterable(map(read_disambiguation, paths))
        return (
            sample._replace(domain="SciAD", kind="scientific concept") for sample in read_samples
        )
    domain, read, read_reference, wanted = LINKED[source]
    if reference is None:
        raise InputError(f"The source '{source}' needs a --reference. Choose {wanted}.")
    return linked_samples(
        lambda to: chain.from_iterable(read(path, to) for path in paths),
        read_reference(Piece.whole(reference), report),
        domain,
        report,
    )
