"""OBO ontologies (Disease Ontology, HPO, Mondo): https://owlcollab.github.io/oboformat/."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...documents.lines import read_lines
from ...problem import Problem, Report, log_problem
from ..inventory import Concept

SCOPES = ("EXACT", "RELATED")
"""Synonyms of these scopes are names; broader and narrower ones mean something else."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
_ESCAPED = re.compile(r"\\(.)")

Stanza = defaultdict[str, list[str]]


def read_obo(
    path: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Yield the terms that are not obsolete.

    vocabulary: take a term's cross-references to it as ids, so that the term's names become names
    of another vocabulary's concepts (`MESH` gives `D006394` for `xref: MESH:D006394`); the term's
    own id becomes an alternate. A parent that has no such id is passed over for its own parents.
    """
    if vocabulary is not None:
        yield from _mapped(list(_terms(path, report)), vocabulary)
        return
    for id, stanza in _terms(path, report):
        definition = _QUOTED.match("".join(stanza["def"][:1]))
        yield Concept(
            id,
            _names(stanza),
            tuple(stanza["alt_id"]),
            "".join(stanza["namespace"][:1]),
            _ESCAPED.sub(r"\1", definition[1]) if definition else "",
            tuple(_parents(stanza)),
        )


def _terms(path: Path, report: Report) -> Iterator[tuple[str, Stanza]]:
    """The terms that count, with their ids."""
    for number, stanza in _stanzas(path, report):
        ids = stanza["id"]
        if len(ids) != 1:
            report(Problem("wrong term", str(path), number, f"{len(ids)} ids"))
        elif stanza["is_obsolete"] != ["true"]:
            yield ids[0], stanza


def _mapped(terms: Sequence[tuple[str, Stanza]], vocabulary: str) -> Iterator[Concept]:
    """The terms as concepts of another vocabulary."""
    ids, above = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for term, stanza in terms:
        ids[term] += _references(stanza, vocabulary)
        above[term] += _parents(stanza)
    for term, stanza in terms:
        for id in _references(stanza, vocabulary):
            parents = dict.fromkeys(one for one in _nearest(term, ids, above) if one != id)
            yield Concept(id, _names(stanza), (term,), parents=tuple(parents))


def _nearest(
    term: str, ids: Mapping[str, list[str]], above: Mapping[str, list[str]]
) -> Iterator[str]:
    """The ids of the nearest ancestors that have one, on every way upwards."""
    seen, waiting = {term}, [term]
    while waiting:
        for parent in above.get(waiting.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                found = ids.get(parent, [])
                yield from found
                if not found:
                    waiting.append(parent)


def _stanzas(path: Path, report: Report) -> Iterator[tuple[int, Stanza]]:
    """The `[Term]` stanzas with the number of their first line."""
    stanza, first = Stanza(list), 0
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("["):
            if first:
                yield first, stanza
            stanza, first = Stanza(list), number if line == "[Term]" else 0
        elif first and ": " in line:
            tag, _, value = line.partition(": ")
            stanza[tag].append(value.strip())
    if first:
        yield first, stanza


def _names(stanza: Stanza) -> tuple[str, ...]:
    return (*stanza["name"], *_synonyms(stanza))


def _parents(stanza: Stanza) -> Iterator[str]:
    return (value.split()[0] for value in stanza["is_a"] if value)


def _synonyms(stanza: Stanza) -> Iterator[str]:
    for value in stanza["synonym"]:
        match = _QUOTED.match(value)
        if match and match[2] in SCOPES:
            yield _ESCAPED.sub(r"\1", match[1]).rstrip(".")


def _references(stanza: Stanza, vocabulary: str) -> Iterator[str]:
    """The ids of another vocabulary; `SNOMEDCT_US_2016_03_01:1` and `SNOMEDCT:1` are SNOMEDCT's."""
    for value in stanza["xref"]:
        source, _, id = value.split(" ")[0].partition(":")
        if source.casefold().startswith(vocabulary.casefold()) and id:
            yield id
