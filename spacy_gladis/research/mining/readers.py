"""Documents out of raw corpora; all formats but DocBin stream.

The Wikidata JSON dump: labels and aliases, a document an entity.

The dump is one JSON array with an entity a line, each but the last with a comma behind it:
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...concepts import Concept
from ...concepts.readers.tabbed import read_mrconso
from ...documents.encodings import without_lone_surrogates
from ...documents.formats.records import docbin_texts, json_records
from ...documents.lines import COMPRESSIONS, read_lines
from ...errors import InputError
from ...problem import Problem, Report, log_problem
from ..datasets.entity_types import CLASS

PARAGRAPH_END = "\n\n"


class Document(NamedTuple):
    """A text with the place it comes from.

    `id` is unique in a run (file name and line), `domain` names the source, as The Pile's
    `pile_set_name` does.
    """

    id: str
    text: str
    domain: str


class Piece(NamedTuple):
    """A whole input file or folder, or a part of a large shard.

    `name` is that of its outputs. `shard`, `source` and `first_line` say where a part comes from:
    the ids of its documents and its problems name the shard's own lines. `domain` is for documents
    that name none.
    """

    name: str
    path: Path
    shard: str
    source: Path
    first_line: int = 1
    domain: str | None = None

    @classmethod
    def whole(cls, path: Path, domain: str | None = None, name: str | None = None) -> "Piece":
        """All of a file or folder; its name is the file's up to the first dot."""
        name = name or path.name.split(".")[0]
        return cls(name, path, name, path, 1, domain)


BRACKETS = set("()[]")


def names_as_text(concept: Concept) -> str:
    """A paragraph for each other name; the shorter of two names stands in the bracket.

    Names that hold brackets are left out. Empty where nothing is left. GLADIS, section 3.1.
    """
    preferred, *others = concept.names
    if BRACKETS & set(preferred):
        return ""
    pairs = []
    for other in dict.fromkeys(others):
        if other and other != preferred and not BRACKETS & set(other):
            short, long = sorted((preferred, other), key=len)
            pairs.append(f"{long} ({short})")
    return PARAGRAPH_END.join(pairs)


def read_folder(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield the `.txt` files under a folder in order; the folder's name is the domain."""
    root = piece.path
    domain = piece.domain or root.name
    for path in sorted(root.rglob("*.txt")):
        yield from _read(path, f"{root.name}/{path.relative_to(root)}", domain, report)


def read_text_file(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield one text file."""
    yield from _read(piece.path, piece.source.name, piece.domain or piece.name, report)


def _read(path: Path, name: str, domain: str, report: Report) -> Iterator[Document]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", str(path), 1, f"not UTF-8: {error.reason}"))
        return
    except OSError as error:
        report(Problem("damaged file", str(path), 1, str(error)))
        return
    if text.strip():
        yield Document(name, text, domain)
    else:
        report(Problem("no text", str(path), 1, "the file is empty"))


def read_pile(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a shard's documents; the domain is `meta.pile_set_name`, else the piece's or its name.

    The Pile's shards have a JSON object a line, `{"text", "meta": {"pile_set_name"}}`.
    """

    def of_source(problem: Problem) -> None:
        report(problem._replace(path=str(piece.source)))

    for number, _, record in json_records(piece.path, of_source, first=piece.first_line):
        meta = record.get("meta")
        domain = meta.get("pile_set_name") if isinstance(meta, dict) else None
        if not isinstance(domain, str):
            domain = piece.domain or piece.shard
        text = without_lone_surrogates(record["text"])
        yield Document(f"{piece.shard}:{number}", text, domain)


def read_docbin(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield the texts of a DocBin; the domain is the piece's, else the file's name."""
    for number, text in docbin_texts(piece.path, report):
        yield Document(f"{piece.shard}:{number}", text, piece.domain or piece.shard)


def read_umls(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a document a concept: "preferred name (other name)", a paragraph a name.

    The domain is the piece's, else "UMLS"; the id is the concept's (CUI).
    """
    for concept in read_mrconso(piece.path, report):
        if text := names_as_text(concept):
            yield Document(concept.id, text, piece.domain or "UMLS")


LANGUAGE = "en"
INSTANCE_OF, SUBCLASS_OF = "P31", "P279"


def read_wikidata(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a document an entity: "label (alias)", a paragraph an alias.

    The domain is the piece's, else "Wikidata"; the id is the entity's.
    """
    for entity in read_entities(piece, report):
        if text := names_as_text(entity):
            text = without_lone_surrogates(text)
            yield Document(entity.id, text, piece.domain or "Wikidata")


def read_entities(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the entities that have a label.

    Their parents are the ids of the classes named, their alternate id is the title of their
    Wikipedia page, and their domain is "class" if they are a subclass of another class.
    """
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
    instance, subclass = (
        tuple(
            statement["mainsnak"]["datavalue"]["value"]["id"]
            for statement in claims.get(name, [])
            if "datavalue" in statement["mainsnak"]
        )
        for name in (INSTANCE_OF, SUBCLASS_OF)
    )
    label = labels.get(LANGUAGE, {}).get("value", "")
    title = sitelinks.get(f"{LANGUAGE}wiki", {}).get("title", "")
    return Concept(
        str(entity["id"]),
        (label, *(alias["value"] for alias in aliases.get(LANGUAGE, []))),
        (title,) if title else (),
        CLASS if subclass else "",
        parents=(*instance, *subclass),
    )


__all__ = ["format_of", "read_documents", "read_piece"]


class Format(NamedTuple):
    """How documents are read, and what files of this kind are. One of lines can be split."""

    name: str
    read: Callable[[Piece, Report], Iterator[Document]]
    of_lines: bool = False


BY_ENDING = {
    ".jsonl": Format("JSON lines (.jsonl)", read_pile, of_lines=True),
    ".ndjson": Format("JSON lines (.ndjson)", read_pile, of_lines=True),
    ".json": Format("a Wikidata dump (.json)", read_wikidata, of_lines=True),
    ".rrf": Format("UMLS names (MRCONSO.RRF)", read_umls),
}
"""The formats that may be compressed, by the file's ending."""


def format_of(path: Path) -> Format:
    """The format of a corpus, by its name. Raises InputError where it is missing or unknown."""
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        return Format("a folder of .txt files", read_folder)
    if path.suffix == ".spacy":
        return Format("a DocBin (.spacy)", read_docbin)
    if path.suffix == ".txt":
        return Format("a text file (.txt)", read_text_file)
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    if found := BY_ENDING.get(inner.suffix.lower()):
        return found
    names = ", ".join(one.name for one in BY_ENDING.values())
    raise InputError(
        f"{path} is of no known format. Expected {names}, each plain or .zst, .gz or .bz2; a "
        "DocBin (.spacy), a .txt file or a folder of .txt files."
    )


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a piece's documents; bad records go to `report`."""
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the documents of a corpus: any of the formats that `format_of` knows.

    `domain` names the source where the file itself does not. Raises InputError, before any work,
    where the path is not there or its format is not known; bad records go to `report`.
    """
    return format_of(Path(path)).read(Piece.whole(Path(path), domain), report)


def first_words(
    corpus: Path, limit: int, cut: Callable[[str], list[str]] = str.split
) -> Iterator[list[str]]:
    """Yield the words of a corpus's first documents, a document at a time.

    Args:
        corpus: A file in any format that `read_documents` knows.
        limit: Words in all.
        cut: Turns a text into words.
    """
    left = limit
    for document in read_documents(corpus):
        read = cut(document.text)[:left]
        left -= len(read)
        yield read
        if not left:
            return
