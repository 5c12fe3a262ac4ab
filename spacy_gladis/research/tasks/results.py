"""Records of evaluation runs, and the file that stores them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import FormatError
from ...files import write_text


class Strict(BaseModel):
    """An immutable model without extra fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(Strict):
    """A score with its confidence interval.

    Attributes:
        value: The score. None if there is nothing to score.
        low: Lower end of the 95 % bootstrap interval. None if no interval was computed.
        high: Upper end of the interval, or None.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


class Group(Strict):
    """Scores of a group of a data set's rows.

    Attributes:
        rows: The number of rows.
        metrics: Scores by name.
    """

    rows: int
    metrics: dict[str, float | None]


class Cost(Strict):
    """The cost of a run.

    Attributes:
        questions: The number of questions answered.
        fit_seconds: CPU seconds of `fit`.
        predict_seconds: CPU seconds of `predict`.
        peak_megabytes: Peak memory of the process in megabytes. None on other systems than Linux.
    """

    questions: int
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    peak_megabytes: int | None = None


class Run(Strict):
    """One run of one system on one data set. Equal runs have equal results.

    Attributes:
        task: The task's name.
        data: The data set's name.
        details: Properties of the data set, such as its number of rows.
        system: The system's name.
        settings: The system's settings without its seed.
        seed: The random seed, 0 for a system without one.
        inputs: Hashes of the files and folders that the run reads: "data", and one for each option
            that names a file or folder.
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
        """Return a key that identifies the run.

        It contains the hash of the data, but not those of other inputs such as weights.
        """
        data, settings = self.inputs.get("data"), sorted(self.settings.items())
        return self.task, self.data, data, self.system, settings, self.seed


class Result(Run):
    """A run with its scores.

    Attributes:
        metrics: Scores by name.
        groups: Scores of parts of the data, by the name of a property and its value.
        cost: Time and memory.
        command: The command that produced the result.
        versions: Versions of Python and of the packages that results depend on.
    """

    metrics: dict[str, Metric]
    groups: dict[str, dict[str, Group]]
    cost: Cost
    command: str
    versions: dict[str, str]


class ResultsFile:
    """A JSON Lines file of results, which is rewritten as a whole whenever a result is added.

    Attributes:
        path: Path of the file.
        results: The results that it holds.
    """

    def __init__(self, path: Path | None) -> None:
        """Open or create a results file.

        Args:
            path: Path of the file. Its existing results are read and kept. None to write no file.

        Raises:
            FormatError: If a line of the file is not a result.
        """
        self.path = path
        self.results = list(read_results(path)) if path and path.is_file() else []

    def find(self, run: Run) -> Result | None:
        """Find the result of a run.

        Args:
            run: The run to look up. All of its fields must be equal.

        Returns:
            The result, or None if the file has no result of this run.
        """
        wanted = run.model_dump()
        fields = set(wanted)
        return next(
            (kept for kept in self.results if kept.model_dump(include=fields) == wanted), None
        )

    def add(self, result: Result) -> None:
        """Add a result and write the file.

        The new result replaces a result with the same `Run.name`, such as one of older weights.

        Args:
            result: The result to add.
        """
        self.results = [kept for kept in self.results if kept.name != result.name]
        self.results.append(result)
        if self.path:
            write_text(self.path, "".join(f"{kept.model_dump_json()}\n" for kept in self.results))


def read_results(path: Path) -> Iterator[Result]:
    """Read the results of a file.

    Args:
        path: A JSON Lines file.

    Yields:
        The results, in the order of the lines.

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
                f"{error.errors()[0]['msg']}."
            ) from None
