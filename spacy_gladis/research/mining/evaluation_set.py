"""Evaluation sets made of WikilinksNED, MedMentions and SciAD (GLADIS, section 3.2)."""

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
    """Yield the mentions, their tokens joined by blanks; the concept is the page's title.

    A record holds the token lists `left_context`, `mention_as_list` and `right_context`, and the
    title `y_title`. Others go to `report`.
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
    """Yield the mentions, each in its sentence; the concept is the UMLS id (CUI).

    Mentions that do not match the text are left out; `read_articles` tells `report`.
    """
    for article in read_articles(path, report):
        text = "\n".join(article.lines)  # no sentence runs from the title to the abstract
        for one in article.annotations:
            if one.start < 0:
                continue
            low, high = sentence(text, one.start, one.start + len(one.phrase))
            concepts = (one.ids.removeprefix(PREFIX),)
            place = text[low:high], one.start - low
            yield ConceptMention(one.phrase, concepts, *place, article.id, TYPE)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets of the sentence or sentences around `text[start:end]`, within their line."""
    low = text.rfind("\n", 0, start) + 1
    for match in _SENTENCE_END.finditer(text, low, start):
        low = match.end()
    high = text.find("\n", end)
    high = high if high >= 0 else len(text)
    match_behind = _SENTENCE_END.search(text, max(low, end - 1), high)
    return low, match_behind.start() + 1 if match_behind else high


Candidates = Callable[[str], list[str]]
"""The long forms that a dictionary has for an acronym, the most frequent first."""


class Completed(NamedTuple):
    """Samples whose long forms are spelt as in the dictionary, and the pairs that it lacks."""

    samples: list[Sample]
    missing: list[tuple[str, str]]  # acronym, long form: to be added with count 1


def linked_samples(
    read: Callable[[Report], Iterator[ConceptMention]],
    concepts: Iterable[Concept],
    domain: str,
    report: Report = log_problem,
) -> Iterator[Sample]:
    """The samples that linked mentions make of the reference's acronyms.

    `read` gives the mentions, twice: first to know which concepts are wanted, so that a reference
    of any size is read once and only those are held, with the hierarchy of its classes.
    """
    wanted = {id for mention in read(lambda problem: None) for id in mention.concepts}
    known: dict[str, Concept] = {}
    types = EntityTypes()
    for concept in concepts:
        types.add(concept)
        for id in {concept.id, *concept.alternates} & wanted:
            known.setdefault(id, concept)
    for mention in read(report):
        linked = known.get(mention.concepts[0])
        if linked:
            typed = linked._replace(domain=types.find(linked.parents))
            if sample := to_sample(mention, typed, domain):
                yield sample


def complete(samples: Iterable[Sample], candidates: Candidates) -> Completed:
    """Spell the long forms as the dictionary does; collect the pairs that it lacks.

    A long form is in the dictionary where one with its merge key is. Samples that repeat another
    in acronym, long form and text are left out.
    """
    spellings: dict[str, dict[str, str]] = {}
    missing: list[tuple[str, str]] = []
    completed: dict[tuple[str, str, str], Sample] = {}
    for sample in samples:
        known = spellings.get(sample.acronym)
        if known is None:
            forms = candidates(sample.acronym)
            known = {merge_key(form): form for form in reversed(forms)}  # the most frequent stays
            spellings[sample.acronym] = known
        key = merge_key(sample.long_form)
        if key not in known:
            known[key] = sample.long_form
            missing.append((sample.acronym, sample.long_form))
        sample = sample._replace(long_form=known[key])
        completed.setdefault((sample.acronym, sample.long_form, sample.text), sample)
    return Completed(list(completed.values()), missing)


def set_statistics(samples: Iterable[Sample], candidates: Candidates) -> dict[str, Any]:
    """A set's figures, as in the paper's Table 3.

    Its samples, unique acronyms ("short forms"), the mean number of candidates of an acronym, and
    the share of samples whose long form is not the first candidate ("overshadowed").
    """
    total, overshadowed = 0, 0
    known: dict[str, list[str]] = {}
    types: Counter[str] = Counter()
    for sample in samples:
        forms = known.setdefault(sample.acronym, []) or candidates(sample.acronym)
        known[sample.acronym] = forms
        total += 1
        overshadowed += forms[:1] != [sample.long_form]
        types[sample.kind] += 1
    return {
        "samples": total,
        "unique_short_forms": len(known),
        "candidates_per_short_form": sum(map(len, known.values())) / max(1, len(known)),
        "overshadowed_ratio": overshadowed / max(1, total),
        "types": dict(types.most_common()),
    }


Linked = Callable[[Path, Report], Iterator[ConceptMention]]
Reference = Callable[[Piece, Report], Iterator[Concept]]

# The samples' domain, mentions, and the reference that names their concepts.
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
    """The samples of one of `SOURCES`, before they meet a dictionary.

    Raises InputError, before any work, where a file is missing or the source needs a reference.
    """
    check_names("source", [source], SOURCES)
    for path in (*paths, *filter(None, [reference])):
        if not path.is_file():
            raise InputError(f"There is no file {path}.")
    if source not in LINKED:
        read_samples = chain.from_iterable(map(read_disambiguation, paths))
        return (one._replace(domain="SciAD", kind="scientific concept") for one in read_samples)
    domain, read, read_reference, wanted = LINKED[source]
    if reference is None:
        raise InputError(f"'{source}' needs a --reference: {wanted}.")
    return linked_samples(
        lambda to: chain.from_iterable(read(path, to) for path in paths),
        read_reference(Piece.whole(reference), report),
        domain,
        report,
    )
