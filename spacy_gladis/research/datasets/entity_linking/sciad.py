"""SciAD (Pouran Ben Veyseh et al. 2020), the data of the SDU-21 shared task on disambiguation."""

import json
from collections.abc import Iterator
from pathlib import Path

from ....errors import FormatError, InputError
from ....problem import Problem, Report, log_problem
from ..sample import Sample

DOMAIN = "SciAD"
TYPE = "scientific concept"


def read_sciad(path: Path, report: Report = log_problem) -> Iterator[Sample]:
    """Yield the samples of a JSON list of `id`, `tokens`, `acronym` (a token's index), `expansion`.

    Records without an expansion, as in the shared task's test file, go to `report`.
    """
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is no JSON file: {error}") from error
    if not isinstance(records, list):
        raise FormatError(f"{path} holds no JSON list, as SciAD's files do.")
    for number, record in enumerate(records, 1):
        try:
            tokens, index = list(record["tokens"]), record["acronym"]
            start = sum(len(token) + 1 for token in tokens[:index])
            acronym, long_form = tokens[index], record["expansion"]
            text = " ".join(tokens)
            name = str(record["id"])
        except (KeyError, TypeError, IndexError) as error:
            report(Problem("no sample", str(path), number, f"record {number}: {error!r}"))
            continue
        end = start + len(acronym)
        yield Sample(acronym, long_form, text, start, end, DOMAIN, TYPE, name)
