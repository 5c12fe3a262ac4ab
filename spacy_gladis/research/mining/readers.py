"""Readers of raw corpora. All formats except DocBin are streamed.

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
    """A text of a corpus with its source.

    Attributes:
        id: Id that is unique in a run, made of the file name and line.
        text: The text.
        domain: Name of the source, such as The Pile's `pile_set_name`.
    """

    id: str
    text: str
    domain: str


class Piece(NamedTuple):
    """A unit of work for a reader: a file or folder, or a part of a large file (a shard).

    Attributes:
        name: Name of the outputs.
        path: The file or folder to read.
        shard: Name of the shard, which is the prefix of the documents' ids.
        source: Path of the shard, for messages about problems.
        first_line: Number of the piece's first line in the shard.
        domain: Domain of documents that don't have one.
    """

    name: str
    path: Path
    shard: str
    source: Path
    first_line: int = 1
    domain: str | None = None

    @classmethod
    def whole(cls, path: Path, domain: str | None = None, name: str | None = None) -> "Piece":
        """Create a piece that is a whole file or folder.

        Args:
            path: The file or folder.
            domain: Domain of documents that don't have one.
            name: Name of the piece. Defaults to the file's name up to the first dot.
        """
        name = name or path.name.split(".")[0]
        return cls(name, path, name, path, 1, domain)


BRACKETS = set("()[]")


def names_as_text(concept: Concept) -> str:
    """Convert the names of a concept to a text with definitions (GLADIS, section 3.1).

    There is a paragraph for each alternative name. It has this name and the preferred name, the
    shorter of the two in brackets. Names that contain brackets are skipped.

    Args:
        concept: The concept, its preferred name first.

    Returns:
        The paragraphs. Empty if there are none.
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
        report: Called if the file cannot be read or is empty.

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
    """Read a file of The Pile, which has JSON lines of `{"text", "meta": {"pile_set_name"}}`.

    The domain of a document is `meta.pile_set_name`. If that is missing, it is the default domain
    of `piece`, or the name of its shard.

    Args:
        piece: The file or a part of it.
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
    """Read the texts of a DocBin, whose file name is the default domain.

    Args:
        piece: The file.
        report: Called with each problem.

    Yields:
        The documents.
    """
    for number, text in docbin_texts(piece.path, report):
        yield Document(f"{piece.shard}:{number}", text, piece.domain or piece.shard)


def read_umls(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read UMLS concepts as documents, one for each concept; see `names_as_text`.

    Args:
        piece: The file MRCONSO.RRF. The default domain is "UMLS".
        report: Called with each invalid record.

    Yields:
        The documents, whose ids are those of the concepts (CUI).
    """
    for concept in read_mrconso(piece.path, report):
        if text := names_as_text(concept):
            yield Document(concept.id, text, piece.domain or "UMLS")


LANGUAGE = "en"
INSTANCE_OF, SUBCLASS_OF = "P31", "P279"


def read_wikidata(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read Wikidata's entities as documents, one for each entity; see `names_as_text`.

    Args:
        piece: The JSON dump. The default domain is "Wikidata".
        report: Called with each invalid record.

    Yields:
        The documents, whose ids are those of the entities.
    """
    for entity in read_entities(piece, report):
        if text := names_as_text(entity):
            text = without_lone_surrogates(text)
            yield Document(entity.id, text, piece.domain or "Wikidata")


def read_entities(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Read the entities of a Wikidata dump that have a label as concepts.

    Args:
        piece: The JSON dump or a part of it.
        report: Called with each invalid record.

    Yields:
        The concepts. The parents are the ids of the entity's classes, and the alternate id is the
        title of its Wikipedia page. The domain is "class" if the entity is a subclass of another
        class.
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
        name: Description of the format, for messages.
        read: Function that reads the documents of a piece.
        of_lines: Whether files can be split at line ends.
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
"""A mapping from file extensions to formats, whose files may be compressed."""


def format_of(path: Path) -> Format:
    """Return the format of a corpus, as detected from its file name.

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
    """Read the documents of a piece.

    Args:
        piece: The file, folder or part of a file to read.
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
        domain: Domain of documents that don't have one.
        report: Called with each invalid record.

    Returns:
        The documents.

    Raises:
        InputError: If the path is missing or its format is unknown. Raised before reading starts.
    """
    return format_of(Path(path)).read(Piece.whole(Path(path), domain), report)


def first_words(
    corpus: Path, limit: int, cut: Callable[[str], list[str]] = str.split
) -> Iterator[list[str]]:
    """Read the words of a corpus, document by document, up to a maximum number.

    Args:
        corpus: A file in any format that `read_documents` knows.
        limit: Maximum total number of words.
        cut: Function that splits a text into words.

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
