"""Report that compares our results with the tables in papers, and lists all results of a folder.

Each file `papers/NAME.toml` is a paper with tables. A row of a table has the paper's figures (in
the paper's units) and the place of ours:

    [[tables]]
    title = "Table A1: sets with few candidates"
    [[tables.rows]]
    system = "AcroBERT"
    data = "UAD"
    published = {"accuracy" = 93.7, "gladis_macro_f1" = 88.8}
    ours = {task = "gladis", data = "uad", system = "retriever"}
    remark = "Half of the rows."

`ours` selects results by their fields; `file` selects a results file and `settings` a system's
settings. `group` selects a part of the rows, such as `["popularity", "overshadowed"]`. For a figure
in another JSON file, `keys` has the path to it, by the figure's name. `scores` of a table are shown
even without a published figure, for instance where the paper only draws them. `percent = false` is
for a table of counts.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import FormatError, InputError
from ...output.figures import Table
from ..tasks.catalog import LISTINGS, find_task
from ..tasks.results import Result, read_results
from ..tasks.tables import result_tables

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAPERS = Path(__file__).with_name("papers")

ABOUT = """\
# Papers

This page compares our results with the figures that papers report. Scores are in %. Each of our
figures comes from a results file, which names the command that measured it.
"""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Ours(_Strict):
    """Describes where our results for a row of a paper's table are found.

    Attributes:
        file: Stem of the results file. None for any file.
        task: Name of the task.
        data: Name of the data set.
        system: Name of the system.
        settings: Settings that the system must have.
        group: Kind and name of a group of the rows.
        keys: A mapping from names of scores to their paths in another JSON file.
    """

    file: str | None = None
    task: str | None = None
    data: str | None = None
    system: str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    group: tuple[str, str] | None = None
    keys: dict[str, list[str]] = Field(default_factory=dict)


class Row(_Strict):
    """A row of a table in a paper.

    Attributes:
        system: Name of the system in the paper.
        data: Name of the data set.
        published: A mapping from names of scores to the paper's figures.
        ours: Where our results are found. None if we have no results.
        remark: Remark to show in the table.
    """

    system: str
    data: str
    published: dict[str, int | float] = Field(default_factory=dict)
    ours: Ours | None = None
    remark: str = ""


class PaperTable(_Strict):
    """A table of a paper, to be shown with our results next to the published figures.

    Attributes:
        title: Title of the table.
        rows: Rows of the table.
        scores: Names of scores to show even if the paper has no figures for them.
        percent: Whether our results are converted to percentages.
    """

    title: str
    rows: list[Row]
    scores: list[str] = Field(default_factory=list)
    percent: bool = True


class Paper(_Strict):
    """A paper with the tables to compare with.

    Attributes:
        title: Title of the paper.
        about: Paragraph about the paper.
        tasks: Names of the tasks that evaluate on the paper's data.
        tables: Tables of the paper.
    """

    title: str
    about: str
    tasks: list[str]
    tables: list[PaperTable]


class Folder:
    """All results files of a folder.

    Attributes:
        results: A mapping from the stem of each results file to its results.
        others: A mapping from the stems of other JSON files to their contents. They contain the
            command that wrote them.
        left_out: A message for each file that was skipped.
    """

    def __init__(self, folder: Path) -> None:
        """Read the results of a folder.

        Args:
            folder: Path of the folder.

        Raises:
            InputError: If there are no results.
        """
        self.results: dict[str, list[Result]] = {}
        self.others: dict[str, dict[str, Any]] = {}
        self.left_out: list[str] = []
        for path in sorted(folder.glob("*.json*")):
            try:
                if path.suffix == ".jsonl":
                    self.results[path.stem] = list(read_results(path))
                elif "command" in (content := json.loads(path.read_text("utf8"))):
                    self.others[path.stem] = content
                else:
                    self.left_out.append(f"{path.name}: it does not say which command wrote it")
            except (OSError, ValueError, TypeError) as error:  # noqa: PERF203 (the others count)
                self.left_out.append(f"{path.name}: no results ({error})")
        if not self.results and not self.others:
            raise InputError(f"{folder} contains no results of 'spacy-gladis evaluate --output'.")

    def find(self, ours: Ours, score: str, scale: float = 100) -> float | None:
        """Find our result for a row of a paper's table, as the mean over random seeds.

        Args:
            ours: Where the result is found.
            score: Name of the score.
            scale: Factor that the result is multiplied by. 100 gives percentages.

        Returns:
            The scaled score, or None if there is no result.
        """
        if ours.keys:
            return self._in_json(ours.file or "", ours.keys.get(score, []), scale)
        required = ours.model_dump(include={"task", "data", "system"}, exclude_none=True)
        matches = [
            result
            for name, results in self.results.items()
            if ours.file in (None, name)
            for result in results
            if all(getattr(result, field) == value for field, value in required.items())
            and ours.settings.items() <= result.settings.items()
        ]
        values = [
            scale * value
            for result in matches
            if (value := _score(result, ours, score)) is not None
        ]
        return fmean(values) if values else None

    def _in_json(self, name: str, keys: Iterable[str], scale: float) -> float | None:
        content: Any = self.others.get(name) if keys else None
        for key in keys:
            content = content.get(key) if isinstance(content, dict) else None
        return scale * content if isinstance(content, int | float) else None


def _score(result: Result, ours: Ours, score: str) -> float | None:
    """Return a score of a result, or of its selected group."""
    if ours.group:
        kind, name = ours.group
        group = result.groups.get(kind, {}).get(name)
        return group.metrics.get(score) if group else None
    return result.metrics[score].value if score in result.metrics else None


def read_papers(folder: Path = PAPERS) -> Iterator[Paper]:
    """Read the descriptions of papers in a folder.

    Args:
        folder: Folder with a TOML file for each paper.

    Yields:
        The papers, in the order of their files' names.

    Raises:
        FormatError: If a file does not describe a paper. The message names the file.
    """
    for path in sorted(folder.glob("*.toml")):
        try:
            yield Paper.model_validate(tomllib.loads(path.read_text("utf8")))
        except (tomllib.TOMLDecodeError, ValidationError) as error:  # noqa: PERF203 (it is named)
            raise FormatError(f"{path} is not a paper: {error}") from None


def markdown(folder: Folder, *, papers_alone: bool = False) -> str:
    """Create the report in Markdown.

    Args:
        folder: The results to report.
        papers_alone: Whether to include only the tables of papers, without those of all results.

    Returns:
        The report.
    """
    parts = [ABOUT]
    papers = list(read_papers())
    for paper in papers:
        parts += [f"## {paper.title}\n", f"{paper.about}\n"]
        parts += [_beside(table, folder).markdown() for table in paper.tables]
    if not papers_alone:
        for paper in papers:
            by_name = {
                name: [result for result in results if result.task in paper.tasks]
                for name, results in folder.results.items()
            }
            shown = {name: results for name, results in by_name.items() if results}
            parts += [f"## All results: {paper.title}\n"] if shown else []
            for name, results in shown.items():
                parts += [f"### {name}\n", *_results(results)]
        named = {name: content["command"] for name, content in folder.others.items()}
        parts += [
            "## Other results\n",
            *(f"- `{n}`: `{command}`" for n, command in named.items()),
            "",
        ]
        if folder.left_out:
            parts += ["## Left out\n", *(f"- {line}" for line in folder.left_out), ""]
    return "\n".join(parts)


def _results(results: list[Result]) -> Iterator[str]:
    for task in (task for task in LISTINGS if any(result.task == task for result in results)):
        matches = [result for result in results if result.task == task]
        yield from (table.markdown() for table in result_tables(matches, find_task(task).columns))
    yield from (f"`{command}`\n" for command in dict.fromkeys(result.command for result in results))


def _beside(table: PaperTable, folder: Folder) -> Table:
    """Return a paper's table with our results next to the published figures."""
    published = (score for row in table.rows for score in row.published)
    scores = list(dict.fromkeys([*table.scores, *published]))
    headings = [
        f"{score.replace('_', ' ')}: {whose}" for score in scores for whose in ("paper", "ours")
    ]
    shown = Table(table.title, ["system", "data", *headings, "remark"])
    for row in table.rows:
        cells = []
        for score in scores:
            scale = 100 if table.percent else 1
            our_figure = folder.find(row.ours, score, scale) if row.ours else None
            cells += [_figure(row.published.get(score)), _figure(our_figure)]
        ours = f" (ours: {row.ours.system})" if row.ours and row.ours.system else ""
        shown.add(row.system + ours, row.data, *cells, row.remark)
    return shown


def _figure(value: float | None) -> str | None:
    """Format a figure: a count in full, another number with one decimal."""
    if value is None:
        return None
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}"
