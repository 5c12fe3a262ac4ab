"""The record of one run of one system, and the file that keeps records."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...errors import FormatError
from ...files import write_text


class Strict(BaseModel):
    """A value that is not changed and has no other fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(Strict):
    """A score with the ends of its 95 % interval, where one was computed."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Group(Strict):
    """Scores of some rows of a data set."""

    rows: int
    metrics: dict[str, float | None]


class Cost(Strict):
    """What a run took: CPU seconds of both steps, and the largest memory of the process."""

    questions: int
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    peak_megabytes: int | None = None


class Run(Strict):
    """One run of one system on one data set; equal runs have equal results.

    Attributes:
        task: The task's name.
        data: The data set's name.
        details: What describes the data set, such as the number of its rows.
        system: The system's name.
        settings: The system's settings.
        seed: The seed; 0 for a system without one.
        inputs: Hashes of the files and folders that the run reads: "data", and the options that
            name one.
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
        """What tells the run from others, whatever its input files hold but for the data."""
        data, settings = self.inputs.get("data"), sorted(self.settings.items())
        return self.task, self.data, data, self.system, settings, self.seed


class Result(Run):
    """What a run gave.

    Attributes:
        metrics: Scores by name.
        groups: Scores of parts of the data, by a property and its values.
        cost: Time and memory.
        command: The exact command.
        versions: Versions of Python and the packages that results depend on.
    """

    metrics: dict[str, Metric]
    groups: dict[str, dict[str, Group]]
    cost: Cost
    command: str
    versions: dict[str, str]


class ResultsFile:
    """A file of results, JSON Lines, one result a line; it is whole at any time.

    Args:
        path: The file. Results that it holds are read, and kept. None: nothing is written.

    Raises:
        FormatError: If the file holds anything but results.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.results = list(read_results(path)) if path and path.is_file() else []

    def find(self, run: Run) -> Result | None:
        """Find the result of a run."""
        wanted = run.model_dump()
        fields = set(wanted)
        return next((one for one in self.results if one.model_dump(include=fields) == wanted), None)

    def add(self, result: Result) -> None:
        """Add a result in place of one that other files gave, such as older weights; write all."""
        self.results = [one for one in self.results if one.name != result.name]
        self.results.append(result)
        if self.path:
            write_text(self.path, "".join(f"{one.model_dump_json()}\n" for one in self.results))


def read_results(path: Path) -> Iterator[Result]:
    """Read the results of a file.

    Raises:
        FormatError: If a line is not a result; the message names it.
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
