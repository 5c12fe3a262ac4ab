"""The figures as tables."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table

Results = dict[str, Any]

COLUMNS = {
    "mentions": "mentions",
    "right": "right",
    "wrong": "wrong",
    "NIL": "nil",
    "not found": "not_found",
    "precision": "precision",
    "in dict.": "in_dictionary",
    "candidate": "among_candidates",
    "first": "ranked_first",
    "false": "false_answers",
}

GROUPINGS = {
    "by_case": "by case",
    "by_candidates": "by number of candidates",
    "by_field": "by field",
}


def tables(results: Results, rule: str = "exact") -> Iterator[Table]:
    """The tables of a run: the whole under every rule of equality, the parts under one."""
    yield _whole(results)
    for name in ("undefined", "defined"):
        if name not in results:
            continue
        found = results[name][rule]
        yield _reasons(f"{name.capitalize()} mentions: why not right", results[name])
        for key, title in GROUPINGS.items():
            if name == "undefined" and len(found[key]) > 1:
                yield _parts(f"Undefined mentions {title} ({rule})", found[key])
        if name == "undefined":
            if list(found["by_group"]) != list(found["by_field"]):
                yield _parts(f"Undefined mentions by repository ({rule})", found["by_group"])
            yield _thresholds(f"Undefined mentions by threshold ({rule})", found["thresholds"])


def markdown(results: Results) -> str:
    """The whole report."""
    parts = [f"# Acronyms in texts\n\n`{results['command']}`\n"]
    return "\n".join([*parts, *(table.markdown() for table in tables(results))])


def _whole(results: Results) -> Table:
    table = Table(
        f"{results['data']}: {results['texts']:,} texts in {results['seconds']:,} s, "
        f"{results['mentions_per_second']:,} mentions/s; "
        f"{results['answers_elsewhere']:,} answers on what is not marked",
        ("", *COLUMNS),
    )
    for name in ("undefined", "defined"):
        for rule, found in results.get(name, {}).items():
            table.add(f"{name}, {rule}", *(found[key] for key in COLUMNS.values()))
            means = found["mean_over_groups"]
            if name == "undefined" and list(found["by_group"]) != list(found["by_field"]):
                cells = (means.get(key) for key in COLUMNS.values())
                table.add(f"{name}, {rule}, mean over repositories", *cells)
    return table


def _reasons(title: str, rules: dict[str, Any]) -> Table:
    table = Table(title, ("reason", *rules))
    names = dict.fromkeys(name for found in rules.values() for name in found["reasons"])
    for name in names:
        table.add(name, *(found["reasons"].get(name, 0) for found in rules.values()))
    return table


def _parts(title: str, parts: dict[str, Any]) -> Table:
    table = Table(title, ("", *COLUMNS))
    for name, found in parts.items():
        table.add(name, *(found[key] for key in COLUMNS.values()))
    return table


def _thresholds(title: str, rows: list[dict[str, Any]]) -> Table:
    table = Table(title, ("threshold", "answered", "right", "precision"))
    for row in rows:
        table.add(f"{row['threshold']:.2f}", row["answered"], row["right"], row["precision"])
    return table
