"""Split large shards into pieces, so that a restart loses little and memory stays small."""

from itertools import chain
from pathlib import Path

from ....documents.lines import COMPRESSIONS, read_lines
from ....errors import require
from ....files import writing
from ....problem import ProblemLog
from ..engine.workspace import Outcome, Workspace

RATIO = 4  # compressed JSON lines hold about so many times their size


def is_large(path: Path, piece_size: int) -> bool:
    """Whether a file of lines holds clearly more than `piece_size` bytes of text."""
    ratio = RATIO if path.suffix in COMPRESSIONS else 1
    return path.is_file() and path.stat().st_size * ratio > 2 * piece_size


def split_shard(root: Path, name: str, path: Path, piece_size: int, key: str) -> Outcome:
    """Cut a file of lines into pieces of about `piece_size` bytes: `pieces/NAME-00000.jsonl.zst`.

    The lines stay as they are; the statistics hold each piece's first line number.
    """
    zstandard = require("zstandard", "corpus")
    problems = ProblemLog()
    outputs: list[str] = []
    first_lines: list[int] = []
    lines = read_lines(path, problems)
    for first in lines:
        piece = f"pieces/{name}-{len(outputs):05}.jsonl.zst"
        compressor = zstandard.ZstdCompressor(level=1)
        with (
            writing(root / piece) as temporary,
            temporary.open("wb") as raw,
            compressor.stream_writer(raw) as file,
        ):
            size, expected = 0, first[0]
            for number, line in chain([first], lines):
                # A line too long was left out: a blank one keeps the others' numbers.
                size += file.write(b"\n" * (number - expected) + line + b"\n")
                expected = number + 1
                if size >= piece_size:
                    break
        outputs.append(piece)
        first_lines.append(first[0])
    return Workspace(root).done(key, outputs, {"first_lines": first_lines}, problems)
