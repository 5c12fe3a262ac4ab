"""The pre-training corpus: the mined samples, a shard a bucket, capped and shuffled."""

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from ...errors import check_names
from ...files import writing
from ...problem import ProblemLog
from ..datasets.sample import Sample
from .engine import Progress, Task, run_stage
from .mine import MEMORY
from .stages import connect, schema_of
from .statistics import count_files
from .workspace import Outcome, Workspace

ROWS = 10_000
FORMATS = ("tsv", "parquet")

# Long forms get the spelling that is most frequent among those with their merge key, as in the
# dictionary (of equally frequent ones the shortest, then the first). Equal passages count once.
# An md5 orders the rows: at random, and the same everywhere.
QUERY = """
    WITH spelling AS (
        SELECT acronym, long_form AS spelt, first_value(long_form) OVER (
            PARTITION BY acronym, merge_key
            ORDER BY sum(frequency) DESC, length(long_form), long_form
        ) AS long_form
        FROM read_parquet($counts) GROUP BY acronym, merge_key, long_form
    ),
    sample AS (
        SELECT s.acronym, spelling.long_form, s.text, s.start, s.end, s.domain, s.kind, s.document,
            md5(s.text || s.start || s.acronym) AS shuffled
        FROM read_parquet($samples) AS s
        JOIN spelling ON spelling.acronym = s.acronym AND spelling.spelt = s.long_form
        WHERE s.bucket = $bucket
        QUALIFY row_number() OVER (
            PARTITION BY s.acronym, s.text, s.start ORDER BY spelling.long_form, s.document, s.kind
        ) = 1
    )
    SELECT * EXCLUDE (shuffled) FROM sample
    QUALIFY row_number() OVER (PARTITION BY acronym, long_form ORDER BY shuffled) <= $cap
    ORDER BY shuffled
"""


def export_bucket(
    root: Path, bucket: int, files: list[str], form: str, cap: int, memory: int, key: str
) -> Outcome:
    """Write `corpus/BUCKET.tsv` or `.parquet`: at most `cap` samples of an acronym's long form.

    `files` are the samples' files within the workspace, `memory` is in bytes. A line of the TSV is
    `acronym, long form, sentence`, as in the published pre-training corpus.
    """
    output = f"corpus/{bucket:03}.{form}"
    parameters = {
        "counts": str(root / f"counts/{bucket:03}.parquet"),
        "samples": [str(root / name) for name in files],
        "bucket": bucket,
        "cap": cap,
    }
    with connect(memory, root) as connection, writing(root / output) as temporary:
        result = connection.execute(QUERY, parameters)
        batches = iter(lambda: result.fetchmany(ROWS), [])
        total = (_write_tsv if form == "tsv" else _write_parquet)(temporary, batches)
    return Workspace(root).done(key, [output], {"samples": total}, ProblemLog())


def _write_tsv(path: Path, batches: Iterator[list[tuple[Any, ...]]]) -> int:
    total = 0
    with path.open("w", encoding="utf-8") as file:
        for rows in batches:
            for sample in map(Sample._make, rows):
                fields = (sample.acronym, sample.long_form, sample.text)
                file.write("\t".join(" ".join(field.split()) for field in fields) + "\n")
            total += len(rows)
    return total


def _write_parquet(path: Path, batches: Iterator[list[tuple[Any, ...]]]) -> int:
    import pyarrow
    from pyarrow import parquet

    schema = schema_of(Sample)
    total = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for rows in batches:
            file.write_table(pyarrow.table(list(zip(*rows, strict=True)), schema=schema))
            total += len(rows)
    return total


NO_CAP = 1 << 62


def export(
    mined: Path, pool: Executor, form: str = "tsv", cap: int = 0, memory: int = MEMORY
) -> list[Path]:
    """Write a mined folder's samples as `corpus/BUCKET.tsv` or `.parquet`; returns the files.

    `cap` is the number of samples of an acronym's long form at most, 0 for all. Long forms are
    spelt as in a dictionary of the same counts, equal passages are there once, and the order is
    random, the same every time. Finished buckets are skipped. Raises InputError before any work.
    """
    check_names("format", [form], FORMATS)
    workspace = Workspace(mined.absolute())
    with workspace.held():
        tasks = _tasks(workspace, form, cap, memory)
        outcomes = run_stage(workspace, tasks, pool, Progress())
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
