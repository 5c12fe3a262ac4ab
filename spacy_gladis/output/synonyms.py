"""Synonym rules for search engines, made from the acronyms of a collection of documents.

A search engine applies a rule to every query. A rule is therefore only written for an acronym with
one meaning. An acronym with several meanings gets a rule in the rule sets of the subject fields
whose documents agree on one meaning. The others are reported, with the reason.
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
"""Share of an acronym's resolved mentions from which an improbable meaning counts as a meaning."""

_POSSESSIVE = re.compile(r"['\u2019]s?$")


class Reason(str, Enum):
    """Why an acronym has no rule for all documents."""

    meanings = "several meanings"
    word = "also an English word"
    short = "a single letter or digit"
    unresolved = "mostly unresolved"


class Rule(NamedTuple):
    """Spellings that a search treats as equal.

    Attributes:
        short: The spellings of the acronym, the most frequent first.
        long_form: The long form.
        mentions: The number of mentions with this meaning.
        probability: The mean probability of these mentions, 0 to 1.
        defined: Whether a document defines the acronym.
    """

    short: tuple[str, ...]
    long_form: str
    mentions: int
    probability: float
    defined: bool


class Omission(NamedTuple):
    """An acronym that must not become a synonym for all documents.

    Attributes:
        acronym: The acronym.
        reason: The reason.
        meanings: The meanings, most frequent first.
        fields: The subject fields whose rule sets have a rule for it.
    """

    acronym: str
    reason: Reason
    meanings: tuple[Meaning, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Synonyms:
    """The synonym rules of a collection.

    Attributes:
        rules: The rules for all documents, in alphabetical order.
        fields: Additional rules for the documents of a subject field.
        documents: The names of the documents of each field in `fields`.
        omissions: The acronyms without a rule for all documents.
        below: The number of acronyms whose meanings are all below the minimum probability.
    """

    rules: tuple[Rule, ...]
    fields: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    documents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    omissions: tuple[Omission, ...] = ()
    below: int = 0

    def rule_sets(self) -> dict[str, tuple[Rule, ...]]:
        """Return the complete rule sets.

        Returns:
            The rules for all documents under an empty name, and for each field these rules with
            the field's own.
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
    """Make the synonym rules of a collection.

    Args:
        glossary: The acronyms of the collection.
        dictionary: The dictionary, whose sources tell the subject field of a document.
        min_probability: The mean probability, 0 to 1, below which a meaning gets no rule.
        defined_only: Whether to use only meanings that a document defines.
        case_sensitive: Whether the search engine distinguishes capitals at this step. If False,
            acronyms that are English words, such as "IT" and "US", get no rule.

    Returns:
        The rules.
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

    Each meaning has the fields of the dictionary's sources that list it.

    Args:
        entries: The acronyms of the collection.
        dictionary: The dictionary.

    Returns:
        The field by document name. Documents without evidence, or with equal evidence for several
        fields, are left out.
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
    """Join acronyms that differ only in case, with their known meanings, most frequent first."""
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
    """Yield the meanings that decide whether an acronym has several."""
    for meaning in entry.meanings:
        if meaning in usable or meaning.mentions >= RIVAL * entry.mentions:
            yield meaning


def _unsafe(
    entry: Entry, group: Sequence[Entry], case_sensitive: bool, defined_only: bool
) -> Reason | None:
    """Return why an acronym can't be a synonym in any document."""
    if any(len(letters_of(spelling)) < 2 for spelling in entry.spellings):
        return Reason.short
    if not case_sensitive and any(map(is_common_word, entry.spellings)):
        return Reason.word
    mentions = sum(other.mentions for other in group)
    if not defined_only and 2 * entry.mentions < mentions:  # the other mentions are NIL
        return Reason.unresolved
    return None


def _agreed_meanings(
    meanings: Iterable[Meaning], documents: Mapping[str, str]
) -> dict[str, Meaning]:
    """Return the meaning for each field whose documents all use the same one."""
    in_field: defaultdict[str, list[Meaning]] = defaultdict(list)
    for meaning in meanings:
        names = {documents[document] for document in meaning.documents if document in documents}
        for name in names:
            in_field[name].append(meaning)
    return {name: agreed[0] for name, agreed in in_field.items() if len(agreed) == 1}


def _rule(entry: Entry, meaning: Meaning) -> Rule:
    # Case variants are one term for a filter that ignores case.
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
