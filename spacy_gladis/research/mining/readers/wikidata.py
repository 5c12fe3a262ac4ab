"""The Wikidata JSON dump: labels and aliases, a document an entity.

The dump is one JSON array with an entity a line, each but the last with a comma behind it:
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import json
from collections.abc import Iterator
from typing import Any

from ....concepts import Concept
from ....documents.document import Document, Piece
from ....documents.lines import read_lines
from ....documents.readers.pile import without_lone_surrogates
from ....problem import Problem, Report, log_problem
from .names import names_as_text

LANGUAGE = "en"
INSTANCE_OF = "P31"


def read_wikidata(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a document an entity: "label (alias)", a paragraph an alias.

    The domain is the piece's, else "Wikidata"; the id is the entity's.
    """
    for entity in read_entities(piece, report):
        if text := names_as_text(entity):
            text = without_lone_surrogates(text)
            yield Document(entity.id, text, piece.domain or "Wikidata")


def read_entities(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the entities that have a label; their domain is the id of the first class named, their
    alternate id the title of their Wikipedia page."""
    for number, line in read_lines(piece.path, report, piece.first_line):
        line = line.strip().rstrip(b",")
        if line in (b"", b"[", b"]"):
            continue
        try:
            entity = json.loads(line.decode("utf-8"))
            concept = _concept(entity)
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(piece.source), number, f"{error.reason}"))
        except (ValueError, RecursionError) as error:
            report(Problem("invalid JSON", str(piece.source), number, str(error)))
        except (AttributeError, KeyError, TypeError) as error:
            report(Problem("no entity", str(piece.source), number, repr(error)))
        else:
            if concept.names[0]:
                yield concept


def _concept(entity: dict[str, Any]) -> Concept:
    # Where an entity has none, each of these is an empty list instead of an object.
    labels, aliases, sitelinks, claims = (
        entity.get(part) or {} for part in ("labels", "aliases", "sitelinks", "claims")
    )
    classes = [
        statement["mainsnak"]["datavalue"]["value"]["id"]
        for statement in claims.get(INSTANCE_OF, [])
        if "datavalue" in statement["mainsnak"]
    ]
    label = labels.get(LANGUAGE, {}).get("value", "")
    title = sitelinks.get(f"{LANGUAGE}wiki", {}).get("title", "")
    return Concept(
        str(entity["id"]),
        (label, *(alias["value"] for alias in aliases.get(LANGUAGE, []))),
        (title,) if title else (),
        classes[0] if classes else "",
    )
