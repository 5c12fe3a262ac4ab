"""The plainest extraction: one file in, JSON lines of definitions and samples out."""

import json
from pathlib import Path

from .extract import extract_document
from .problem import ProblemLog
from .readers import read_documents


def extract_file(path: Path, output: Path) -> tuple[int, int, dict[str, int]]:
    """Write `definitions/NAME.jsonl.zst` and `samples/NAME.jsonl.zst`; return their counts."""
    import zstandard

    problems = ProblemLog()
    name = path.name.split(".")[0] + ".jsonl.zst"
    targets = [output / folder / name for folder in ("definitions", "samples")]
    for target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
    compressor = zstandard.ZstdCompressor(level=3)
    counts = [0, 0]
    temporary = [target.with_name(target.name + ".tmp") for target in targets]
    with (
        zstandard.open(temporary[0], "wt", cctx=compressor, encoding="utf-8") as definitions_file,
        zstandard.open(temporary[1], "wt", cctx=compressor, encoding="utf-8") as samples_file,
    ):
        for document in read_documents(path, report=problems):
            definitions, samples = extract_document(document)
            for definition in definitions:
                definitions_file.write(json.dumps(definition._asdict()) + "\n")
            for sample in samples:
                samples_file.write(json.dumps(sample._asdict()) + "\n")
            counts[0] += len(definitions)
            counts[1] += len(samples)
    for source, target in zip(temporary, targets, strict=True):
        source.replace(target)
    return counts[0], counts[1], dict(problems.counts)
