"""Samples for acronym disambiguation, and the files that they are stored in.

A sample is a context that contains an acronym and is labelled with the acronym's long form.
"""

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
    """An acronym in a context, labelled with the long form that it has there.

    Attributes:
        acronym: The acronym. Its mention in the context can be inflected, such as a plural.
        long_form: Long form of the acronym in this context.
        text: The context, such as a sentence or a passage.
        start: Character offset in `text` at which the mention of the acronym starts.
        end: Character offset at which the mention ends (exclusive).
        domain: Domain or source of the context, such as a corpus. Empty if unknown.
        kind: How the sample was created: ``"definition"``, ``"mention"``, ``"near"``,
            ``"substitution"`` or ``"phrase"``. In a data set of GLADIS, the value of its field
            `type`. Empty if unknown.
        document: Id of the document that the context comes from. In a data set of GLADIS, the value
            of its field `index`. Empty if unknown.
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
        """Mention of the acronym in its context, which is treated as a whole document."""
        return Mention(self.text, self.start, self.end)


def read_samples(path: str | Path) -> Iterator[Sample]:
    """Read samples for acronym disambiguation from a file or from a folder of mined samples.

    Args:
        path: Path of a JSON Lines file (plain or compressed), a Parquet file, or a folder that
            `spacy-gladis corpus extract` wrote. The records of JSON Lines have the fields of GLADIS
            (`index`, `short_term`, `long_term`, `type` and `tokens`) or those of `Sample`.

    Yields:
        The samples, in file order. The files of a folder are read in the order of their names.

    Raises:
        InputError: If a folder contains no Parquet files.
        FormatError: If a record is not a sample. The message names the file and the line.
    """
    path = Path(path)
    files = [path]
    if path.is_dir():
        # A mined folder, as 'corpus extract' writes it, or a folder of Parquet files.
        files = sorted(path.glob("samples/*.parquet")) or sorted(path.glob("*.parquet"))
        if not files:
            raise InputError(
                f"The folder {path} contains no samples. Choose a folder that 'corpus extract' "
                "wrote, or one with Parquet files."
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
    """Read the records of a JSON Lines file or the rows of a Parquet file.

    Args:
        path: Path of the file. The extension ``.parquet`` means Parquet, any other JSON Lines.
        columns: Names of the columns to read from a Parquet file. None reads all columns. For JSON
            Lines, all fields are always read.

    Yields:
        Pairs of a number and a record. The number is the line or row, counted from 1.

    Raises:
        FormatError: If the file is damaged or lacks one of `columns`.
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
        raise FormatError(
            f"The Parquet file {path} contains no samples, or is damaged: {error!r}."
        ) from error


def write_samples(path: str | Path, samples: Iterable[Sample]) -> int:
    """Write samples to a JSON Lines file, with all fields of `Sample`.

    Args:
        path: Path of the file to write. An existing file is replaced.
        samples: Samples to write, one per line.

    Returns:
        The number of samples that were written.
    """
    return _write(path, (sample._asdict() for sample in samples))


def write_gladis(path: str | Path, samples: Iterable[Sample]) -> int:
    """Write samples to a JSON Lines file in the format of GLADIS.

    The field `index` of each record is its number in the file, counted from 0. This format stores
    the context as tokens, so its original spaces are lost.

    Args:
        path: Path of the file to write. An existing file is replaced.
        samples: Samples to write, one per line.

    Returns:
        The number of samples that were written.
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
    """Convert a sample to a record in the format of GLADIS.

    The context is split at spaces, and the mention becomes a token of its own. If an earlier token
    also contains the acronym, the placeholder ``__ABB__`` replaces the mention, so that readers
    find the right one.

    Args:
        sample: Sample to convert.
        index: Number of the sample in its data set, counted from 0.

    Returns:
        A mapping with the fields `index`, `short_term`, `long_term`, `type` and `tokens`.
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
    """Convert a record in the format of GLADIS to a sample.

    The context is the tokens joined by spaces. The mention is the placeholder ``__ABB__``, which is
    replaced by the acronym, so that no system reads it. Without a placeholder, the mention is the
    first token that equals the acronym or, if there is none, the first token that contains it.

    Args:
        record: Mapping with the fields `short_term`, `long_term` and `tokens`, and optionally
            `index` and `type`.

    Returns:
        The sample, with an empty domain.

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
    """Find the mention of an acronym among the tokens of a context.

    Returns the index of its token, its character offset in that token, and its length.
    """
    for wanted in (PLACEHOLDER, acronym):
        if wanted in tokens:
            return tokens.index(wanted), 0, len(acronym)
    for index, token in enumerate(tokens):
        if (offset := token.find(acronym)) >= 0:
            return index, offset, len(acronym)
    raise ValueError(f"the tokens do not contain the acronym {acronym!r}")
