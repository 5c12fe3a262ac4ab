"""Mining of corpora for definitions of acronyms and for samples (GLADIS, section 3.1).

Mining has three stages: large files are split, definitions and samples are extracted, and the
definitions are counted. A run that was interrupted can be resumed.
"""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import ByteSize, Field, TypeAdapter

from ... import __version__
from ...errors import InputError, check_names
from ...files import write_json
from .engine import Outcome, Task, Workspace, is_finished, run_stage
from .readers import Piece, format_of
from .stages import (
    RULES,
    MiningSettings,
    count_bucket,
    extract_piece,
    is_large,
    split_shard,
)


class Input(NamedTuple):
    """A file or folder of a corpus that is mined.

    Attributes:
        name: Name of the file or folder up to its first dot, which names the output files.
        path: Absolute path of the file or folder.
        size: Size on disk, in bytes. For a folder, the sum over its files.
        modified: Time of the last change, in nanoseconds since 1970.
        of_lines: Whether a file consists of lines, so that it can be split into pieces.
    """

    name: str
    path: Path
    size: int
    modified: int
    of_lines: bool

    @property
    def key(self) -> str:
        """Key that identifies the state of the input. If it changes, the input is mined again.

        It consists of the size and the time of the last change.
        """
        return f"{self.size} bytes of {self.modified}"

    def to_json(self) -> dict[str, Any]:
        """Return the description of the input that the manifest of a mining run contains.

        Returns:
            A mapping with the keys `name`, `path` and `size`.
        """
        return {"name": self.name, "path": str(self.path), "size": self.size}


def find_inputs(paths: Sequence[Path]) -> list[Input]:
    """Find the files and folders to mine, and check that their formats are supported.

    Args:
        paths: Paths of corpora. A folder that contains JSON Lines files stands for all of these
            files. Any other folder is one input.

    Returns:
        The inputs, sorted by name.

    Raises:
        InputError: If there are no inputs, a path does not exist or has an unknown format, or two
            inputs have the same name.
    """
    inputs: dict[str, Input] = {}
    expanded = chain.from_iterable(map(_expanded, paths))
    for path in (path.absolute() for path in expanded):
        form = format_of(path)
        files = [file for file in sorted(path.rglob("*")) if file.is_file()] or [path]
        stats = [file.stat() for file in files]
        name = path.name.split(".")[0]
        if name in inputs and inputs[name].path != path:
            raise InputError(
                f"{inputs[name].path} and {path} would have the same name '{name}' in the output. "
                "Rename one of them or mine it into another folder."
            )
        inputs[name] = Input(
            name,
            path,
            sum(stat.st_size for stat in stats),
            max(stat.st_mtime_ns for stat in stats),
            form.of_lines,
        )
    if not inputs:
        raise InputError("No corpus is given. Name at least one file or folder.")
    return [inputs[name] for name in sorted(inputs)]


def _expanded(path: Path) -> list[Path]:
    if path.is_dir() and (shards := sorted(path.glob("*.jsonl*"))):
        return shards
    return [path]


MEMORY = 2_000_000_000


def mine(
    paths: Sequence[Path],
    output: Path,
    pool: Executor,
    settings: MiningSettings = MiningSettings(),  # noqa: B008 (immutable)
    memory: int = MEMORY,
) -> Workspace:
    """Mine corpora for definitions of acronyms and for samples, and count the definitions.

    If the output folder contains results of an earlier run, the run is resumed: only new, changed
    and unfinished inputs are mined.

    Args:
        paths: Paths of corpora, as files or folders in any format of `readers.read_documents`.
        output: Folder to write to. See `engine.Workspace` for its content.
        pool: Executor whose workers do the work; see `engine.executor`. All workers must be able to
            access `paths` and `output`.
        settings: Settings that influence the results, such as the rules that find definitions.
        memory: Memory limit for counting one bucket of acronyms, in bytes.

    Returns:
        The output folder, as a workspace.

    Raises:
        InputError: If an input or a setting is invalid, or another run uses the folder. The error
            is raised before the work starts.
        TaskError: If a part of the work failed. The message says what to do.
    """
    check_names("rules", [settings.rules], list(RULES))
    inputs = find_inputs(paths)
    workspace = Workspace(output.absolute())
    with workspace.held():
        workspace.begin(
            {"package": __version__, **settings._asdict()}, [source.to_json() for source in inputs]
        )
        outcomes = _extract(workspace, inputs, settings, pool)
        _count(workspace, outcomes, settings, memory, pool)
        write_json(workspace.root / "report.json", _report(outcomes))
    return workspace


