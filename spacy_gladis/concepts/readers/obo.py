"""Read the terms of OBO ontologies, such as the Disease Ontology, HPO and Mondo.

Format: https://owlcollab.github.io/oboformat/
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...documents.lines import read_lines
from ...problem import Problem, Report, log_problem
from ..inventory import Concept

SCOPES = ("EXACT", "RELATED")
"""Scopes of the synonyms that are used as names of a term. Synonyms with the scopes BROAD and
NARROW name other concepts."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
_ESCAPED = re.compile(r"\\(.)")

Stanza = defaultdict[str, list[str]]
"""A mapping from the tags of a term, such as ``name`` and ``is_a``, to the lists of their
values."""


def read_obo(
    path: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Read the terms of an OBO ontology as concepts. Obsolete terms are skipped.

    By default, a concept has the id of its term, such as ``DOID:8469``.

    If `vocabulary` is given, the terms provide names for the concepts of another vocabulary, to
    which they refer. For example, with ``"MESH"`` the line ``xref: MESH:D006394`` of a term gives a
    concept with the id ``D006394`` and the names of the term. The term's own id becomes an
    alternate id. Terms without such a reference are left out. They are also replaced as parents, by
    their nearest ancestors with a reference.

    Args:
        path: Path of the OBO file.
        report: Function that is called with a `Problem` for each term that doesn't have exactly one
            id, which is then skipped.
        vocabulary: Prefix of the cross-references that are used as ids, such as ``"MESH"``. None to
            use the ids of the terms.

    Yields:
        The concepts in the order of the file.
    """
    if vocabulary is not None:
        yield from _map_terms(list(_read_terms(path, report)), vocabulary)
        return
    for id, stanza in _read_terms(path, report):
        definition = _QUOTED.match("".join(stanza["def"][:1]))
        yield Concept(
            id,
            _names(stanza),
            tuple(stanza["alt_id"]),
            "".join(stanza["namespace"][:1]),
            _ESCAPED.sub(r"\1", definition[1]) if definition else "",
            tuple(_parents(stanza)),
        )


def _read_terms(path: Path, report: Report) -> Iterator[tuple[str, Stanza]]:
    """Yield the id and the stanza of each term that is not obsolete."""
    for number, stanza in _read_stanzas(path, report):
        ids = stanza["id"]
        if len(ids) != 1:
            report(
                Problem("wrong term", str(path), number, f"the term has {len(ids)} ids, expected 1")
            )
        elif stanza["is_obsolete"] != ["true"]:
            yield ids[0], stanza


def _map_terms(terms: Sequence[tuple[str, Stanza]], vocabulary: str) -> Iterator[Concept]:
    """Convert the terms of an ontology to concepts of another vocabulary."""
    ids, parents = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for term, stanza in terms:
        ids[term] += _references(stanza, vocabulary)
        parents[term] += _parents(stanza)
    for term, stanza in terms:
        for id in _references(stanza, vocabulary):
            ancestors = _find_ancestors(term, ids, parents)
            parent_ids = dict.fromkeys(ancestor for ancestor in ancestors if ancestor != id)
            yield Concept(id, _names(stanza), (term,), parents=tuple(parent_ids))


def _find_ancestors(
    term: str, ids: Mapping[str, list[str]], parents: Mapping[str, list[str]]
) -> Iterator[str]:
    """Yield the ids of the nearest ancestors that have one, on each path upwards."""
    seen, stack = {term}, [term]
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                parent_ids = ids.get(parent, [])
                yield from parent_ids
                if not parent_ids:
                    stack.append(parent)


def _read_stanzas(path: Path, report: Report) -> Iterator[tuple[int, Stanza]]:
    """Yield each `[Term]` stanza with the number of its first line."""
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
    """Yield the ids of another vocabulary to which a term refers.

    A suffix of the vocabulary's name is ignored, as in `SNOMEDCT_US_2016_03_01:1`.
    """
    for value in stanza["xref"]:
        source, _, id = value.split(" ")[0].partition(":")
        if source.casefold().startswith(vocabulary.casefold()) and id:
            yield id
