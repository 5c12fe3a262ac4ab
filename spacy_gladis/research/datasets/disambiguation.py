"""Sets for acronym disambiguation: GLADIS, SDU-21 (SciAD) and SDU-22, as samples."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import FormatError
from .files import json_records
from .sample import Sample, from_gladis


def read_disambiguation(path: Path) -> Iterator[Sample]:
    """Yield the samples of JSON lines or a JSON list; `document` is a record's id or its number.

    A sample whose acronym is not in its sentence has an empty mention. Raises FormatError, with the
    row, for a record that is none of the three formats'.
    """
    number = -1
    try:
        for number, record in enumerate(json_records(path)):
            name = str(record.get("id", record.get("ID", number)))
            yield as_sample(record)._replace(document=name)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise FormatError(
            f"{path}: row {number + 1} is not a sample ({error!r}); expected the fields of GLADIS "
            "(short_term, long_term, tokens), SDU-21 (tokens, acronym, expansion) or SDU-22 "
            "(sentence, acronym, label)."
        ) from error
    if number < 0:
        raise FormatError(f"{path} holds no row.")


def as_sample(record: dict[str, Any]) -> Sample:
    """The sample of one record; raises KeyError, TypeError or IndexError for what is none."""
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
    """Where the acronym stands as a word by itself, else anywhere; -1 for nowhere."""
    start = text.find(acronym)
    while start >= 0:
        beside = text[max(0, start - 1) : start] + text[start + len(acronym) :][:1]
        if not any(map(str.isalnum, beside)):
            return start
        start = text.find(acronym, start + 1)
    return text.find(acronym)
