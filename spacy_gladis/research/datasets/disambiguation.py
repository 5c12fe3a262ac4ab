"""Reader of data sets for acronym disambiguation: GLADIS, SciAD (SDU-21) and SDU-22."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import FormatError
from .files import json_records
from .sample import Sample, from_gladis


def read_disambiguation(path: Path) -> Iterator[Sample]:
    """Read the samples of a data set for acronym disambiguation.

    The records can be in the format of GLADIS, SDU-21 (SciAD) or SDU-22. If the sentence of a
    record does not contain the acronym, the mention of the sample is empty, with the offsets 0
    and 0.

    Args:
        path: Path of a JSON Lines file or of a file with a JSON list, plain or compressed.

    Yields:
        The samples, in file order. Their `document` is the id of the record, or its number counted
        from 0 if it has no id.

    Raises:
        FormatError: If the file has no records, or a record has none of the three formats. The
            message names the record.
    """
    number = -1
    try:
        for number, record in enumerate(json_records(path)):
            name = str(record.get("id", record.get("ID", number)))
            yield as_sample(record)._replace(document=name)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise FormatError(
            f"{path}: row {number + 1} is not a sample ({error!r}). Expected the fields of GLADIS "
            "(short_term, long_term, tokens), SDU-21 (tokens, acronym, expansion) or SDU-22 "
            "(sentence, acronym, label)."
        ) from error
    if number < 0:
        raise FormatError(f"{path} contains no samples. Choose a file that is not empty.")


def as_sample(record: dict[str, Any]) -> Sample:
    """Convert a record in the format of GLADIS, SDU-21 or SDU-22 to a sample.

    Args:
        record: Fields of the record. A record with `short_term` is in the format of GLADIS, one
            with `sentence` in that of SDU-22, and any other in that of SDU-21.

    Returns:
        The sample. Its mention is empty if the sentence does not contain the acronym.

    Raises:
        KeyError: If a field is missing.
        TypeError: If a field has the wrong type.
        IndexError: If the index of the acronym is not that of a token.
    """
    if "short_term" in record:
        try:
            return from_gladis(record)
        except ValueError:  # the tokens do not hold the acronym
            text = " ".join(record["tokens"])
            return Sample(record["short_term"], record["long_term"], text, 0, 0)
    if "sentence" in record:
        text, acronym, long_form = record["sentence"], record["acronym"], record["label"]
        start = _place_in(text, acronym)
    else:
        tokens, index = list(record["tokens"]), record["acronym"]
        start = sum(len(token) + 1 for token in tokens[:index])
        text, acronym, long_form = " ".join(tokens), tokens[index], record["expansion"]
    end = start + len(acronym) if start >= 0 else 0
    return Sample(acronym, long_form, text, max(0, start), end)


def _place_in(text: str, acronym: str) -> int:
    """Return the character offset of an acronym in a text, or -1 if the text does not contain it.

    An occurrence as a whole word is preferred to one inside a word.
    """
    start = text.find(acronym)
    while start >= 0:
        neighbours = text[max(0, start - 1) : start] + text[start + len(acronym) :][:1]
        if not any(map(str.isalnum, neighbours)):
            return start
        start = text.find(acronym, start + 1)
    return text.find(acronym)
