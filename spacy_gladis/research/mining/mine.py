"""Mine corpora: split large shards, extract, count; resumable at any moment (GLADIS, section 3)."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple

from ... import __version__
from ...documents.piece import Piece
from ...errors import InputError
from ...files import write_json
from ...problem import ProblemLog
from .engine import Outcome, Progress, Task, Workspace, is_finished, run_stage
from .inputs import Input, find_inputs
from .stages.count import count_bucket
from .stages.extract import COUNTED, ExtractionSettings, extract_piece, find_by_name
from .stages.split import is_large, split_shard

MEGABYTE = 1_000_000
PIECE_SIZE = 256 * MEGABYTE
MEMORY = 2000 * MEGABYTE
MAX_BUCKETS = 10_000


class MiningSettings(NamedTuple):
    """What the results depend on, besides the input. A workspace keeps those it was begun with."""

    extraction: ExtractionSettings = ExtractionSettings()
    piece_size: int = PIECE_SIZE  # bytes of text, at which large shards are split
    domain: str | None = None  # of documents that name none

    def check(self) -> None:
        """Raise InputError for settings that cannot be."""
        find_by_name(self.extraction.rules)
        samples = self.extraction.samples
        least = {
            "words": (samples.words, 1),
            "mentions": (samples.mentions, 0),
            "substitutions": (samples.substitutions, 0),
            "buckets": (self.extraction.buckets, 1),
            "piece size": (self.piece_size, 1),
        }
        for name, (value, lowest) in least.items():
            if value < lowest:
                raise InputError(f"The setting '{name}' is {value}: expected {lowest} or more.")
        if self.extraction.buckets > MAX_BUCKETS:
            raise InputError(
                f"{self.extraction.buckets} buckets are too many: {MAX_BUCKETS} at most."
            )

    def to_json(self) -> dict[str, Any]:
        """The settings as the manifest holds them."""
        extraction = self.extraction._asdict()
        samples = extraction.pop("samples")._asdict()
        rest = {"piece_size": self.piece_size, "domain": self.domain}
        return {"package": __version__, **extraction, **samples, **rest}


def mine(
    paths: Sequence[Path],
    output: Path,
    pool: Executor,
    settings: MiningSettings = MiningSettings(),  # noqa: B008 (immutable)
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Workspace:
    """Mine corpora of any format into a workspace (see `engine.workspace`); skip what is finished.

    The work is done by `pool`, any executor (see `engine.executor`) whose workers see `paths` and
    `output`. `memory` in bytes is what the counting of one bucket may hold. Raises InputError
    before any work, TaskError where some of it failed.
    """
    settings.check()
    inputs = find_inputs(paths)
    progress = progress or Progress()
    workspace = Workspace(output.absolute())
    with workspace.held():
        workspace.begin(settings.to_json(), [one.to_json() for one in inputs])
        outcomes = _extract(workspace, inputs, settings, pool, progress)
        _count(workspace, outcomes, settings, memory, pool, progress)
        write_json(workspace.root / "report.json", _report(outcomes))
    return workspace


def split(
    paths: Sequence[Path],
    output: Path,
    pool: Executor,
    piece_size: int = PIECE_SIZE,
    progress: Progress | None = None,
) -> list[Path]:
    """Split files of lines into pieces of about `piece_size` bytes, in `output/pieces`."""
    workspace = Workspace(output.absolute())
    tasks = [_split_task(workspace, one, piece_size) for one in find_inputs(paths, of_lines=True)]
    with workspace.held():
        outcomes = run_stage(workspace, tasks, pool, progress or Progress())
    return [workspace.root / piece for outcome in outcomes for piece in outcome["outputs"]]


def _extract(
    workspace: Workspace,
    inputs: list[Input],
    settings: MiningSettings,
    pool: Executor,
    progress: Progress,
) -> list[Outcome]:
    """The outcomes of splitting and of extracting, in the inputs' order."""

    def tasks_of(one: Input, parts: Outcome | None) -> list[Task]:
        pieces = _pieces(workspace, one, parts, settings.domain)
        size = one.size // max(1, len(pieces))
        arguments = [(workspace.root, piece, settings.extraction, one.key) for piece in pieces]
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
    for one, outcome in zip(wanted, run_stage(workspace, splits, pool, progress), strict=True):
        parts[one.name] = outcome
    tasks = [task for one in inputs for task in tasks_of(one, parts.get(one.name))]
    extracted = run_stage(workspace, tasks, pool, progress)
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
    progress: Progress,
) -> None:
    files = {
        path: size
        for outcome in outcomes
        for path, size in outcome["outputs"].items()
        if path.startswith("definitions/")
    }
    made_from = [[outcome["key"], outcome["outputs"]] for outcome in outcomes]
    key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()
    buckets = settings.extraction.buckets
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
    run_stage(workspace, tasks, pool, progress)


def _report(outcomes: list[Outcome]) -> dict[str, Any]:
    """What was read and found, by domain, and what was wrong with it."""
    domains: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        for domain, counts in outcome["statistics"].get("domains", {}).items():
            sums = domains.setdefault(domain, dict.fromkeys(COUNTED, 0))
            for name in COUNTED:
                sums[name] += counts[name]
    problems = [outcome["problems"] for outcome in outcomes]
    return {
        "domains": dict(sorted(domains.items())),
        "problems": {
            "counts": ProblemLog.total(problems),
            "examples": [example for problem in problems for example in problem["examples"]],
        },
    }
