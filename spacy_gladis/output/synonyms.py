"""Synonym rules for search engines, made from the acronyms in a collection of documents.

A search engine applies a synonym rule to every query. An acronym with several meanings therefore
gets no rule for all documents. It gets a rule for each subject field whose documents agree on one
meaning. Acronyms without a rule for all documents are reported with the reason.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isclose, log1p
from typing import NamedTuple

from ..dictionary import CandidateSource
from ..settings import MIN_SYNONYM_PROBABILITY
from ..text import is_common_word
from ..text.spelling import letters_of, same_meaning, singular
from .glossary import Entry, Glossary, Meaning

RIVAL = 0.1
"""Minimum share of an acronym's mentions (0 to 1) with which an improbable meaning still counts as
one of several meanings."""

_POSSESSIVE = re.compile(r"['\u2019]s?$")


class Reason(str, Enum):
    """Reasons why an acronym has no synonym rule that applies to all documents."""

    meanings = "several meanings"
    word = "also an English word"
    short = "a single letter or digit"
    unresolved = "mostly unresolved"


class Rule(NamedTuple):
    """A synonym rule, which consists of spellings that a search engine treats as equal.

    Attributes:
        short: Spellings of the acronym, beginning with the one that represents it.
        long_form: The long form.
        mentions: Number of mentions of the acronym with this meaning.
        probability: Mean probability of these mentions (0 to 1).
        defined: Whether a document defines the acronym with this meaning.
    """

    short: tuple[str, ...]
    long_form: str
    mentions: int
    probability: float
    defined: bool


class Omission(NamedTuple):
    """An acronym that has no synonym rule for all documents.

    Attributes:
        acronym: The acronym.
        reason: Why the acronym has no such rule.
        meanings: Meanings of the acronym, most frequent first.
        fields: Subject fields for which the acronym does have a rule.
    """

    acronym: str
    reason: Reason
    meanings: tuple[Meaning, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Synonyms:
    """The synonym rules of a collection of documents.

    Attributes:
        rules: Rules that apply to all documents, in alphabetical order.
        fields: Additional rules for the documents of a subject field, by the name of the field.
        documents: Names of the documents of each subject field in `fields`.
        omissions: Acronyms without a rule for all documents.
        below: Number of acronyms that have no rule because all their meanings are below the minimum
            probability, or are undefined if a definition is required.
    """

    rules: tuple[Rule, ...]
    fields: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    omissions: tuple[Omission, ...] = ()
    below: int = 0

    def rule_sets(self) -> dict[str, tuple[Rule, ...]]:
        """Return the complete set of synonym rules for each subject field.

        Returns:
            A mapping from the name of a subject field to its own rules and the rules for all
            documents. The empty name stands for the rules for all documents alone.
        """
        sets = {"": self.rules}
        for name, rules in self.fields.items():
            sets[name] = tuple(sorted((*self.rules, *rules), key=_by_acronym))
        return sets


def make_synonyms(
    glossary: Glossary,
    dictionary: CandidateSource,
    *,
    min_probability: float = MIN_SYNONYM_PROBABILITY,
    defined_only: bool = False,
    case_sensitive: bool = False,
) -> Synonyms:
    """Make synonym rules for a search engine from the acronyms in a collection of documents.

    Args:
        glossary: Acronyms of the collection, with their meanings.
        dictionary: Dictionary of acronyms. The subject fields of its sources show the field of a
            document.
        min_probability: Minimum mean probability of a meaning (0 to 1). Less probable meanings get
            no rule.
        defined_only: Whether only meanings that a document defines get a rule.
        case_sensitive: Whether the search engine distinguishes upper and lower case when it applies
            the rules. If False, acronyms that are also English words, such as "IT" and "US", get no
            rule.

    Returns:
        The rules, and the acronyms that have no rule for all documents.
    """
    entries = glossary.entries()
    groups: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.acronym if case_sensitive else entry.acronym.casefold()].append(entry)
    rules: list[Rule] = []
    omissions: list[Omission] = []
    ambiguous: list[tuple[Entry, tuple[Meaning, ...], tuple[Meaning, ...]]] = []
    below = 0
    for group in groups.values():
        entry = _join_entries(group)
        usable = tuple(
            meaning
            for meaning in entry.meanings
            if meaning.probability >= min_probability and (meaning.defined or not defined_only)
        )
        rivals = tuple(_rivals(entry, usable))
        if not usable:
            below += bool(entry.meanings)
        elif reason := _unsafe(entry, group, case_sensitive, defined_only):
            omissions.append(Omission(entry.acronym, reason, rivals))
        elif len(rivals) > 1:
            ambiguous.append((entry, rivals, usable))
        else:
            rules.append(_rule(entry, usable[0]))
    documents = document_fields(entries, dictionary) if ambiguous else {}
    by_field: defaultdict[str, list[Rule]] = defaultdict(list)
    for entry, rivals, usable in ambiguous:
        agreed = {
            name: meaning
            for name, meaning in _agreed_meanings(rivals, documents).items()
            if meaning in usable
        }
        for name, meaning in agreed.items():
            by_field[name].append(_rule(entry, meaning))
        omissions.append(Omission(entry.acronym, Reason.meanings, rivals, tuple(sorted(agreed))))
    return Synonyms(
        tuple(sorted(rules, key=_by_acronym)),
        {name: tuple(sorted(by_field[name], key=_by_acronym)) for name in sorted(by_field)},
        {
            name: tuple(sorted(document for document, at in documents.items() if at == name))
            for name in sorted(by_field)
        },
        tuple(sorted(omissions, key=lambda omission: omission.acronym.casefold())),
        below,
    )


def document_fields(entries: Iterable[Entry], dictionary: CandidateSource) -> dict[str, str]:
    """Estimate the subject field of each document from the meanings of its acronyms.

    The sources of the dictionary have subject fields. Each source that lists a meaning is evidence
    for its fields in the documents with this meaning.

    Args:
        entries: Acronyms of the documents, with their meanings.
        dictionary: Dictionary of acronyms whose sources have subject fields.

    Returns:
        A mapping from the name of a document to its subject field. Documents without evidence, or
        with equal evidence for several fields, are left out.
    """
    sources = dictionary.sources
    totals: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for entry in entries:
        for meaning in entry.meanings:
            shares: defaultdict[str, float] = defaultdict(float)
            for candidate in dictionary.lookup(entry.acronym) if meaning.long_form else ():
                if not same_meaning(candidate.long_form, str(meaning.long_form)):
                    continue
                for source, count in candidate.counts.items():
                    weights = sources[source].fields if source in sources else {}
                    for name, weight in weights.items():
                        shares[name] += weight * log1p(count)
            whole = sum(shares.values())
            for document in meaning.documents if whole else ():
                for name, share in shares.items():
                    totals[document][name] += share / whole
    best = {
        document: [name for name, total in fields.items() if isclose(total, max(fields.values()))]
        for document, fields in totals.items()
    }
    return {document: names[0] for document, names in best.items() if len(names) == 1}


def _join_entries(group: Sequence[Entry]) -> Entry:
    """Join acronyms that differ only in case. Their known meanings are sorted by frequency."""
    meanings: list[Meaning] = []
    resolved = [meaning for entry in group for meaning in entry.meanings if meaning.long_form]
    for meaning in sorted(resolved, key=lambda meaning: -meaning.mentions):
        is_new = not any(same_meaning(str(meaning.long_form), str(m.long_form)) for m in meanings)
        if is_new and letters_of(str(meaning.long_form)):
            meanings.append(meaning)
    first = max(group, key=lambda entry: entry.mentions)
    others = (spelling for entry in group for spelling in entry.spellings)
    spellings = dict.fromkeys([first.acronym, *others])
    return Entry(first.acronym, meanings, spellings=tuple(spellings))


def _rivals(entry: Entry, usable: Sequence[Meaning]) -> Iterator[Meaning]:
    """Yield the meanings of an acronym that are likely or frequent enough to make it ambiguous."""
    for meaning in entry.meanings:
        if meaning in usable or meaning.mentions >= RIVAL * entry.mentions:
            yield meaning


def _unsafe(
    entry: Entry, group: Sequence[Entry], case_sensitive: bool, defined_only: bool
) -> Reason | None:
    """Return the reason why an acronym can't have a synonym rule in any document, or None."""
    if any(len(letters_of(spelling)) < 2 for spelling in entry.spellings):
        return Reason.short
    if not case_sensitive and any(map(is_common_word, entry.spellings)):
        return Reason.word
    mentions = sum(other.mentions for other in group)
    if not defined_only and 2 * entry.mentions < mentions:  # the other mentions weren't resolved
        return Reason.unresolved
    return None


def _agreed_meanings(
    meanings: Iterable[Meaning], documents: Mapping[str, str]
) -> dict[str, Meaning]:
    """Return the meaning of an acronym in each subject field whose documents share one meaning."""
    in_field: defaultdict[str, list[Meaning]] = defaultdict(list)
    for meaning in meanings:
        names = {documents[document] for document in meaning.documents if document in documents}
        for name in names:
            in_field[name].append(meaning)
    return {name: agreed[0] for name, agreed in in_field.items() if len(agreed) == 1}


def _rule(entry: Entry, meaning: Meaning) -> Rule:
    # A search filter that ignores case treats case variants as the same term.
    kept = [singular(entry.acronym)]
    kept += [spelling for spelling in entry.spellings if not _POSSESSIVE.search(spelling)]
    short = {spelling.casefold(): spelling for spelling in reversed(kept)}
    return Rule(
        tuple(reversed(short.values())),
        str(meaning.long_form),
        meaning.mentions,
        meaning.probability,
        meaning.defined,
    )


def _by_acronym(rule: Rule) -> tuple[str, str]:
    return rule.short[0].casefold(), rule.long_form.casefold()
