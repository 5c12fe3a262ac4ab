"""The Wikidata JSON dump: labels and aliases, a document an entity.

The dump is one JSON array with an entity a line, each but the last with a comma behind it:
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import json
from collections.abc import Iterator
from typing import Any

from ...problem import Problem, Report, log_problem
from ..document import Document
from ..lines import read_lines
from ..piece import Piece
from .names import names_text
from .pile import without_lone_surrogates

LANGUAGE = "en"


def read_wikidata(
    piece: Piece, report: Report = log_problem, language: str = LANGUAGE
) -> Iterator[Document]:
    """Yield a document an entity with a label and aliases: "label (alias)", a paragraph an alias.

    The domain is the piece's, else "Wikidata"; the id is the entity's.
    """
    domain = piece.domain or "Wikidata"
    for number, line in read_lines(piece.path, report, piece.first_line):
        line = line.strip().rstrip(b",")
        if line in (b"", b"[", b"]"):
            continue
        try:
            entity = json.loads(line.decode("utf-8"))
            label = entity.get("labels", {}).get(language, {}).get("value", "")
            aliases = _aliases(entity, language)
            name = str(entity["id"])
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(piece.source), number, f"{error.reason}"))
            continue
        except (ValueError, RecursionError) as error:
            report(Problem("invalid JSON", str(piece.source), number, str(error)))
            continue
        except (AttributeError, KeyError, TypeError) as error:
            report(Problem("no entity", str(piece.source), number, repr(error)))
            continue
        text = names_text(label, aliases)
        if text:
            yield Document(name, without_lone_surrogates(text), domain)


def _aliases(entity: dict[str, Any], language: str) -> list[str]:
    aliases = entity.get("aliases") or {}  # an entity without any has an empty list
    return [alias["value"] for alias in aliases.get(language, [])]
