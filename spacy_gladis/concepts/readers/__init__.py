"""Read the concepts of published vocabularies. There is one module for each file format."""

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

DETECTION_LINES = 100
"""Number of lines that are read to detect the format of a text file."""


def read_concepts(
    path: str | Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Read the concepts of a published vocabulary from a file or folder.

    The format is detected from the name and the content. Supported are SNOMED CT (the folder of a
    release), MRCONSO.RRF of UMLS, OBO, SSSOM, MEDIC, CTD, scispacy's JSON, PsyTAR's sheets (a
    folder), tables of ids and names, and inventories (`.concepts`). Text files may be compressed.

    Args:
        path: Path of the file or folder.
        report: Function that is called with a `Problem` for each record that can't be used. By
            default, problems are logged as warnings.
        vocabulary: Vocabulary whose ids the concepts get, such as ``"MESH"``. It applies only to
            formats that map several vocabularies (OBO, SSSOM, PsyTAR). None to use the format's own
            ids.

    Returns:
        An iterator over the concepts, which are read from the file as you iterate.

    Raises:
        InputError: If the file or folder doesn't exist, or its format is unknown. This is raised
            before anything is read.
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
        f"{path} has an unknown format. Use the folder of a SNOMED CT release, MRCONSO.RRF, .obo, "
        ".sssom.tsv, .json or .jsonl (scispacy), .concepts, or a text file with MEDIC, CTD or "
        "tab-separated ids and names."
    )


def _read_text(path: Path, report: Report) -> Iterator[Concept]:
    """Detect the format of a text file from its first lines, and read its concepts."""
    for number, line in read_lines(path, lambda _: None):
        if line.startswith(FIELDS.encode()):
            return read_ctd(path, report)
        if b"||" in line and b"\t" not in line:
            return read_medic(path, report)
        if number > DETECTION_LINES:
            break
    return read_tabbed(path, report)
