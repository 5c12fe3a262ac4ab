"""The three stages of mining: split large files, extract definitions and samples, and count.

The stages are functions that a worker process runs for one input file (shard), for one part of a
file (piece), or for one group of acronyms (bucket).
"""

import gc
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from ...documents.lines import COMPRESSIONS, read_lines
from ...errors import require
from ...files import writing
from ...problem import Problem, ProblemLog
from ...text import Definition, find_definitions, merge_key, schwartz_hearst
from ..datasets.sample import Sample
from .engine import Outcome, Workspace
from .extract import MinedDefinition, extract_document
from .readers import Document, Piece, read_piece

if TYPE_CHECKING:
    import duckdb

RATIO = 4  # approximate compression ratio of JSON lines


def is_large(path: Path, piece_size: int) -> bool:
    """Return whether a corpus file is so large that it must be split into pieces.

    Args:
        path: Path of the file. If the file is compressed, the size of its text is estimated.
        piece_size: Size of a piece, in bytes of text.

    Returns:
        True if the file has more text than two pieces. False for folders.
    """
    ratio = RATIO if path.suffix in COMPRESSIONS else 1
    return path.is_file() and path.stat().st_size * ratio > 2 * piece_size


def split_shard(root: Path, name: str, path: Path, piece_size: int, key: str) -> Outcome:
    """Split a large corpus file into compressed pieces, at the ends of lines.

    The pieces are written to ``pieces/NAME-00000.jsonl.zst`` and so on. Their lines are unchanged.

    Args:
        root: Output folder of the mining run.
        name: Name of the file in the output.
        path: Path of the file to split.
        piece_size: Approximate size of a piece, in bytes of uncompressed text.
        key: Key of the task, which identifies the state of the file.

    Returns:
        The outcome of the task, with the paths of the pieces. Its statistics have the line number
        at which each piece starts in the file (``first_lines``).
    """
    zstandard = require("zstandard", "corpus")
    problems = ProblemLog()
    outputs: list[str] = []
    first_lines: list[int] = []
    lines = read_lines(path, problems)
    for first in lines:
        piece = f"pieces/{name}-{len(outputs):05}.jsonl.zst"
        compressor = zstandard.ZstdCompressor(level=1)
        with (
            writing(root / piece) as temporary,
            temporary.open("wb") as raw,
            compressor.stream_writer(raw) as file,
        ):
            size, expected = 0, first[0]
            for number, line in chain([first], lines):
                # Replace a skipped line, which was too long, to keep the line numbers.
                size += file.write(b"\n" * (number - expected) + line + b"\n")
                expected = number + 1
                if size >= piece_size:
                    break
        outputs.append(piece)
        first_lines.append(first[0])
    return Workspace(root).done(key, outputs, {"first_lines": first_lines}, problems)


ROWS = 20_000  # rows of a batch between the query and the file

# Sorted, so that equal definitions give equal bytes.
QUERY = """
    SELECT acronym, long_form, domain, count(*) AS frequency
    FROM read_parquet(?) WHERE bucket = ?
    GROUP BY ALL ORDER BY ALL
"""


def schema_of(record: type[tuple[Any, ...]], whole: str = "int32") -> Any:
    """Create the Arrow schema for a Parquet file that stores named tuples.

    Args:
        record: Class of the named tuples. All its fields are of the types `str` and `int`.
        whole: Name of the Arrow type that stores fields of type `int`.

    Returns:
        A ``pyarrow.Schema`` with a column for each field.
    """
    pyarrow = require("pyarrow", "corpus")
    types = {str: pyarrow.string(), int: getattr(pyarrow, whole)()}
    return pyarrow.schema([(name, types[kind]) for name, kind in record.__annotations__.items()])


class Count(NamedTuple):
    """Number of times that a domain of a corpus defines an acronym with a long form.

    Each spelling of a long form is counted separately.

    Attributes:
        acronym: Acronym such as ``"CT"``. Capitals count as different from small letters.
        long_form: Long form, in one of its spellings.
        domain: Domain of the documents, such as ``"PubMed Abstracts"``.
        frequency: Number of definitions that were found.
        merge_key: Key that all spellings of the long form have in common.
    """

    acronym: str
    long_form: str
    domain: str
    frequency: int
    merge_key: str


