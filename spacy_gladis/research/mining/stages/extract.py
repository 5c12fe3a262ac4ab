"""Mine one piece of a corpus: its definitions and samples as bucketed Parquet."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .... import rules as rules_package
from ....documents.piece import Piece
from ....errors import check_names
from ....files import writing
from ....problem import Problem, ProblemLog
from ....rules.definition import Definition
from ..engine.workspace import Outcome, Workspace
from ..extract import SampleSettings, extract_document
from ..readers import read_piece
from ..tables import DEFINITIONS, SAMPLES, BucketWriter

COUNTED = ("documents", "characters", "definitions", "samples")
RULES = ("schwartz_hearst", "find_definitions")


class ExtractionSettings(NamedTuple):
    """What the mined rows depend on, besides the text."""

    rules: str = "schwartz_hearst"
    samples: SampleSettings = SampleSettings()
    buckets: int = 64


def extract_piece(root: Path, piece: Piece, settings: ExtractionSettings, key: str) -> Outcome:
    """Write `definitions/NAME.parquet` and `samples/NAME.parquet` of one piece.

    The statistics count, by domain, the documents, their characters, the definitions and
    the samples. A document at which the rules fail is a problem, not the end of the piece.
    """
    find = find_by_name(settings.rules)
    problems = ProblemLog()
    domains: dict[str, dict[str, int]] = {}
    outputs = [f"{folder}/{piece.name}.parquet" for folder in ("definitions", "samples")]
    with (
        _no_collection(),
        writing(root / outputs[0]) as definitions_path,
        writing(root / outputs[1]) as samples_path,
        BucketWriter(definitions_path, DEFINITIONS, settings.buckets) as definitions_file,
        BucketWriter(samples_path, SAMPLES, settings.buckets) as samples_file,
    ):
        for document in read_piece(piece, problems):
            try:
                definitions, samples = extract_document(document, find, settings.samples)
            except Exception as error:  # a rule's bug must not cost the whole piece
                detail = f"{document.id}: {type(error).__name__}: {error}"
                problems(Problem("extraction failed", str(piece.source), 0, detail))
                continue
            definitions_file.add(definitions)
            samples_file.add(samples)
            counts = domains.setdefault(document.domain, dict.fromkeys(COUNTED, 0))
            counts["documents"] += 1
            counts["characters"] += len(document.text)
            counts["definitions"] += len(definitions)
            counts["samples"] += len(samples)
    workspace = Workspace(root)
    return Outcome(
        key=key,
        outputs={output: workspace.size(output) for output in outputs},
        statistics={"domains": domains},
        problems=problems.to_json(),
    )


@contextmanager
def _no_collection() -> Iterator[None]:
    """Rows wait by thousands and have no cycles: looking for some takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def find_by_name(rules: str) -> Callable[[str], list[Definition]]:
    """The function of `spacy_gladis.rules` that finds definitions, by its name."""
    check_names("rules", [rules], RULES)
    find: Callable[[str], list[Definition]] = getattr(rules_package, rules)
    return find
