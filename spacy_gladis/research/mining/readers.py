"""Readers of raw corpora in several formats, such as shards of The Pile and Wikidata dumps.

All formats except DocBin are read as streams, so a file can be larger than the memory.

A Wikidata dump is a single JSON array. Each of its lines has one entity, followed by a comma. See
https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html.
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
    """A text of a corpus, with its id and domain.

    Attributes:
        id: Id that is unique in a mining run, such as the name of the file and the line number.
        text: Text of the document.
        domain: Name of the source or subject field, such as ``"PubMed Abstracts"``.
    """

    id: str
    text: str
    domain: str


class Piece(NamedTuple):
    """A part of a corpus that is read at once: a file, a folder, or a piece of a large file.

    Attributes:
        name: Name of the part in the output of a mining run.
        path: Path of the file or folder to read.
        shard: Name of the original file, with which the ids of the documents start.
        source: Path of the original file, for problem messages. It differs from `path` for a piece
            of a large file.
        first_line: Line number in the original file at which the piece starts, counted from 1.
        domain: Domain of documents that don't name one. None lets the reader choose, usually by the
            name of the file.
    """

    name: str
    path: Path
    shard: str
    source: Path
    first_line: int = 1
    domain: str | None = None

    @classmethod
    def whole(cls, path: Path, domain: str | None = None, name: str | None = None) -> "Piece":
        """Create a piece that consists of a whole file or folder.

        Args:
            path: Path of the file or folder.
            domain: Domain of documents that don't name one.
            name: Name of the piece. None uses the name of the file up to its first dot.

        Returns:
            The piece, which starts at line 1.
        """
        name = name or path.name.split(".")[0]
        return cls(name, path, name, path, 1, domain)


BRACKETS = set("()[]")


def names_as_text(concept: Concept) -> str:
    """Write the names of a concept as a text in which acronyms are defined.

    This makes vocabularies readable for the rules that find definitions (GLADIS, section 3.1). For
    example, a concept with the names "Computed tomography" and "CT" becomes "Computed tomography
    (CT)". Each alternative name gives a paragraph with the preferred name. The shorter of the two
    names is always in the brackets, where GLADIS puts the alternative name. Names that contain
    brackets are skipped.

    Args:
        concept: Concept whose first name is the preferred one.

    Returns:
        The paragraphs, separated by blank lines. Empty if the concept has no usable names.
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
    """Read all ``.txt`` files in a folder and its subfolders.

    Args:
        piece: Folder to read. If it has no domain, the name of the folder is the domain of the
            documents.
        report: Function that is called with each file that is empty or can't be read. Such files
            are skipped.

    Yields:
        A document for each file, sorted by path.
    """
    root = piece.path
    domain = piece.domain or root.name
    for path in sorted(root.rglob("*.txt")):
        yield from _read(path, f"{root.name}/{path.relative_to(root)}", domain, report)