@contextmanager
def connect(memory: int, root: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Open a DuckDB connection that uses a limited amount of memory and a single thread.

    Args:
        memory: Memory limit, in bytes. Data that exceed it are written to disk.
        root: Folder in which a temporary folder for such data is created. It is deleted when the
            connection is closed.

    Yields:
        The open connection.
    """
    with TemporaryDirectory(dir=root, prefix=".spill-") as spill:
        config = {
            "memory_limit": f"{memory // 1_000_000}MB",
            "temp_directory": spill,
            "threads": 1,  # buckets run in parallel instead
        }
        with require("duckdb", "corpus").connect(config=config) as connection:
            yield connection


def count_bucket(root: Path, bucket: int, files: list[str], memory: int, key: str) -> Outcome:
    """Count the mined definitions of all acronyms in one bucket.

    The counts are written to ``counts/BUCKET.parquet``, which has a sorted row for each acronym,
    spelling of a long form and domain. Spellings with the same merge key belong to the same long
    form (GLADIS, section 3.1).

    Args:
        root: Output folder of the mining run.
        bucket: Number of the bucket.
        files: Paths of the files with definitions, relative to `root`. Each has rows of all
            buckets.
        memory: Memory limit of the query, in bytes.
        key: Key of the task, which identifies the state of the definitions.

    Returns:
        The outcome of the task. Its statistics have the number of ``rows``.
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
    """Read how often each long form of the acronyms in one bucket is defined.

    Args:
        path: Path of the bucket's Parquet file, which `count_bucket` wrote.

    Yields:
        The counts, sorted by acronym, long form and domain.
    """
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS):
            yield from map(Count._make, zip(*batch.to_pydict().values(), strict=True))


HELD = 50_000  # rows in memory before they are written

REPEATED = ["acronym", "domain", "kind"]  # columns to encode with a dictionary


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """Return the number of the bucket that an acronym belongs to.

    The definitions of an acronym are counted with those of the other acronyms in its bucket. The
    number is computed from a hash, which is the same on every machine.

    Args:
        acronym: Acronym such as ``"CT"``. Capitals count as different from small letters.
        buckets: Total number of buckets.

    Returns:
        The bucket, from 0 to `buckets` - 1.
    """
    return zlib.crc32(acronym.encode()) % buckets


