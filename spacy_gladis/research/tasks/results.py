"""Records of evaluation runs with their scores, and the results file that stores them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import FormatError
from ...files import write_text


class Strict(BaseModel):
    """Base class of immutable records that reject unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(Strict):
    """A score of a run, with its confidence interval.

    Attributes:
        value: The score. None if there was nothing to score.
        low: Lower end of the 95 % bootstrap interval. None if no interval was computed.
        high: Upper end of the 95 % bootstrap interval. None if no interval was computed.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


class Group(Strict):
    """Scores on a part of a data set, such as all rows of one domain.

    Attributes:
        rows: Number of rows in this part of the data set.
        metrics: Scores by name. A score is None if there was nothing to score.
    """

    rows: int
    metrics: dict[str, float | None]


class Cost(Strict):
    """Computing time and memory that a run needed.

    Attributes:
        questions: Number of questions that the system answered.
        fit_seconds: CPU seconds that the system's `fit` took. None if they were not measured.
        predict_seconds: CPU seconds that the system's `predict` took for all questions. None if
            they were not measured.
        peak_megabytes: Peak memory of the process during the run, in megabytes. None on operating
            systems other than Linux.
    """

    questions: int
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    peak_megabytes: int | None = None


class Run(Strict):
    """Description of one run of a system on a data set, without its scores.

    The runner repeats a run only if its description has changed. If all fields of two runs are
    equal, so are their results.

    Attributes:
        task: Name of the evaluation task, such as "bioc".
        data: Name of the data set.
        details: Properties of the data set, such as its number of rows.
        system: Name of the system.
        settings: Settings of the system by name, without its seed.
        seed: Random seed. Systems without a seed are recorded with the first seed of the
            evaluation, by default 0.
        inputs: Hashes of the files and folders that the run reads. "data" is the hash of the data
            sets. Each setting that names a file or folder has a hash under its own name.
    """

    task: str
    data: str
    details: dict[str, int | float | str | None]
    system: str
    settings: dict[str, Any]
    seed: int
    inputs: dict[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> tuple[object, ...]:
        """Key of the run in a results file. A new result replaces an older one with the same key.

        The key contains the hash of the data, but not the hashes of other inputs, such as weights.
        """
        data, settings = self.inputs.get("data"), sorted(self.settings.items())
        return self.task, self.data, data, self.system, settings, self.seed


class Result(Run):
    """A run of a system on a data set, with its scores. It is one record of a results file.

    Attributes:
        metrics: Scores on the whole data set, by name.
        groups: Scores on parts of the data set. `groups["domain"]["medical"]`, for example, has the
            scores of the rows whose property "domain" has the value "medical".
        cost: Computing time and memory that the run needed.
        command: Command line that produced the result.
        versions: Versions of Python and of the installed packages that results depend on, by name.
    """

    metrics: dict[str, Metric]
    groups: dict[str, dict[str, Group]]
    cost: Cost
    command: str
    versions: dict[str, str]


class ResultsFile:
    """A JSON Lines file with the results of evaluation runs, one on each line.

    The whole file is rewritten whenever a result is added.

    Attributes:
        path: Path of the file. None if results are kept in memory only.
        results: The results in the file, in the order of its lines.
    """

    def __init__(self, path: Path | None) -> None:
        """Open a results file and read the results that it already contains.

        Args:
            path: Path of the file. It is created with the first result if it does not exist. None
                keeps results in memory only.

        Raises:
            FormatError: If a line of the file is not a result. The message names the line.
        """
        self.path = path
        self.results = list(read_results(path)) if path and path.is_file() else []

    def find(self, run: Run) -> Result | None:
        """Look up the result of a run that was made before.

        Args:
            run: Description of the run. A result matches only if all fields of the description are
                equal, including settings and hashes of inputs.

        Returns:
            The first matching result, or None if there is none.
        """
        wanted = run.model_dump()
        fields = set(wanted)
        return next(
            (kept for kept in self.results if kept.model_dump(include=fields) == wanted), None
        )

    def add(self, result: Result) -> None:
        """Add a result and rewrite the file.

        The new result replaces an older result with the same `Run.name`, for example one that was
        computed with older weights.

        Args:
            result: The result to add. It becomes the last line of the file.
        """
        self.results = [kept for kept in self.results if kept.name != result.name]
        self.results.append(result)
        if self.path:
            write_text(self.path, "".join(f"{kept.model_dump_json()}\n" for kept in self.results))


def read_results(path: Path) -> Iterator[Result]:
    """Read the results that `spacy-gladis evaluate` wrote to a file.

    Args:
        path: Path of the JSON Lines file.

    Yields:
        A result for each line, in the order of the lines.

    Raises:
        FormatError: If a line is not a result. The message names the line.
    """
    lines = path.read_text("utf8").rstrip("\n").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            yield Result.model_validate_json(line)
        except ValidationError as error:  # noqa: PERF203 (the message names the line)
            raise FormatError(
                f"{path}:{number} is not a result of 'spacy-gladis evaluate': "
                f"{error.errors()[0]['msg']}. Remove the line or use another file."
            ) from None
