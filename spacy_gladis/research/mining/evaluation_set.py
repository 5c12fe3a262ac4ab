"""Build evaluation sets from WikilinksNED, MedMentions and SciAD (GLADIS, section 3.2)."""

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
    """Read linked mentions from WikilinksNED, in which a concept is the title of a Wikipedia page.

    A record has the token lists `left_context`, `mention_as_list` and `right_context`, and the
    title `y_title`. Tokens are joined by blanks.

    Args:
        path: Path of a file of JSON lines.
        report: Called with each invalid record.

    Yields:
        The mentions.
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
    """Read the mentions of MedMentions with their sentences. A concept is a UMLS id (CUI).

    Args:
        path: Path of a PubTator file.
        report: Called with each bad record. Mentions that do not match the text are skipped.

    Yields:
        The mentions.
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
    """Return the offsets of the sentences that contain `text[start:end]`, within one line.

    Args:
        text: The text.
        start: Start offset of the mention, in characters.
        end: End offset, exclusive.
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
    """Samples whose long forms have the dictionary's spelling, and the pairs that it lacks.

    Attributes:
        samples: The samples.
        missing: `(acronym, long form)` pairs that are missing in the dictionary, to be added with
            count 1.
    """

    samples: list[Sample]
    missing: list[tuple[str, str]]


def linked_samples(
    read: Callable[[Report], Iterator[ConceptMention]],
    concepts: Iterable[Concept],
    domain: str,
    report: Report = log_problem,
) -> Iterator[Sample]:
    """Create samples from linked mentions whose concepts have an acronym.

    Args:
        read: Function that returns the mentions. It is called twice. The first call collects the
            ids of the concepts, so that only these concepts of the reference are kept in memory.
        concepts: Concepts of the reference, which is read once.
        domain: Domain of the samples.
        report: Called with each invalid record.

    Yields:
        A sample for each mention of which the concept has an acronym.
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
    """Replace long forms by the dictionary's spelling, and collect the pairs missing from it.

    Long forms are compared by merge key. Samples with the same acronym, long form and text as
    another sample are dropped.

    Args:
        samples: The samples.
        candidates: Function that returns the long forms of an acronym, the most frequent first.

    Returns:
        The samples and the missing pairs.
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
    """Compute the figures of GLADIS's Table 3 for a set.

    Args:
        samples: The set.
        candidates: Function that returns the long forms of an acronym, the most frequent first.

    Returns:
        The number of samples and of unique acronyms ("short forms"), the mean number of candidates
        per acronym, the share of samples whose long form is not the first candidate
        ("overshadowed"), and the counts of entity types.
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
    """Read the samples of a source (before they are matched with a dictionary).

    Args:
        source: One of `SOURCES`.
        paths: The source's files.
        reference: File with the names of the concepts: a Wikidata dump or MRCONSO.RRF. Not needed
            for SciAD.
        report: Called with each invalid record.

    Returns:
        The samples.

    Raises:
        InputError: If the source is unknown, a file is missing, or the source needs a reference.
            Raised before any file is read.
    """
    check_names("source", [source], SOURCES)
    for path in (*paths, *filter(None, [reference])):
        if not path.is_file():
            raise InputError(f"{path} does not exist.")
    if source not in LINKED:
        read_samples = chain.from_iterable(map(read_disambiguation, paths))
        return (
            sample._replace(domain="SciAD", kind="scientific concept") for sample in read_samples
        )
    domain, read, read_reference, wanted = LINKED[source]
    if reference is None:
        raise InputError(f"'{source}' needs a --reference: {wanted}.")
    return linked_samples(
        lambda to: chain.from_iterable(read(path, to) for path in paths),
        read_reference(Piece.whole(reference), report),
        domain,
        report,
    )
