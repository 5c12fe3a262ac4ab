"""Write the pre-training corpus out of a mined folder."""

from concurrent.futures import Executor
from pathlib import Path

from ...errors import InputError, check_names
from .engine import Progress, Task, Workspace, run_stage
from .mine import MEMORY
from .stages.export import FORMATS, export_bucket
from .statistics import count_files

NO_CAP = 1 << 62


def export(
    mined: Path,
    pool: Executor,
    form: str = "tsv",
    cap: int = 0,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> list[Path]:
    """Write a mined folder's samples as `corpus/BUCKET.tsv` or `.parquet`; returns the files.

    `cap` is the number of samples of an acronym's long form at most, 0 for all. Long forms are
    spelt as in a dictionary of the same counts, equal passages are there once, and the order is
    random, the same every time. Finished buckets are skipped. Raises InputError before any work.
    """
    check_names("format", [form], FORMATS)
    if cap < 0:
        raise InputError(f"The cap is {cap}: expected 0 for all samples, or a number of them.")
    workspace = Workspace(mined.absolute())
    with workspace.held():
        tasks = _tasks(workspace, form, cap, memory)
        outcomes = run_stage(workspace, tasks, pool, progress or Progress())
    return [workspace.root / path for outcome in outcomes for path in outcome["outputs"]]


def _tasks(workspace: Workspace, form: str, cap: int, memory: int) -> list[Task]:
    buckets = len(count_files(workspace))
    paths = sorted(workspace.root.glob("samples/*.parquet"))
    files = [str(path.relative_to(workspace.root)) for path in paths]
    size = sum(path.stat().st_size for path in paths) // buckets
    tasks = []
    for bucket in range(buckets):
        name = f"{bucket:03}"
        counted = workspace.outcome("count", name)
        key = f"{counted['key'] if counted else ''} {cap}"
        arguments = (workspace.root, bucket, files, form, cap or NO_CAP, memory, key)
        tasks.append(Task(f"export-{form}", name, key, size, export_bucket, arguments))
    return tasks
