"""The mined rows as Parquet files, in the order of their buckets: a row group a bucket."""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from ..errors import missing_extra

BATCH = 4096  # rows turned into columns at once
HELD = 64 << 20  # bytes of columns held in memory before they are sorted and written

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

    Rows of a bucket keep their order. Much more than `HELD` bytes are written in several rounds.
    """

    def __init__(self, path: Path, columns: dict[str, str], buckets: int) -> None:
        try:
            import pyarrow
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
            if self._held > HELD:
                self._flush()

    def _pack(self) -> None:
        """Turn the rows into columns, which take a third of the memory."""
        if not self._rows:
            return
        numbers = [bucket_of(row[0], self._buckets) for row in self._rows]
        columns = [numbers, *zip(*self._rows, strict=True)]
        self._rows = []
        arrays = [
            self._arrow.array(column, type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        batch = self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._held += batch.nbytes
        self._batches.append(batch)

    def _flush(self) -> None:
        """Write what is held, sorted by bucket."""
        from pyarrow import compute

        table = self._arrow.Table.from_batches(self._batches, schema=self._schema)
        self._batches, self._held = [], 0
        order = compute.sort_indices(table, [("bucket", "ascending")])
        start = 0
        for entry in compute.value_counts(table["bucket"].take(order)).to_pylist():
            rows = table.take(order.slice(start, entry["counts"]))
            self._file.write_table(rows, row_group_size=len(rows))
            start += entry["counts"]
