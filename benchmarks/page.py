"""The page of the benchmarks, made of their results alone: `docs/benchmarks.md`.

`lines.tsv` says what stands on it: a figure of a results file beside a peer's or a limit. Keys into
the file are joined by ` > `; `less`: the lower the better.
"""

import csv
import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from measuring import RESULTS

from spacy_gladis.files import writing

LINES = Path(__file__).with_name("lines.tsv")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"

INTRODUCTION = """\
# Benchmarks

Made by `python benchmarks/bench.py` from `benchmarks/results/*.json`: `make bench` runs the quick
ones, `make bench LONG=1` all. Each line stands beside a peer, measured in the same run, or a limit.
A ratio above 1 is better than the peer or within the limit.
"""


def write_page(path: Path = PAGE, results: Path = RESULTS) -> None:
    """Write the page; a benchmark without results is left out."""
    with writing(path) as temporary:
        temporary.write_text("\n".join(render(results)), "utf8")


def render(results: Path = RESULTS) -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION
    costs = _read(results / "bench.json").get("runs", {})
    if costs:
        yield from _costs(_read(results / "bench.json"))
    for (title, name), lines in groupby(
        read_lines(), key=lambda line: (line["section"], line["results"])
    ):
        figures = _read(results / f"{name}.json")
        if not figures:
            continue
        yield f"## {title}\n\n`{name}.json`: `{figures['command']}`\n"
        yield "| what | ours | beside it | ratio |\n|---|---|---|---|"
        for line in lines:
            yield row(line, figures)
        yield ""


def read_lines() -> list[dict[str, str]]:
    """The lines of the page, by section."""
    with LINES.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _costs(bench: dict[str, Any]) -> Iterator[str]:
    machine = bench["machine"]
    yield f"Runs on {machine['cores']} cores ({machine['processor']}), Python {bench['python']}:\n"
    yield "| benchmark | seconds | CPU seconds | peak memory of a process, MB |\n|---|---|---|---|"
    for name, cost in bench["runs"].items():
        yield f"| `{name}` | {' | '.join(f'{value:,}' for value in cost.values())} |"
    yield ""


def row(line: dict[str, str], figures: dict[str, Any]) -> str:
    """A line as a row of its table."""
    ours, other = _at(figures, line["ours"]), _at(figures, line["other"])
    if ours is None or other is None:
        return f"| {line['what']} | not measured | {line['peer']} | |"
    above, below = (other, ours) if line["less"] else (ours, other)
    ratio = f"{above / below:.3g}" if below > 0 else ""
    beside = f"{line['peer']}: {_shown(other)}"
    return f"| {line['what']} | {_shown(ours)} {line['unit']} | {beside} | {ratio} |"


def _at(figures: Any, keys: str) -> float | None:
    """The figure under the keys, or the number that is written in their place."""
    with suppress(ValueError):
        return float(keys)
    try:
        for key in keys.split(" > "):
            figures = figures[int(key) if isinstance(figures, list) else key]
    except (KeyError, IndexError):
        return None
    value: float = figures
    return value


def _shown(value: float) -> str:
    """Three figures where that says enough, digits in threes where it is large."""
    if value and abs(value) < 0.001:
        return f"{value:.2e}"
    return f"{round(value):,}" if abs(value) >= 1000 else f"{value:.3g}"


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf8")) if path.exists() else {}
    return content
