"""Mine corpora: split large shards, extract, count; resumable (GLADIS, section 3.1)."""

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
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
    """A file or folder to mine."""

    name: str
    path: Path
    size: int  # bytes on disk
    modified: int  # nanoseconds
    of_lines: bool  # it can be split

    @property
    def key(self) -> str:
        """What its finished work was made from: a file that changed is mined again."""
        return f"{self.size} bytes of {self.modified}"

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "path": str(self.path), "size": self.size}


def find_inputs(paths: Sequence[Path]) -> list[Input]:
    """The inputs at the paths, sorted by name; a folder of JSON lines stands for its files.

    Raises InputError where a path is missing or of no known format, or two would have one name.
    """
    inputs: dict[str, Input] = {}
    for path in (found.absolute() for given in paths for found in _expanded(given)):
        form = format_of(path)
        files = [file for file in sorted(path.rglob("*")) if file.is_file()] or [path]
        stats = [file.stat() for file in files]
        name = path.name.split(".")[0]
        if name in inputs and inputs[name].path != path:
            raise InputError(
                f"{inputs[name].path} and {path} would have the same name in the output. "
                "Rename one or mine it into another folder."
            )
        inputs[name] = Input(
            name,
            path,
            sum(stat.st_size for stat in stats),
            max(stat.st_mtime_ns for stat in stats),
            form.of_lines,
        )
    if not inputs:
        raise InputError("No corpus was given: name shards, files or folders.")
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
    """Mine corpora of any format into a workspace (see `engine.Workspace`); skip what is finished.

    The work is done by `pool`, any executor (see `engine.executor`) whose workers see `paths` and
    `output`. `memory` in bytes is what the counting of one bucket may hold. Raises InputError
    before any work, TaskError where some of it failed.
    """
    check_names("rules", [settings.rules], list(RULES))
    inputs = find_inputs(paths)
    workspace = Workspace(output.absolute())
    with workspace.held():
        workspace.begin(
            {"package": __version__, **settings._asdict()}, [one.to_json() for one in inputs]
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
    """The outcomes of splitting and of extracting, in the inputs' order."""

    def tasks_of(one: Input, parts: Outcome | None) -> list[Task]:
        pieces = _pieces(workspace, one, parts, settings.domain)
        size = one.size // max(1, len(pieces))
        arguments = [(workspace.root, piece, settings, one.key) for piece in pieces]
        return [
            Task("extract", piece.name, one.key, size, extract_piece, argument)
            for piece, argument in zip(pieces, arguments, strict=True)
        ]

    large = [one for one in inputs if one.of_lines and is_large(one.path, settings.piece_size)]
    parts = {one.name: workspace.outcome("split", one.name, one.key) for one in large}
    # The pieces go when all are extracted: a shard is split again only where one is wanted.
    wanted = [
        one
        for one in large
        if parts[one.name] is None
        or not all(is_finished(workspace, task) for task in tasks_of(one, parts[one.name]))
    ]
    splits = [_split_task(workspace, one, settings.piece_size) for one in wanted]
    for one, outcome in zip(wanted, run_stage(workspace, splits, pool), strict=True):
        parts[one.name] = outcome
    tasks = [task for one in inputs for task in tasks_of(one, parts.get(one.name))]
    extracted = run_stage(workspace, tasks, pool)
    shutil.rmtree(workspace.root / "pieces", ignore_errors=True)
    return [*filter(None, parts.values()), *extracted]


def _split_task(workspace: Workspace, one: Input, piece_size: int) -> Task:
    arguments = (workspace.root, one.name, one.path, piece_size, one.key)
    return Task("split", one.name, one.key, one.size, split_shard, arguments)


def _pieces(
    workspace: Workspace, one: Input, parts: Outcome | None, domain: str | None
) -> list[Piece]:
    if parts is None:
        return [Piece.whole(one.path, domain, one.name)]
    starts = zip(parts["outputs"], parts["statistics"]["first_lines"], strict=True)
    return [
        Piece(
            Path(path).name.split(".")[0],
            workspace.root / path,
            one.name,
            one.path,
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
    """What was read and found, by domain, and what was wrong with it."""
    domains: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        for domain, counts in outcome["statistics"].get("domains", {}).items():
            domains.setdefault(domain, Counter()).update(counts)
    problems = [outcome["problems"] for outcome in outcomes]
    counts = sum((Counter(one["counts"]) for one in problems), Counter[str]())
    return {
        "domains": dict(sorted(domains.items())),
        "problems": {
            "counts": dict(sorted(counts.items())),
            "examples": [example for problem in problems for example in problem["examples"]],
        },
    }


def parse_size(text: str) -> int:
    """The bytes of a size: "2GB", "512 MiB", "1000". Raises InputError for anything else."""
    try:
        if not re.fullmatch(r"\s*\d*\.?\d+\s*[A-Za-z]*\s*", text):  # pydantic reads the beginning
            raise ValueError(text)
        return TypeAdapter(Annotated[ByteSize, Field(ge=1)]).validate_python(text)
    except ValueError:  # pydantic's among them
        raise InputError(
            f"{text!r} is not a size. Expected a number and a unit: 512MB or 2GB."
        ) from None
