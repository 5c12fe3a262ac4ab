"""The Pile's shards: one JSON object a line, `{"text", "meta": {"pile_set_name"}}`."""

import json
from collections.abc import Iterator
from pathlib import Path

from ..document import Document
from ..lines import COMPRESSIONS, read_lines
from ..problem import Problem, Report, log_problem


def is_pile(path: Path) -> bool:
    """Whether the file's name says JSON lines, plain or compressed."""
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    return inner.suffix in (".jsonl", ".ndjson")


def read_pile(
    path: Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield a shard's documents; the domain is `meta.pile_set_name`, else `domain`, else its name.

    Invalid JSON, lines that are no UTF-8, records without a text: each goes to `report`.
    """
    shard = path.name.split(".")[0]
    default = domain or shard
    for number, line in read_lines(path, report):
        if not line or line.isspace():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(path), number, f"not UTF-8: {error.reason}"))
            continue
        except (ValueError, RecursionError) as error:
            report(Problem("invalid JSON", str(path), number, str(error)))
            continue
        text = record.get("text") if isinstance(record, dict) else None
        if not isinstance(text, str) or not text:
            report(Problem("no text", str(path), number, "expected an object with a string 'text'"))
            continue
        if b"\\ud" in line or b"\\uD" in line:
            text = _without_lone_surrogates(text)
        meta = record.get("meta")
        name = meta.get("pile_set_name") if isinstance(meta, dict) else None
        yield Document(f"{shard}:{number}", text, name if isinstance(name, str) else default)


def _without_lone_surrogates(text: str) -> str:
    """JSON escapes can hold half a character, which no UTF-8 file can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