def read_text_file(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read a plain text file in UTF-8 as one document.

    Args:
        piece: File to read. If it has no domain, the name of the file is the domain.
        report: Function that is called if the file is empty or can't be read.

    Yields:
        The document, or nothing if the file is empty or can't be read.
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
    """Read a JSON Lines file whose records have a `text`, such as a shard of The Pile.

    The domain of a document is the value of ``meta.pile_set_name`` in its record. If the record
    does not have it, the domain is that of `piece`, or else the name of the file.

    Args:
        piece: File to read, or a piece of it.
        report: Function that is called with each invalid record. Such records are skipped.

    Yields:
        A document for each record. Its id is the name of the file and the line number.
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
    """Read the texts of a DocBin file, in which spaCy stores documents.

    Args:
        piece: File to read. If it has no domain, the name of the file is the domain.
        report: Function that is called with each problem, such as a damaged file.

    Yields:
        The documents. The id of each is the name of the file and its number.
    """
    for number, text in docbin_texts(piece.path, report):
        yield Document(f"{piece.shard}:{number}", text, piece.domain or piece.shard)


def read_umls(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read the concepts of UMLS as documents in which their names define each other.

    See `names_as_text` for the text of a document.

    Args:
        piece: UMLS's file of names, MRCONSO.RRF. If it has no domain, the domain is ``"UMLS"``.
        report: Function that is called with each invalid record. Such records are skipped.

    Yields:
        A document for each concept with several usable names. Its id is the concept's id (CUI).
    """
    for concept in read_mrconso(piece.path, report):
        if text := names_as_text(concept):
            yield Document(concept.id, text, piece.domain or "UMLS")


LANGUAGE = "en"
INSTANCE_OF, SUBCLASS_OF = "P31", "P279"


def read_wikidata(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read the entities of Wikidata as documents in which their names define each other.

    See `names_as_text` for the text of a document. Only English names are used.

    Args:
        piece: JSON dump, or a piece of it. If it has no domain, the domain is ``"Wikidata"``.
        report: Function that is called with each invalid record. Such records are skipped.

    Yields:
        A document for each entity with several usable names. Its id is the entity's id.
    """
    for entity in read_entities(piece, report):
        if text := names_as_text(entity):
            text = without_lone_surrogates(text)
            yield Document(entity.id, text, piece.domain or "Wikidata")


def read_entities(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Read the entities of a Wikidata dump as concepts. Entities without English label are skipped.

    Args:
        piece: JSON dump, or a piece of it.
        report: Function that is called with each invalid record. Such records are skipped.

    Yields:
        A concept for each entity, with these fields:

        - `id`: id of the entity, such as ``"Q42"``.
        - `names`: the English label, followed by the English aliases.
        - `alternates`: title of the English Wikipedia page, if there is one.
        - `domain`: ``"class"`` if the entity is a subclass of another class, and empty otherwise.
        - `parents`: ids of the classes that the entity is an instance or a subclass of.
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
    """A file format of raw corpora.

    Attributes:
        name: Description of the format for error messages, such as ``"JSON lines (.jsonl)"``.
        read: Function that reads the documents of a piece. It is passed the piece and a function to
            call with each invalid record.
        of_lines: Whether a file consists of lines, so that it can be split into pieces.
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
"""A mapping from file extensions to formats. Files in these formats may be compressed."""


def format_of(path: Path) -> Format:
    """Return the format of a corpus, which is recognized by the extension of the file.

    Args:
        path: Path of a file or folder.

    Returns:
        The format. A folder is read as text files.

    Raises:
        InputError: If the path does not exist, or the extension is unknown.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist. Choose a file or folder of a corpus.")
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
        f"The corpus {path} has an unknown format. Choose {names} (uncompressed, .zst, .gz or "
        ".bz2), a DocBin (.spacy), a .txt file or a folder of .txt files."
    )


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Read the documents of a piece of a corpus, in the format of the original file.

    Args:
        piece: File, folder or piece of a large file to read.
        report: Function that is called with each invalid record. Such records are skipped.

    Returns:
        An iterator over the documents.
    """
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Read the documents of a corpus in any supported format.

    The formats are JSON Lines, Wikidata dumps, UMLS's MRCONSO.RRF, DocBins, text files and folders
    of text files.

    Args:
        path: Path of a file or folder.
        domain: Domain of documents that don't name one. None uses a default of the format, usually
            the name of the file.
        report: Function that is called with each invalid record. Such records are skipped.

    Returns:
        An iterator over the documents.

    Raises:
        InputError: If the path does not exist, or its extension is unknown. The error is raised
            before reading starts.
    """
    return format_of(Path(path)).read(Piece.whole(Path(path), domain), report)


def first_words(
    corpus: Path, limit: int, cut: Callable[[str], list[str]] = str.split
) -> Iterator[list[str]]:
    """Read the first words of a corpus, up to a maximum number.

    Args:
        corpus: Path of a file or folder in any format that `read_documents` supports.
        limit: Maximum number of words in total.
        cut: Function that splits a text into words.

    Yields:
        The list of words of each document. The last list is shortened to reach the maximum.
    """
    left = limit
    for document in read_documents(corpus):
        read = cut(document.text)[:left]
        left -= len(read)
        yield read
        if not left:
            return