def _extract(
    workspace: Workspace,
    inputs: list[Input],
    settings: MiningSettings,
    pool: Executor,
) -> list[Outcome]:
    """Split large inputs and extract the definitions and samples of all inputs.

    Returns the outcomes of both stages.
    """

    def tasks_of(source: Input, parts: Outcome | None) -> list[Task]:
        pieces = _pieces(workspace, source, parts, settings.domain)
        size = source.size // max(1, len(pieces))
        arguments = [(workspace.root, piece, settings, source.key) for piece in pieces]
        return [
            Task("extract", piece.name, source.key, size, extract_piece, argument)
            for piece, argument in zip(pieces, arguments, strict=True)
        ]

    large = [
        source
        for source in inputs
        if source.of_lines and is_large(source.path, settings.piece_size)
    ]
    parts = {source.name: workspace.outcome("split", source.name, source.key) for source in large}
    # Pieces are deleted after extraction; a shard is split again only if a piece is needed.
    wanted = [
        source
        for source in large
        if parts[source.name] is None
        or not all(is_finished(workspace, task) for task in tasks_of(source, parts[source.name]))
    ]
    splits = [_split_task(workspace, source, settings.piece_size) for source in wanted]
    for source, outcome in zip(wanted, run_stage(workspace, splits, pool), strict=True):
        parts[source.name] = outcome
    tasks = [task for source in inputs for task in tasks_of(source, parts.get(source.name))]
    extracted = run_stage(workspace, tasks, pool)
    shutil.rmtree(workspace.root / "pieces", ignore_errors=True)
    return [*filter(None, parts.values()), *extracted]


def _split_task(workspace: Workspace, source: Input, piece_size: int) -> Task:
    arguments = (workspace.root, source.name, source.path, piece_size, source.key)
    return Task("split", source.name, source.key, source.size, split_shard, arguments)


def _pieces(
    workspace: Workspace, source: Input, parts: Outcome | None, domain: str | None
) -> list[Piece]:
    if parts is None:
        return [Piece.whole(source.path, domain, source.name)]
    starts = zip(parts["outputs"], parts["statistics"]["first_lines"], strict=True)
    return [
        Piece(
            Path(path).name.split(".")[0],
            workspace.root / path,
            source.name,
            source.path,
            first_line,
            domain,
        )
        for path, first_line in starts
    ]


def _count(
    workspace: Workspace,
    outcomes: list[Outcome],
    settings: MiningSettings,
    memory: int,
    pool: Executor,
) -> None:
    files = {
        path: size
        for outcome in outcomes
        for path, size in outcome["outputs"].items()
        if path.startswith("definitions/")
    }
    made_from = [[outcome["key"], outcome["outputs"]] for outcome in outcomes]
    key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()
    buckets = settings.buckets
    tasks = [
        Task(
            "count",
            f"{bucket:03}",
            key,
            sum(files.values()) // buckets,
            count_bucket,
            (workspace.root, bucket, list(files), memory, key),
        )
        for bucket in range(buckets)
    ]
    run_stage(workspace, tasks, pool)


def _report(outcomes: list[Outcome]) -> dict[str, Any]:
    """Combine the statistics and problems of all tasks, for the file `report.json`."""
    domains: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        for domain, counts in outcome["statistics"].get("domains", {}).items():
            domains.setdefault(domain, Counter()).update(counts)
    problems = [outcome["problems"] for outcome in outcomes]
    counts = sum((Counter(entry["counts"]) for entry in problems), Counter[str]())
    return {
        "domains": dict(sorted(domains.items())),
        "problems": {
            "counts": dict(sorted(counts.items())),
            "examples": [example for problem in problems for example in problem["examples"]],
        },
    }


def parse_size(text: str) -> int:
    """Convert a size that a user wrote, such as "2GB" or "512 MiB", to a number of bytes.

    Args:
        text: A number, optionally followed by a unit. A number without a unit is in bytes.

    Returns:
        The size in bytes, at least 1.

    Raises:
        InputError: If the text is not a number with an optional unit, or the size is below 1 byte.
    """
    try:
        if not re.fullmatch(
            r"\s*\d*\.?\d+\s*[A-Za-z]*\s*", text
        ):  # pydantic accepts a valid prefix
            raise ValueError(text)
        return TypeAdapter(Annotated[ByteSize, Field(ge=1)]).validate_python(text)
    except ValueError:  # includes pydantic's ValidationError
        raise InputError(
            f"{text!r} is not a size. Write a number and a unit, such as 512MB or 2GB."
        ) from None
