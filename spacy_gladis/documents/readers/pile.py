"""The Pile's shards: one JSON object a line, `{"text", "meta": {"pile_set_name"}}`."""

import json
from collections.abc import Iterator

from ...problem import Problem, Report, log_problem
from ..document import Document, Piece
from ..lines import read_lines


def read_pile(
    piece: Piece, report: Report = log_problem, text_field: str = "text"
) -> Iterator[Document]:
    """Yield a shard's documents; the domain is `meta.pile_set_name`, else the piece's or its name.

    text_field: the key of each object's text.
    Invalid JSON, lines that are no UTF-8, records without a text: each goes to `report`.
    """
    default = piece.domain or piece.shard

    def problem(kind: str, detail: str) -> None:
        report(Problem(kind, str(piece.source), number, detail))

    for number, line in read_lines(piece.path, report, piece.first_line):
        if not line or line.isspace():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            problem("wrong encoding", f"not UTF-8: {error.reason}")
            continue
        except (ValueError, RecursionError) as error:
            problem("invalid JSON", str(error))
            continue
        text = record.get(text_field) if isinstance(record, dict) else None
        if not isinstance(text, str) or not text:
            problem("no text", f"expected an object with a string '{text_field}'")
            continue
        text = without_lone_surrogates(text)
        meta = record.get("meta")
        domain = meta.get("pile_set_name") if isinstance(meta, dict) else None
        if not isinstance(domain, str):
            domain = default
        yield Document(f"{piece.shard}:{number}", text, domain)


def without_lone_surrogates(text: str) -> str:
    """JSON escapes can hold half a character, which no UTF-8 file can."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
