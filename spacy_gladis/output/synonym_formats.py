"""Formats of synonym rules for search engines, and the report of the acronyms without a rule."""

import json
import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from .glossary_formats import number
from .synonyms import Rule, Synonyms

FILTER = "acronyms"
"""Name of the synonym filter and of the analyzer in the settings of an OpenSearch index."""

_SPECIAL = re.compile(r"[\\,]|=>")


class Direction(str, Enum):
    """The spelling of a search query that a synonym rule extends by the other spelling.

    Attributes:
        short_to_long: A query with the acronym also finds the long form.
        long_to_short: A query with the long form also finds the acronym.
        both: A query with one of the spellings also finds the other.
    """

    short_to_long = "short-to-long"
    long_to_short = "long-to-short"
    both = "both"


def escape_term(term: str) -> str:
    r"""Escape an acronym or a long form for a synonym rule in Solr's format.

    Elasticsearch and OpenSearch use the same format.

    Args:
        term: Acronym or long form.

    Returns:
        The term on one line, with a backslash before `\`, `,`, `=>` and a `#` at the beginning.
    """
    line = " ".join(term.split())
    escaped = _SPECIAL.sub(lambda sign: f"\\{sign[0]}", line)
    return f"\\{escaped}" if escaped.startswith("#") else escaped


def format_rule(rule: Rule, direction: Direction) -> str:
    """Return a synonym rule in Solr's format, such as `ML => ML, machine learning`.

    Args:
        rule: An acronym and its long form.
        direction: Spelling of a query that also finds the other one.

    Returns:
        The rule as one line, without a line feed.
    """
    short = ", ".join(map(escape_term, rule.short))
    long_form = escape_term(rule.long_form)
    if direction is Direction.short_to_long:
        return f"{short} => {short}, {long_form}"
    if direction is Direction.long_to_short:
        return f"{long_form} => {long_form}, {short}"
    return f"{short}, {long_form}"


def format_rules(rules: Iterable[Rule], direction: Direction) -> list[str]:
    """Return synonym rules in Solr's format, each as one line.

    Args:
        rules: Acronyms with their long forms.
        direction: Spelling of a query that also finds the other one.

    Returns:
        The lines, in the order of `rules` and without duplicates.
    """
    return list(dict.fromkeys(format_rule(rule, direction) for rule in rules))


Files = dict[str, str]
"""The contents of files by the name of their rule set, which is a subject field. The empty name
stands for the rules that apply to all documents."""


def to_solr(synonyms: Synonyms, direction: Direction) -> Files:
    """Return synonym rules as files for Solr's `SynonymGraphFilterFactory`.

    Args:
        synonyms: Rules for all documents and for single subject fields.
        direction: Spelling of a query that also finds the other one.

    Returns:
        The content of a file for each rule set, by the name of the rule set. The empty name stands
        for all documents.
    """
    return {
        name: "".join(f"{line}\n" for line in format_rules(rules, direction))
        for name, rules in synonyms.rule_sets().items()
    }


def to_elasticsearch(synonyms: Synonyms, direction: Direction) -> Files:
    """Return synonym rules as request bodies for Elasticsearch's `PUT _synonyms/NAME`.

    Args:
        synonyms: Rules for all documents and for single subject fields.
        direction: Spelling of a query that also finds the other one.

    Returns:
        A JSON body for each rule set, by the name of the rule set. The empty name stands for all
        documents.
    """
    return {
        name: _json(
            {"synonyms_set": [{"synonyms": line} for line in format_rules(rules, direction)]}
        )
        for name, rules in synonyms.rule_sets().items()
    }


def to_opensearch(synonyms: Synonyms, direction: Direction) -> Files:
    """Return synonym rules as the settings of an OpenSearch index.

    The settings have a synonym filter and an analyzer for each rule set.

    Args:
        synonyms: Rules for all documents and for single subject fields.
        direction: Spelling of a query that also finds the other one.

    Returns:
        A mapping with one file, which has an empty name.
    """
    filters, analyzers = {}, {}
    for name, rules in synonyms.rule_sets().items():
        filter_name = f"{FILTER}_{name}" if name else FILTER
        filters[filter_name] = {
            "type": "synonym_graph",
            "synonyms": format_rules(rules, direction),
        }
        analyzers[filter_name] = {
            "type": "custom",
            "tokenizer": "standard",
            "filter": ["lowercase", filter_name],
        }
    analysis = {"filter": filters, "analyzer": analyzers}
    return {"": _json({"settings": {"analysis": analysis}})}


def to_json(synonyms: Synonyms, direction: Direction) -> Files:
    """Return synonym rules and the acronyms without a rule as a JSON object.

    The object also names the documents of each subject field.

    Args:
        synonyms: Rules for all documents and for single subject fields.
        direction: Spelling of a query that also finds the other one.

    Returns:
        A mapping with one file, which has an empty name.
    """
    content = {
        "direction": direction.value,
        "rules": list(map(_record, synonyms.rules)),
        "fields": {
            name: {
                "documents": list(synonyms.documents[name]),
                "rules": list(map(_record, rules)),
            }
            for name, rules in synonyms.fields.items()
        },
        "omitted": [
            {
                "acronym": omission.acronym,
                "reason": omission.reason.value,
                "fields": list(omission.fields),
                "meanings": [
                    {"long_form": meaning.long_form, "mentions": meaning.mentions}
                    for meaning in omission.meanings
                ],
            }
            for omission in synonyms.omissions
        ],
    }
    return {"": _json(content)}


WRITERS: dict[str, Callable[[Synonyms, Direction], Files]] = {
    "solr": to_solr,
    "elasticsearch": to_elasticsearch,
    "opensearch": to_opensearch,
    "json": to_json,
}


def report_lines(synonyms: Synonyms) -> list[str]:
    """Return a report of the acronyms without a synonym rule for all documents, with the reasons.

    Args:
        synonyms: Rules for all documents and for single subject fields.

    Returns:
        A line for each acronym, such as `CT: several meanings: computed tomography (3), Connecticut
        (2). Rules for: clinical.`
    """
    lines = []
    for omission in synonyms.omissions:
        meanings = ", ".join(f"{m.long_form} ({m.mentions:,})" for m in omission.meanings)
        fields = f" Rules for: {', '.join(omission.fields)}." if omission.fields else ""
        lines.append(f"{omission.acronym}: {omission.reason.value}: {meanings}.{fields}")
    return lines


def summary(synonyms: Synonyms, *, all_sets: bool = True) -> str:
    """Return how many synonym rules there are, and how many acronyms have none.

    An example is "12 rules; 1 acronym without a rule for all documents."

    Args:
        synonyms: Rules for all documents and for single subject fields.
        all_sets: Whether the rules of single subject fields are written as well. If False, the
            summary says how to write them.

    Returns:
        The summary as one or two sentences.
    """
    parts = [number(len(synonyms.rules), "rule")]
    if synonyms.omissions:
        parts.append(
            f"{number(len(synonyms.omissions), 'acronym')} without a rule for all documents"
        )
    if synonyms.below:
        parts.append(
            f"{number(synonyms.below, 'acronym')} below the minimum probability or undefined"
        )
    text = f"{'; '.join(parts)}."
    if synonyms.fields and not all_sets:
        text += f" Pass --output to write the rules of {', '.join(synonyms.fields)}, too."
    return text


def _record(rule: Rule) -> dict[str, Any]:
    return {
        "acronym": rule.short[0],
        "spellings": list(rule.short),
        "long_form": rule.long_form,
        "mentions": rule.mentions,
        "probability": round(rule.probability, 4),
        "defined": rule.defined,
    }


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
