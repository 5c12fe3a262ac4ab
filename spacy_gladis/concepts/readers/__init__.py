"""Concepts out of published vocabularies, one file a format; the format is told by a look."""

from collections.abc import Iterator
from pathlib import Path

from ...documents.lines import COMPRESSIONS, read_lines
from ...errors import InputError
from ...problem import Report, log_problem
from ..inventory import Concept, Inventory
from .obo import read_obo
from .psytar import SHEETS, read_psytar_concepts
from .scispacy import read_scispacy
from .snomed import read_snomed
from .tabbed import FIELDS, read_ctd, read_medic, read_mrconso, read_sssom, read_tabbed

__all__ = ["read_concepts"]

LOOK = 100
"""Lines among which a text file's format shows itself."""


def read_concepts(
    path: str | Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """The concepts of a source: SNOMED CT (a folder), MRCONSO.RRF, OBO, SSSOM, MEDIC, CTD,
    scispacy's JSON, PsyTAR's sheets (a folder), a table of ids and names, or an inventory of ours
    (`.concepts`).

    vocabulary: of a source with ids of several (OBO, SSSOM, PsyTAR), take those of this one.
    Raises InputError, before any work, where there is no such source or its format is unknown.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        if (path / f"{SHEETS[0]}_Mapped.tsv").is_file():
            return read_psytar_concepts(path, report, vocabulary)
        return read_snomed(path, report)
    name = path.stem if path.suffix in COMPRESSIONS else path.name
    ending = Path(name).suffix.lower()
    if ending == ".obo":
        return read_obo(path, report, vocabulary)
    if ending in (".json", ".jsonl"):
        return read_scispacy(path, report)
    if ending == ".rrf":
        return read_mrconso(path, report)
    if ending == ".concepts":
        inventory = Inventory.open(path)
        return map(inventory.concept, range(len(inventory)))
    if name.lower().endswith(".sssom.tsv"):
        return read_sssom(path, report, vocabulary)
    if ending in (".txt", ".tsv", ".csv"):
        return _read_text(path, report)
    raise InputError(
        f"{path} is of no known format. Expected a folder of a SNOMED CT release, MRCONSO.RRF, "
        ".obo, .sssom.tsv, .json or .jsonl (scispacy), .concepts, or a text file: MEDIC, CTD, or "
        "an id and names with tabs between them."
    )


def _read_text(path: Path, report: Report) -> Iterator[Concept]:
    for number, line in read_lines(path, lambda _: None):
        if line.startswith(FIELDS.encode()):
            return read_ctd(path, report)
        if b"||" in line and b"\t" not in line:
            return read_medic(path, report)
        if number > LOOK:
            break
    return read_tabbed(path, report)
