"""The results files of a folder, each under the evaluation that wrote it; sections of a report."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from .tables import Table


class Result(NamedTuple):
    """What one evaluation found: its file's name, the evaluation's name and the content."""

    name: str
    kind: str
    content: dict[str, Any]

    @property
    def command(self) -> str:
        """The command that wrote it, where the file says."""
        return str(self.content.get("command", ""))


class Results(NamedTuple):
    """The results of a folder, by file name, and what is wrong with the files left out."""

    found: list[Result]
    left_out: list[str]

    def of(self, *kinds: str) -> Iterator[Result]:
        """Those of these evaluations."""
        return (result for result in self.found if result.kind in kinds)


def read_results(folder: Path) -> Results:
    """The results in the JSON files of a folder; one that is not a results file is left out.

    Raises InputError where there is none.
    """
    found, left_out = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            left_out.append(f"{path.name}: no JSON file ({error})")
            continue
        kind = _kind(content)
        if kind is None:
            left_out.append(f"{path.name}: it does not say which command wrote it")
        else:
            found.append(Result(path.stem, kind, content))
    if not found:
        raise InputError(
            f"{folder} holds no results (JSON files that 'spacy-gladis evaluate ... --output' "
            "and the benchmarks write)."
        )
    return Results(found, left_out)


def _kind(content: Any) -> str | None:
    """`evaluate gladis` is "gladis", `train export` "export", `benchmarks/leakage.py` "leakage"."""
    if not isinstance(content, dict):
        return None
    if {"names", "train", "test", "texts"} <= content.keys():
        return "audit"
    words = str(content.get("command", "")).split()
    if words[:1] == ["spacy-gladis"] and len(words) > 2:
        return words[2]
    if words[:1] == ["python"] and len(words) > 1:
        return Path(words[1]).stem
    return None


@dataclass
class Section:
    """One paper, or what is measured beyond the papers.

    about: a sentence or two in plain text. sources: the commands whose results are shown.
    """

    title: str
    about: str
    tables: list[Table] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    def show(
        self, results: Results, kind: str, tables: Callable[[dict[str, Any]], Iterable[Table]]
    ) -> None:
        """Add the tables of each result of a kind, under its name.

        A file of another version, which `tables` cannot read, is left out and told of.
        """
        for result in results.of(kind):
            try:
                made = [
                    Table(f"{result.name}: {table.title}", table.columns, table.rows)
                    for table in tables(result.content)
                ]
            except (  # noqa: PERF203 (one file must not spoil the report)
                KeyError,
                TypeError,
                ValueError,
                IndexError,
                AttributeError,
            ) as error:
                results.left_out.append(f"{result.name}.json: of another version ({error!r})")
            else:
                self.tables += made
                self.sources[result.name] = result.command
