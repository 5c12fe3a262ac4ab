"""All results files of a folder in one report, beside the papers' own figures."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..leakage.run import GRAMS
from ..leakage.run import tables as audit_tables
from .tables import Table

Result = dict[str, Any]

PAPERS = Path(__file__).with_name("papers.json")
"""A section for each paper: its title, what it is about, the evaluations that it shows, and what
papers and shared tasks publish, each figure with its source. Only figures that a source at hand
states; a "known figure" is stated without the table it stands in."""

ABOUT = """\
# Results beside the papers

Every figure is in a results file, which names the command that measured it; lines in italics are
what others published, with their source. Scores are in %.
"""


def read_results(folder: Path) -> tuple[dict[str, Result], list[str]]:
    """The results in a folder's JSON files by file name, and what is wrong with the others.

    Raises InputError where there is none.
    """
    found, left_out = {}, []
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            left_out.append(f"{path.name}: no JSON file ({error})")
            continue
        if kind_of(content):
            found[path.stem] = content
        else:
            left_out.append(f"{path.name}: it does not say which command wrote it")
    if not found:
        raise InputError(
            f"{folder} holds no results (JSON files that 'spacy-gladis evaluate ... --output' "
            "and the benchmarks write)."
        )
    return found, left_out


def kind_of(content: Any) -> str | None:
    """`evaluate gladis` is "gladis", `benchmarks/leakage.py` "leakage"."""
    if not isinstance(content, dict):
        return None
    if {"names", "train", "test", "texts"} <= content.keys():
        return "audit"
    words = str(content.get("command", "")).split()
    if words[:1] == ["spacy-gladis"] and len(words) > 2:
        return words[2]
    return Path(words[1]).stem if words[:1] == ["python"] and len(words) > 1 else None


def leakage_tables(content: Result) -> Iterator[Table]:
    """Means of the best similarities of every audit in a file."""
    for what in ("texts", "annotations"):
        rows = [(name, one[what]) for name, one in content["audits"].items() if one[what]]
        columns = {gram: f"{n}.mean" for n, gram in GRAMS.items()}
        yield Table.of(f"Mean best similarity of {what}", ("sets",), columns, rows)


TABLES: dict[str, Callable[[Result], Iterable[Table]]] = {
    "audit": audit_tables,
    "leakage": leakage_tables,
}


def markdown(results: dict[str, Result], left_out: list[str]) -> str:
    """The report: a section for each paper of which something was measured, then the rest.

    A file of another version, of which no tables can be made, is added to what is left out.
    """
    parts, rest = [ABOUT], dict(results)
    for section in json.loads(PAPERS.read_text("utf8")):
        shown = []
        for name, content in results.items():
            if (kind := kind_of(content)) in section["kinds"]:
                del rest[name]
                try:
                    tables = [one.markdown() for one in TABLES[str(kind)](content)]
                except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
                    left_out.append(f"{name}.json: of another version ({error!r})")
                else:
                    shown += [f"### {name}\n", *tables, f"`{content.get('command', '')}`\n"]
        if shown:
            published = [Table(**one).markdown() for one in section["published"]]
            parts += [f"## {section['title']}\n", section["about"] + "\n", *shown, *published]
    if rest:
        lines = (f"- `{name}`: `{content['command']}`" for name, content in rest.items())
        parts += ["## Other results\n", *lines, ""]
    if left_out:
        parts += ["## Left out\n", *(f"- {line}" for line in left_out), ""]
    return "\n".join(parts)