class BucketWriter:
    """Writes named tuples to a Parquet file in which the rows of a bucket are next to each other.

    The first field of each tuple is the acronym, which determines its bucket. Each bucket is a row
    group, so that a query can read it without the rest of the file. Rows are collected in memory
    and written whenever there are `HELD` of them, so a large file has several groups per bucket.
    """

    def __init__(self, path: Path, record: type[tuple[Any, ...]], buckets: int) -> None:
        """Open a Parquet file for writing.

        Args:
            path: Path of the file to write.
            record: Class of the named tuples. Its first field is the acronym.
            buckets: Number of buckets that acronyms are divided into.
        """
        self._arrow, parquet = (
            require(module, "corpus") for module in ("pyarrow", "pyarrow.parquet")
        )
        bucket = self._arrow.field("bucket", self._arrow.uint16())
        self._schema = schema_of(record).insert(0, bucket)
        self._file = parquet.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in REPEATED if name in self._schema.names],
            write_statistics=["bucket"],
        )
        self._rows: list[list[tuple[Any, ...]]] = [[] for _ in range(buckets)]
        self._held = 0

    def __enter__(self) -> "BucketWriter":
        """Return this writer, for use in a ``with`` statement."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file, after writing the remaining rows if no error was raised."""
        try:
            if kind is None:
                self.flush()
        finally:
            self._file.close()

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to the file. They are kept in memory until there are at least `HELD` of them.

        Args:
            rows: Named tuples of the class that the writer was created for.
        """
        number = len(self._rows)
        for row in rows:
            self._rows[bucket_of(row[0], number)].append(row)
            self._held += 1
        if self._held >= HELD:
            self.flush()

    def flush(self) -> None:
        """Write all rows that are still in memory to the file, sorted by bucket."""
        for bucket, rows in enumerate(self._rows):
            if rows:
                columns = [[bucket] * len(rows), *zip(*rows, strict=True)]
                table = self._arrow.table(columns, schema=self._schema)
                self._file.write_table(table, row_group_size=len(rows))
                rows.clear()
        self._held = 0


RULES = {"schwartz_hearst": schwartz_hearst, "find_definitions": find_definitions}


PIECE_SIZE = 256_000_000


class MiningSettings(NamedTuple):
    """Settings that influence the results of mining.

    All runs into the same output folder must have the same settings.

    Attributes:
        rules: Name of the rules that find definitions: ``"schwartz_hearst"`` or
            ``"find_definitions"``.
        buckets: Number of buckets that acronyms are divided into. Each is counted separately, so
            more buckets need less memory.
        piece_size: Size of the pieces that large files are split into, in bytes of text.
        domain: Domain of documents that don't name one. None uses the name of their file or folder.
    """

    rules: str = "schwartz_hearst"
    buckets: int = 64
    piece_size: int = PIECE_SIZE
    domain: str | None = None


def extract_piece(root: Path, piece: Piece, settings: MiningSettings, key: str) -> Outcome:
    """Extract the definitions and samples of one piece of a corpus.

    They are written to ``definitions/NAME.parquet`` and ``samples/NAME.parquet``.

    Args:
        root: Output folder of the mining run.
        piece: Part of a corpus to read: a file, a folder, or a part of a large file.
        settings: Settings of the run, such as the rules that find definitions.
        key: Key of the task, which identifies the state of the piece.

    Returns:
        The outcome of the task. Its statistics have the numbers of documents, characters,
        definitions and samples of each domain (``domains``).
    """
    problems = ProblemLog()
    domains: dict[str, Counter[str]] = {}
    outputs = [f"{folder}/{piece.name}.parquet" for folder in ("definitions", "samples")]
    with (
        _no_collection(),
        writing(root / outputs[0]) as definitions_path,
        writing(root / outputs[1]) as samples_path,
        BucketWriter(definitions_path, MinedDefinition, settings.buckets) as definitions_file,
        BucketWriter(samples_path, Sample, settings.buckets) as samples_file,
    ):
        documents = read_piece(piece, problems)
        for document, definitions, samples in extract_all(
            documents, RULES[settings.rules], problems, piece.source
        ):
            definitions_file.add(definitions)
            samples_file.add(samples)
            domains.setdefault(document.domain, Counter()).update(
                documents=1,
                characters=len(document.text),
                definitions=len(definitions),
                samples=len(samples),
            )
    return Workspace(root).done(key, outputs, {"domains": domains}, problems)


def extract_all(
    documents: Iterable[Document],
    find: Callable[[str], list[Definition]],
    problems: ProblemLog,
    source: Path,
) -> Iterator[tuple[Document, list[MinedDefinition], list[Sample]]]:
    """Extract definitions and samples from documents, and continue if a document fails.

    A document for which the rules raise an error is reported as a problem and skipped.

    Args:
        documents: Documents of a corpus.
        find: Function that finds the definitions in a text, such as `schwartz_hearst`.
        problems: Log to which a problem is added for each failed document.
        source: Path of the corpus file that the documents come from, for problem messages.

    Yields:
        Each document, with the list of its definitions and the list of its samples.
    """
    for document in documents:
        try:
            definitions, samples = extract_document(document, find)
        except Exception as error:  # a bug in a rule must not lose the piece
            detail = f"{document.id}: {type(error).__name__}: {error}"
            problems(Problem("extraction failed", str(source), 0, detail))
            continue
        yield document, definitions, samples


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable Python's garbage collector, which would take a tenth of the time to no effect."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
