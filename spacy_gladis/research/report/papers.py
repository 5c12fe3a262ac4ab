"""Report that compares our results with the tables in papers, and lists all results of a folder.

Each file `papers/NAME.toml` describes the tables of one paper. A row of a table has the figures
that the paper reports, in the paper's units, and says where our results are found:

    [[tables]]
    title = "Table A1: sets with few candidates"
    [[tables.rows]]
    system = "AcroBERT"
    data = "UAD"
    published = {"accuracy" = 93.7, "gladis_macro_f1" = 88.8}
    ours = {task = "gladis", data = "uad", system = "retriever"}
    remark = "Half of the rows."

`ours` selects our results by the task, the data set and the system. It can also have:

- `file`, the name of a results file without its extension.
- `settings`, which the system must have.
- `group`, a group of the data set's rows, such as `["popularity", "overshadowed"]`.
- `keys`, for a figure in another JSON file. It maps the name of the figure to its path of keys.

A table can list `scores` to show even if the paper has no figures for them, for instance because it
only plots them. Tables of counts set `percent = false`.
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
    """Selection of our results that correspond to a row of a paper's table.

    A result is selected if it matches all fields that are not None.

    Attributes:
        file: Name of the results file, without its extension. None selects from all files.
        task: Name of the evaluation task, such as ``"gladis"``.
        data: Name of the data set, such as ``"uad"``.
        system: Name of the system in our results.
        settings: Settings that the system must have. Its other settings may have any value.
        group: Kind and name of a group of the data set's rows, such as ``("popularity",
            "overshadowed")``. None uses the scores of all rows.
        keys: A mapping from names of scores to their paths of keys in `file`, for figures that are
            in another JSON file than the results of `spacy-gladis evaluate`. Empty otherwise.
    """

    file: str | None = None
    task: str | None = None
    data: str | None = None
    system: str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    group: tuple[str, str] | None = None
    keys: dict[str, list[str]] = Field(default_factory=dict)


class Row(_Strict):
    """A row of a table in a paper: the scores of one system on one data set.

    Attributes:
        system: Name of the system in the paper.
        data: Name of the data set.
        published: A mapping from names of scores to the figures that the paper reports.
        ours: Selection of our results to show next to the paper's. None if we have no results.
        remark: Remark to show in the last column of the table.
    """

    system: str
    data: str
    published: dict[str, int | float] = Field(default_factory=dict)
    ours: Ours | None = None
    remark: str = ""


class PaperTable(_Strict):
    """A table in a paper that the report repeats, with our results next to the published figures.

    Attributes:
        title: Title of the table, such as ``"Table A1: sets with few candidates"``.
        rows: Rows of the table, each with the scores of one system on one data set.
        scores: Names of scores to show even if the paper has no figures for them.
        percent: Whether our results are converted to percentages. False for a table of counts.
    """

    title: str
    rows: list[Row]
    scores: list[str] = Field(default_factory=list)
    percent: bool = True


class Paper(_Strict):
    """A paper whose tables the report compares with our results.

    Attributes:
        title: Title of the paper.
        about: Paragraph about the paper, shown above its tables.
        tasks: Names of the evaluation tasks that use the paper's data. All our results for these
            tasks are listed under the paper.
        tables: Tables of the paper, in the order in which they are shown.
    """

    title: str
    about: str
    tasks: list[str]
    tables: list[PaperTable]


class Folder:
    """The evaluation results in all files of a folder.

    Attributes:
        results: A mapping from the name of each JSON Lines file, without its extension, to its
            evaluation results.
        others: A mapping from the name of each other JSON file, without its extension, to its
            content. Only files that name the command that wrote them are included.
        left_out: A message for each file that contains no results, with the reason.
    """

    def __init__(self, folder: Path) -> None:
        """Read the results files in a folder.

        Files that contain no results are listed in `left_out` instead.

        Args:
            folder: Folder with files that `spacy-gladis evaluate --output` and other commands
                wrote, such as `benchmarks/results`. Subfolders are not read.

        Raises:
            InputError: If no file in the folder contains results.
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
                    self.left_out.append(f"{path.name}: the file has no entry 'command'")
            except (OSError, ValueError, TypeError) as error:  # noqa: PERF203 (the others count)
                self.left_out.append(f"{path.name}: the file cannot be read as results ({error})")
        if not self.results and not self.others:
            raise InputError(
                f"The folder {folder} contains no results. Write some with 'spacy-gladis evaluate "
                "--output'."
            )

    def find(self, ours: Ours, score: str, scale: float = 100) -> float | None:
        """Find our score for a row of a paper's table.

        If several results match, such as those of several random seeds, the mean is returned.

        Args:
            ours: Selection of the results for this row.
            score: Name of the score, such as ``"accuracy"``.
            scale: Factor that the score is multiplied by. 100 converts a share to a percentage.

        Returns:
            The scaled score, or None if no result matches or the matching ones lack this score.
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
    """Return a score of a result, for all its rows or for the selected group of rows."""
    if ours.group:
        kind, name = ours.group
        group = result.groups.get(kind, {}).get(name)
        return group.metrics.get(score) if group else None
    return result.metrics[score].value if score in result.metrics else None


def read_papers(folder: Path = PAPERS) -> Iterator[Paper]:
    """Read the tables of papers that our results are compared with.

    Args:
        folder: Folder with a TOML file for each paper. Defaults to the packaged files.

    Yields:
        A `Paper` for each TOML file, sorted by file name.

    Raises:
        FormatError: If a file is not valid TOML or does not describe a paper. The message names the
            file and the invalid field.
    """
    for path in sorted(folder.glob("*.toml")):
        try:
            yield Paper.model_validate(tomllib.loads(path.read_text("utf8")))
        except (tomllib.TOMLDecodeError, ValidationError) as error:  # noqa: PERF203 (it is named)
            raise FormatError(f"{path} is not a valid description of a paper: {error}") from None


def markdown(folder: Folder, *, papers_alone: bool = False) -> str:
    """Create a Markdown report that compares our results with the figures in papers.

    The report repeats the tables of each paper, with our figures next to the published ones. Tables
    of all our results follow, then the commands of other results and the files that were left out.

    Args:
        folder: Results to report, read from a folder.
        papers_alone: Whether to write only the papers' tables, without the parts that follow them.

    Returns:
        The text of the report.
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
    """Create a paper's table that shows our result next to each published figure."""
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
    """Format a figure for a table: counts such as ``"1,234"``, other numbers with one decimal."""
    if value is None:
        return None
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}"
