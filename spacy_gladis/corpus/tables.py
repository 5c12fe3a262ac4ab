"""The mined rows as Parquet files, in the order of their buckets: a row group a bucket."""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any

from ..errors import missing_extra

BATCH = 2048  # rows turned into columns at once
HELD = 32 << 20  # bytes of columns in memory before they are sorted and written

DEFINITIONS = {"acronym": "string", "long_form": "string", "domain": "string", "document": "string"}
SAMPLES = {
    "acronym": "string",
    "long_form": "string",
    "text": "string",
    "start": "int32",
    "end": "int32",
    "domain": "string",
    "kind": "string",
    "document": "string",
}
PLAIN = {"bucket", "text", "start", "end"}  # columns whose values hardly repeat


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """The bucket of an acronym: all its rows are in one, the same on every machine."""
    return zlib.crc32(acronym.encode()) % buckets


class BucketWriter:
    """Writes rows (tuples in the order of `columns`, the acronym first), a row group a bucket.

    Rows of a bucket keep their order. More than `HELD` rows are written in several rounds.
    """

    def __init__(self, path: Path, columns: dict[str, str], buckets: int) -> None:
        try:
            import pyarrow
            import pyarrow.compute
            from pyarrow import parquet
        except ImportError as error:
            raise missing_extra("pyarrow", "corpus") from error
        self._arrow = pyarrow
        self._buckets = buckets
        types = {"bucket": "uint16", **columns}
        self._schema = pyarrow.schema([(name, getattr(pyarrow, types[name])()) for name in types])
        self._file = parquet.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in types if name not in PLAIN],
            write_statistics=["bucket"],
        )
        self._rows: list[tuple[Any, ...]] = []
        self._batches: list[Any] = []
        self._held = 0

    def __enter__(self) -> "BucketWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._pack()
                self._flush()
        finally:
            self._file.close()

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take rows in."""
        self._rows += rows
        if len(self._rows) >= BATCH:
            self._pack()
            if self._held >= HELD:
                self._flush()

    def _pack(self) -> None:
        """Turn the rows into columns, which take less memory."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        columns = [[bucket_of(row[0], self._buckets) for row in rows], *zip(*rows, strict=True)]
        arrays = [
            self._arrow.array(column, type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        batch = self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._batches.append(batch)
        self._held += batch.nbytes

    def _flush(self) -> None:
        """Write what is held, sorted by bucket."""
        table = self._arrow.Table.from_batches(self._batches, schema=self._schema).combine_chunks()
        self._batches, self._held = [], 0
        if not len(table):
            return
        table = table.take(self._arrow.compute.sort_indices(table["bucket"]))
        start = 0
        for _, group in groupby(table["bucket"].to_pylist()):
            size = sum(1 for _ in group)
            self._file.write_table(table.slice(start, size), row_group_size=size)
            start += size
