"""Read documents from raw corpora; all formats except DocBin are streamed.

The Wikidata JSON dump is one JSON array with an entity per line, each but the last followed by a
comma: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
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
    """A text and its source.

    Attributes:
        id: Unique in a run: file name and line.
        text: The text.
        domain: The source's name, like The Pile's `pile_set_name`.
    """

    id: str
    text: str
    domain: str


class Piece(NamedTuple):
    """A whole input file or folder, or a part of a large shard.

    Attributes:
        name: Name of its outputs.
        path: The file or folder to read.
        shard: Name of the shard; the prefix of its documents' ids.
        source: Path of the shard, which problems name.
        first_line: Number of the piece's first line in the shard.
        domain: Domain of documents that name none.
    """

    name: str
    path: Path
    shard: str
    source: Path
    first_line: int = 1
    domain: str | None = None

    @classmethod
    def whole(cls, path: Path, domain: str | None = None, name: str | None = None) -> "Piece":
        """Make a piece of a whole file or folder.

        Args:
            path: The file or folder.
            domain: Domain of documents that name none.
            name: Name of the piece; by default the file's, up to the first dot.
        """
        name = name or path.name.split(".")[0]
        return cls(name, path, name, path, 1, domain)


BRACKETS = set("()[]")


def names_as_text(concept: Concept) -> str:
    """Write a concept's names as definitions (GLADIS, section 3.1).

    Each other name gives a paragraph with the preferred name, the shorter of the two in brackets.
    Names that contain brackets are left out.

    Args:
        concept: The concept, its preferred name first.

    Returns:
        The paragraphs; empty if there are none.
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
    """Read the `.txt` files below a folder, in order. The folder's name is the default domain.

    Args:
        piece: The folder.
        report: Called with each file that cannot be read.

    Yields:
        A document per file.
    """
    root = piece.path
    domain = piece.domain or root.name
    for path in sorted(root.rglob("*.txt")):
        yield from _read(path, f"{root.name}/{path.relative_to(root)}", domain, report)


def read_text_file(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read one text file.

    Args:
        piece: The file.
        report: Called if it cannot be read or is empty.

    Yields:
        The document.
    """
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
    """Read a shard of The Pile: JSON lines of `{"text", "meta": {"pile_set_name"}}`.

    The domain is `meta.pile_set_name`, else the piece's domain or its shard's name.

    Args:
        piece: The shard or a part of it.
        report: Called with each invalid record.

    Yields:
        The documents.
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
    """Read the texts of a DocBin. The default domain is the file's name.

    Args:
        piece: The file.
        report: Called with each problem.

    Yields:
        The documents.
    """
    for number, text in docbin_texts(piece.path, report):
        yield Document(f"{piece.shard}:{number}", text, piece.domain or piece.shard)


def read_umls(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read UMLS concepts: a document per concept, see `names_as_text`.

    Args:
        piece: MRCONSO.RRF; the default domain is "UMLS".
        report: Called with each invalid record.

    Yields:
        The documents, whose ids are the concepts' (CUI).
    """
    for concept in read_mrconso(piece.path, report):
        if text := names_as_text(concept):
            yield Document(concept.id, text, piece.domain or "UMLS")


LANGUAGE = "en"
INSTANCE_OF, SUBCLASS_OF = "P31", "P279"


def read_wikidata(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read Wikidata's entities: a document per entity, see `names_as_text`.

    Args:
        piece: The JSON dump; the default domain is "Wikidata".
        report: Called with each invalid record.

    Yields:
        The documents, whose ids are the entities'.
    """
    for entity in read_entities(piece, report):
        if text := names_as_text(entity):
            text = without_lone_surrogates(text)
            yield Document(entity.id, text, piece.domain or "Wikidata")


def read_entities(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Read Wikidata's entities that have a label.

    Args:
        piece: The JSON dump or a part of it.
        report: Called with each invalid record.

    Yields:
        Concepts. The parents are the ids of an entity's classes, the alternate id is the title of
        its Wikipedia page, and the domain is "class" for a subclass of another class.
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
    # A missing part is an empty list instead of an object.
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
    """A corpus format.

    Attributes:
        name: Its description, for messages.
        read: Reads a piece's documents.
        of_lines: Whether files can be split by lines.
    """

    name: str
    read: Callable[[Piece, Report], Iterator[Document]]
    of_lines: bool = False


BY_ENDING = {
    ".jsonl": Format("JSON lines (.jsonl)", read_pile, of_lines=True),
    ".ndjson": Format("JSON lines (.ndjson)", read_pile, of_lines=True),
    ".json": Format("a Wikidata dump (.json)", read_wikidata, of_lines=True),
    ".rrf": Format("UMLS names (MRCONSO.RRF)", read_umls),
}
"""The formats that may be compressed, by file extension."""


def format_of(path: Path) -> Format:
    """Return the format of a corpus, by its file name.

    Args:
        path: A file or folder.

    Raises:
        InputError: If the path is missing or its format is unknown.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist.")
    if path.is_dir():
        return Format("a folder of .txt files", read_folder)
    if path.suffix == ".spacy":
        return Format("a DocBin (.spacy)", read_docbin)
    if path.suffix == ".txt":
        return Format("a text file (.txt)", read_text_file)
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    if form := BY_ENDING.get(inner.suffix.lower()):
        return form
    names = ", ".join(form.name for form in BY_ENDING.values())
    raise InputError(
        f"{path} has an unknown format. Expected {names} (uncompressed, .zst, .gz or .bz2), a "
        "DocBin (.spacy), a .txt file or a folder of .txt files."
    )


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read a piece's documents.

    Args:
        piece: The piece.
        report: Called with each invalid record.

    Returns:
        The documents.
    """
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Read the documents of a corpus in any format that `format_of` knows.

    Args:
        path: A file or folder.
        domain: Domain of documents that name none.
        report: Called with each invalid record.

    Returns:
        The documents.

    Raises:
        InputError: Before any work, if the path is missing or its format is unknown.
    """
    return format_of(Path(path)).read(Piece.whole(Path(path), domain), report)


def first_words(
    corpus: Path, limit: int, cut: Callable[[str], list[str]] = str.split
) -> Iterator[list[str]]:
    """Read the first words of a corpus, document by document.

    Args:
        corpus: A file in any format that `read_documents` knows.
        limit: Total number of words.
        cut: Splits a text into words.

    Yields:
        The words of each document.
    """
    left = limit
    for document in read_documents(corpus):
        read = cut(document.text)[:left]
        left -= len(read)
        yield read
        if not left:
            return
