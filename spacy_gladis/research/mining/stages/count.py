"""Count the mined definitions, a bucket at a time, inside a memory limit."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from ....errors import require
from ....files import writing
from ....problem import ProblemLog
from ....rules.merge_key import merge_key
from ..engine.workspace import Outcome, Workspace

if TYPE_CHECKING:
    import duckdb

ROWS = 20_000  # of a batch on its way from the query to the file

# Sorted, so that equal definitions give equal bytes.
QUERY = """
    SELECT acronym, long_form, domain, count(*) AS frequency
    FROM read_parquet(?) WHERE bucket = ?
    GROUP BY ALL ORDER BY ALL
"""


def schema_of(record: type[tuple[Any, ...]], whole: str = "int32") -> Any:
    """The Parquet schema of a named tuple's fields, whole numbers in the type `whole`."""
    pyarrow = require("pyarrow", "corpus")
    types = {str: pyarrow.string(), int: getattr(pyarrow, whole)()}
    return pyarrow.schema([(name, types[kind]) for name, kind in record.__annotations__.items()])


class Count(NamedTuple):
    """How often a domain defines an acronym by a long form, as it is spelt."""

    acronym: str
    long_form: str
    domain: str
    frequency: int
    merge_key: str


@contextmanager
def connect(memory: int, root: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A DuckDB connection that holds `memory` bytes at most and spills the rest below `root`."""
    with TemporaryDirectory(dir=root, prefix=".spill-") as spill:
        config = {
            "memory_limit": f"{memory // 1_000_000}MB",
            "temp_directory": spill,
            "threads": 1,  # the buckets run beside each other instead
        }
        with require("duckdb", "corpus").connect(config=config) as connection:
            yield connection


def count_bucket(root: Path, bucket: int, files: list[str], memory: int, key: str) -> Outcome:
    """Write `counts/BUCKET.parquet`: a row for each acronym, long form and domain, sorted.

    `files` are the definitions' files within the workspace; `memory` is in bytes. Spellings with
    one merge key are one long form (GLADIS, section 3).
    """
    import pyarrow
    from pyarrow import parquet

    output = f"counts/{bucket:03}.parquet"
    schema = schema_of(Count, "int64")
    total = 0
    with (
        connect(memory, root) as connection,
        writing(root / output) as temporary,
        parquet.ParquetWriter(temporary, schema, compression="zstd") as file,
    ):
        result = connection.execute(QUERY, [[str(root / name) for name in files], bucket])
        while rows := result.fetchmany(ROWS):
            acronyms, long_forms, domains, counts = zip(*rows, strict=True)
            columns = [acronyms, long_forms, domains, counts, list(map(merge_key, long_forms))]
            file.write_table(pyarrow.table(columns, schema=schema))
            total += len(rows)
    return Workspace(root).done(key, [output], {"rows": total}, ProblemLog())


def read_counts(path: Path) -> Iterator[Count]:
    """Yield the counts of one bucket's file, sorted by acronym, long form and domain."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS):
            yield from map(Count._make, zip(*batch.to_pydict().values(), strict=True))
