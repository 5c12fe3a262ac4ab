"""The page of the benchmarks, made of their results alone: `docs/benchmarks.md`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lines import SECTIONS, Keys, Line
from measuring import RESULTS

from spacy_gladis.files import writing

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
    for section in SECTIONS:
        figures = _read(results / f"{section.name}.json")
        if not figures:
            continue
        yield f"## {section.title}\n\n`{section.name}.json`: `{figures['command']}`\n"
        yield "| what | ours | beside it | ratio |\n|---|---|---|---|"
        for line in section.lines:
            yield row(line, figures)
        yield ""


def _costs(bench: dict[str, Any]) -> Iterator[str]:
    machine = bench["machine"]
    yield f"Runs on {machine['cores']} cores ({machine['processor']}), Python {bench['python']}:\n"
    yield "| benchmark | seconds | CPU seconds | peak memory of a process, MB |\n|---|---|---|---|"
    for name, cost in bench["runs"].items():
        yield f"| `{name}` | {' | '.join(f'{value:,}' for value in cost.values())} |"
    yield ""


def row(line: Line, figures: dict[str, Any]) -> str:
    """A line as a row of its table."""
    ours = _at(figures, line.ours)
    other = line.other if isinstance(line.other, (int, float)) else _at(figures, line.other)
    if ours is None or other is None:
        return f"| {line.what} | not measured | {line.peer} | |"
    above, below = (other, ours) if line.less else (ours, other)
    ratio = f"{above / below:.3g}" if below > 0 else ""
    return f"| {line.what} | {_shown(ours)} {line.unit} | {line.peer}: {_shown(other)} | {ratio} |"


def _at(figures: Any, keys: Keys) -> float | None:
    try:
        for key in keys:
            figures = figures[key]
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
