"""Samples for acronym disambiguation (contexts labelled with a long form), and their files."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import FormatError, InputError, require
from ...files import writing
from ...text import Mention
from .files import json_lines

PLACEHOLDER = "__ABB__"  # replaces the acronym in UAD
BATCH = 10_000  # rows of a Parquet file per batch


class Sample(NamedTuple):
    """An acronym in its context, labelled with its long form.

    Attributes:
        acronym: The acronym.
        long_form: Long form of the acronym in this context.
        text: The context.
        start: Start offset of the mention, in characters.
        end: End offset, exclusive.
        domain: Domain or source of the context.
        kind: How the sample was created ("definition", "mention", "near", "substitution",
            "phrase"), or the `type` in a GLADIS set.
        document: The document's id, or the `index` in a GLADIS set.
    """

    acronym: str
    long_form: str
    text: str
    start: int
    end: int
    domain: str = ""
    kind: str = ""
    document: str = ""

    @property
    def mention(self) -> Mention:
        """The acronym in its text, as a separate document."""
        return Mention(self.text, self.start, self.end)


def read_samples(path: str | Path) -> Iterator[Sample]:
    """Read samples from a file or a mined folder.

    Args:
        path: Path of JSON lines (plain or compressed), a Parquet file or a mined folder. JSON lines
            have GLADIS's fields (`index, short_term, long_term, type, tokens`) or those of
            `Sample`.

    Yields:
        The samples.

    Raises:
        InputError: If a folder has no samples.
        FormatError: If a record is not a sample. The message names file and line.
    """
    path = Path(path)
    files = [path]
    if path.is_dir():
        # A mined folder, as 'corpus extract' writes it, or a folder of Parquet files.
        files = sorted(path.glob("samples/*.parquet")) or sorted(path.glob("*.parquet"))
        if not files:
            raise InputError(
                f"{path} contains no samples. Expected Parquet files or a mined folder."
            )
    for file in files:
        columns = Sample._fields if file.suffix == ".parquet" else None
        line = 0
        try:
            for number, record in read_records(file, columns):
                line = number
                yield from_gladis(record) if "tokens" in record else Sample(**record)
        except FormatError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                f"{file}:{line} is not a sample ({error!r}). Expected a JSON object with "
                "short_term, long_term and tokens, or with the fields of Sample."
            ) from error


def read_records(
    path: Path, columns: Sequence[str] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the records of JSON lines or the rows of a Parquet file.

    Args:
        path: Path of the file.
        columns: Columns to read from a Parquet file. None reads all columns.

    Yields:
        `(number, record)`, numbered from 1.

    Raises:
        FormatError: If the file is damaged or lacks a column.
    """
    if path.suffix != ".parquet":
        yield from json_lines(path)
        return
    parquet = require("pyarrow.parquet", "corpus", "pyarrow")
    from pyarrow import ArrowInvalid

    try:
        with parquet.ParquetFile(path) as file:
            if missing := set(columns or ()) - set(file.schema_arrow.names):
                raise KeyError(*sorted(missing))
            batches = file.iter_batches(BATCH, columns=columns)
            yield from enumerate(chain.from_iterable(batch.to_pylist() for batch in batches), 1)
    except (ArrowInvalid, KeyError, OSError) as error:
        raise FormatError(f"{path} contains no samples: {error!r}.") from error


def write_samples(path: str | Path, samples: Iterable[Sample]) -> int:
    """Write samples with all their fields to a file of JSON lines.

    Args:
        path: Path of the file to write.
        samples: Samples to write.

    Returns:
        The number of samples.
    """
    return _write(path, (sample._asdict() for sample in samples))


def write_gladis(path: str | Path, samples: Iterable[Sample]) -> int:
    """Write samples in GLADIS's format, with numbers from 0 as ids.

    Args:
        path: Path of the file to write.
        samples: Samples to write.

    Returns:
        The number of samples.
    """
    return _write(path, (as_gladis(sample, index) for index, sample in enumerate(samples)))


def _write(path: str | Path, records: Iterable[dict[str, Any]]) -> int:
    count = 0
    with writing(Path(path)) as temporary, temporary.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def as_gladis(sample: Sample, index: int) -> dict[str, Any]:
    """Convert a sample to a GLADIS record, whose tokens are the words of the text and the mention.

    `__ABB__` replaces the mention if an earlier token contains the acronym too.

    Args:
        sample: The sample.
        index: Number of the sample in the set.
    """
    before, after = sample.text[: sample.start].split(), sample.text[sample.end :].split()
    mention = sample.text[sample.start : sample.end]
    again = any(sample.acronym in token for token in before)
    return {
        "index": index,
        "short_term": sample.acronym,
        "long_term": sample.long_form,
        "type": sample.kind,
        "tokens": [*before, PLACEHOLDER if again else mention, *after],
    }


def from_gladis(record: dict[str, Any]) -> Sample:
    """Convert a GLADIS record to a sample, whose text is the tokens joined by blanks.

    The mention is the token `__ABB__` (which the acronym replaces), else the first token equal to
    the short term, else the first that contains it.

    Args:
        record: The record.

    Raises:
        ValueError: If no token contains the acronym.
    """
    acronym: str = record["short_term"]
    tokens = list(record["tokens"])
    index, offset, length = _find(tokens, acronym)
    if tokens[index] == PLACEHOLDER:
        tokens[index] = acronym
    start = sum(len(token) + 1 for token in tokens[:index]) + offset
    return Sample(
        acronym,
        record["long_term"],
        " ".join(tokens),
        start,
        start + length,
        kind=record.get("type", ""),
        document=str(record.get("index", "")),
    )


def _find(tokens: list[str], acronym: str) -> tuple[int, int, int]:
    """Return the index of the acronym's token, the offset in it and the mention's length."""
    for wanted in (PLACEHOLDER, acronym):
        if wanted in tokens:
            return tokens.index(wanted), 0, len(acronym)
    for index, token in enumerate(tokens):
        if (offset := token.find(acronym)) >= 0:
            return index, offset, len(acronym)
    raise ValueError(f"the tokens do not contain {acronym!r}")
