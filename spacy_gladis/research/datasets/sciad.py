"""SciAD (Pouran Ben Veyseh et al. 2020), the data of the SDU-21 shared task on disambiguation."""

from collections.abc import Iterator
from pathlib import Path

from ...problem import Problem, Report, log_problem
from .disambiguation import as_sample
from .files import json_list
from .sample import Sample

DOMAIN = "SciAD"
TYPE = "scientific concept"


def read_sciad(path: Path, report: Report = log_problem) -> Iterator[Sample]:
    """Yield the samples of a JSON list of `id`, `tokens`, `acronym` (a token's index), `expansion`.

    Records without an expansion, as in the shared task's test file, go to `report`. Raises
    FormatError where the file is not a JSON list.
    """
    for number, record in enumerate(json_list(path), 1):
        try:
            name = str(record["id"])
            yield as_sample(record)._replace(domain=DOMAIN, kind=TYPE, document=name)
        except (KeyError, TypeError, IndexError) as error:  # noqa: PERF203 (the others are read)
            report(Problem("no sample", str(path), number, f"record {number}: {error!r}"))
