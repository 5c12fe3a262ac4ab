"""The figures as tables."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table

Results = dict[str, Any]

COLUMNS = {
    "gold": "mentions",
    "right": "right",
    "wrong": "wrong",
    "NIL": "nil",
    "missed": "not_found",
    "prec.": "precision",
    "known": "in_dictionary",
    "first": "ranked_first",
}
WHOLE = {**COLUMNS, "choice": "among_candidates", "false": "false_answers"}

LEGEND = (
    "missed: not found; prec.: of the answers; known: the dictionary has the gold; first: it ranks "
    "first, answered or not; choice: it is a candidate; false: answers on what is no acronym"
)

PARTS = {
    "by_case": "by case",
    "by_candidates": "by number of candidates",
    "by_field": "by field",
    "by_repository": "by repository",
}


def tables(results: Results, rule: str = "exact") -> Iterator[Table]:
    """The tables of a run: the whole under every rule of equality, the parts under one."""
    for name in ("undefined", "defined"):
        if name in results:
            yield _whole(f"{name.capitalize()} mentions of {_what(results)}", results[name])
            yield _reasons(f"Why {name} mentions are not right", results[name])
    found = results.get("undefined", {}).get(rule, {})
    for key, title in PARTS.items():
        if found.get(key):
            yield _parts(f"Undefined mentions {title}, {rule}", found[key])
    if found:
        yield _thresholds(f"Undefined mentions by threshold, {rule}", found["thresholds"])


def _what(results: Results) -> str:
    return (
        f"{results['data']}, {results['texts']:,} texts in {results['seconds']:,} s, "
        f"{results['mentions_per_second']:,} mentions/s, "
        f"{results['answers_elsewhere']:,} answers on what is not marked. {LEGEND}"
    )


def _whole(title: str, rules: dict[str, Any]) -> Table:
    table = Table(title, ("", *WHOLE))
    for rule, found in rules.items():
        table.add(rule, *(found[key] for key in WHOLE.values()))
        if found["by_repository"]:
            means = found["mean_over_repositories"]
            table.add("  mean of repositories", *(means.get(key) for key in WHOLE.values()))
    return table


def _reasons(title: str, rules: dict[str, Any]) -> Table:
    table = Table(title, ("reason", *rules))
    names = dict.fromkeys(name for found in rules.values() for name in found["reasons"])
    for name in names:
        table.add(name, *(found["reasons"].get(name, 0) for found in rules.values()))
    return table


def _parts(title: str, parts: dict[str, Any]) -> Table:
    rows = [(name, *(found[key] for key in COLUMNS.values())) for name, found in parts.items()]
    return Table(title, ("", *COLUMNS), rows)


def _thresholds(title: str, rows: list[dict[str, Any]]) -> Table:
    shares = ("answered", "right", "precision")
    cells = [(f"{row['threshold']:.2f}", *(row[share] for share in shares)) for row in rows]
    return Table(title, ("threshold", *shares), cells)
