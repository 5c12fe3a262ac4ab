"""The entity-linking data that evaluation sets are made of, by name."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from ...documents.piece import Piece
from ...errors import InputError, check_names
from ...problem import Report, log_problem
from ..mining.readers.names import Concept
from ..mining.readers.umls import read_concepts
from ..mining.readers.wikidata import read_entities
from .evaluation_set import linked_samples
from .linked_mention import LinkedMention
from .medmentions import read_medmentions
from .sample import Sample
from .sciad import read_sciad
from .wikilinks import read_wikilinks

Linked = Callable[[Path, Report], Iterator[LinkedMention]]
Reference = Callable[[Piece, Report], Iterator[Concept]]

# Mentions, and the reference that names their concepts.
LINKED: dict[str, tuple[Linked, Reference, str]] = {
    "wikilinks": (read_wikilinks, read_entities, "a Wikidata dump (.json.gz or .json.bz2)"),
    "medmentions": (read_medmentions, read_concepts, "UMLS names (MRCONSO.RRF)"),
}
SOURCES = (*LINKED, "sciad")


def source_samples(
    source: str,
    paths: list[Path],
    reference: Path | None = None,
    classes: Path | None = None,
    report: Report = log_problem,
) -> Iterator[Sample]:
    """The samples of one of `SOURCES`, before they meet a dictionary.

    `classes` is a table of two columns with a tab between them: a Wikidata class and its name.
    Raises InputError, before any work, where a file is missing or the source needs a reference.
    """
    check_names("source", [source], SOURCES)
    for path in (*paths, *filter(None, (reference, classes))):
        if not path.is_file():
            raise InputError(f"There is no file {path}.")
    if source not in LINKED:
        return chain.from_iterable(read_sciad(path, report) for path in paths)
    read, read_reference, wanted = LINKED[source]
    if reference is None:
        raise InputError(f"'{source}' needs a --reference: {wanted}.")
    return linked_samples(
        lambda to: chain.from_iterable(read(path, to) for path in paths),
        read_reference(Piece.whole(reference), report),
        _read_classes(classes) if classes else None,
        report,
    )


def _read_classes(path: Path) -> dict[str, str]:
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 2}
