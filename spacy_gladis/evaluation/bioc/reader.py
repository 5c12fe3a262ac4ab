"""Corpora of acronym definitions in BioC XML, as Ab3P's is published."""

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...errors import FormatError, InputError

Pair = tuple[str, str]  # acronym, long form


class Abstract(NamedTuple):
    """A document's text and the definitions that people marked in it."""

    id: str
    text: str
    definitions: frozenset[Pair]  # as annotated; a long form may leave out words of the text


def read_bioc(path: Path) -> list[Abstract]:
    """The documents of a BioC file, or of the one file `*_gold.xml` below a folder.

    Raises InputError when there is no such file, FormatError when it is no BioC XML, holds no
    document, or relates annotations that it does not hold.
    """
    if path.is_dir():
        files = sorted(path.rglob("*_gold.xml"))
        if len(files) != 1:
            raise InputError(f"{path} holds {len(files)} files *_gold.xml: name the file itself.")
        path = files[0]
    try:
        root = ElementTree.parse(path).getroot()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ElementTree.ParseError as error:
        raise FormatError(f"{path} is no XML: {error}.") from error
    documents = [_document(path, document) for document in root.iter("document")]
    if root.tag != "collection" or not documents:
        raise FormatError(f"{path} is no BioC collection: expected <collection><document>...")
    return documents


def _document(path: Path, document: ElementTree.Element) -> Abstract:
    name = document.findtext("id", "")
    text = ""
    forms: dict[str, str] = {}
    related: list[dict[str, str]] = []
    for passage in document.iter("passage"):
        try:
            offset = int(passage.findtext("offset", ""))
        except ValueError as error:
            raise FormatError(f"{path}, document {name}: a passage without offset.") from error
        text = text.ljust(offset)[:offset] + passage.findtext("text", "")
        for annotation in passage.iter("annotation"):
            forms[annotation.get("id", "")] = annotation.findtext("text", "")
        for relation in passage.iter("relation"):
            nodes = {node.get("role", ""): node.get("refid", "") for node in relation.iter("node")}
            related.append(nodes)
    try:
        pairs = [(forms[nodes["ShortForm"]], forms[nodes["LongForm"]]) for nodes in related]
    except KeyError as error:
        raise FormatError(
            f"{path}, document {name}: a relation lacks {error}; expected a ShortForm and a "
            "LongForm among the document's annotations."
        ) from error
    return Abstract(name, text, frozenset(pairs))
