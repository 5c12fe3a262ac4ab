"""Corpora of acronym definitions in BioC XML, the format of Ab3P's corpus."""

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...errors import FormatError, InputError
from ...text import Offsets

Pair = tuple[str, str]  # acronym, long form
Stretches = tuple[Offsets, ...]  # several if words of the text are left out


class Abstract(NamedTuple):
    """A document with the definitions that people annotated in it.

    Attributes:
        id: The document's id.
        text: Text of the document.
        definitions: The annotated `(acronym, long form)` pairs. A long form may skip words of the
            text.
        places: The character offsets of each acronym and its long form.
        mentions: The text of every annotation.
    """

    id: str
    text: str
    definitions: frozenset[Pair]
    places: tuple[tuple[Stretches, Stretches], ...] = ()
    mentions: tuple[str, ...] = ()


def read_bioc(path: Path) -> list[Abstract]:
    """Read the documents of a BioC file.

    Args:
        path: The file, or a folder with one file `*_gold.xml` in or below it.

    Returns:
        The documents, in file order.

    Raises:
        InputError: If there is no such file.
        FormatError: If the file is not BioC XML or has no documents, or if a relation refers to a
            missing annotation.
    """
    if path.is_dir():
        files = sorted(path.rglob("*_gold.xml"))
        if len(files) != 1:
            raise InputError(
                f"{path} contains {len(files)} files *_gold.xml. Name one of the files."
            )
        path = files[0]
    try:
        root = ElementTree.parse(path).getroot()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ElementTree.ParseError as error:
        raise FormatError(f"{path} is not XML: {error}.") from error
    documents = [_document(path, document) for document in root.iter("document")]
    if root.tag != "collection" or not documents:
        raise FormatError(f"{path} is not a BioC collection. Expected <collection><document>...")
    return documents


def _document(path: Path, document: ElementTree.Element) -> Abstract:
    name = document.findtext("id", "")
    text = ""
    forms: dict[str, str] = {}
    places: dict[str, Stretches] = {}
    related: list[dict[str, str]] = []
    for passage in document.iter("passage"):
        try:
            offset = int(passage.findtext("offset", ""))
        except ValueError as error:
            raise FormatError(f"{path}, document {name}: a passage has no offset.") from error
        text = text.ljust(offset)[:offset] + passage.findtext("text", "")
        for annotation in passage.iter("annotation"):
            forms[annotation.get("id", "")] = annotation.findtext("text", "")
            places[annotation.get("id", "")] = _annotation_offsets(path, name, annotation)
        for relation in passage.iter("relation"):
            nodes = {node.get("role", ""): node.get("refid", "") for node in relation.iter("node")}
            related.append(nodes)
    try:
        both = [(nodes["ShortForm"], nodes["LongForm"]) for nodes in related]
        pairs = frozenset((forms[short], forms[long]) for short, long in both)
    except KeyError as error:
        raise FormatError(
            f"{path}, document {name}: a relation lacks {error}; expected a ShortForm and a "
            "LongForm among the document's annotations."
        ) from error
    offsets = tuple((places[short], places[long]) for short, long in both)
    return Abstract(name, text, pairs, offsets, tuple(forms.values()))


def _annotation_offsets(path: Path, name: str, annotation: ElementTree.Element) -> Stretches:
    """Return the offsets of an annotation's parts, end exclusive."""
    try:
        starts = [
            (int(location.attrib["offset"]), location) for location in annotation.iter("location")
        ]
        return tuple((start, start + int(location.attrib["length"])) for start, location in starts)
    except (KeyError, ValueError) as error:
        raise FormatError(
            f"{path}, document {name}, annotation {annotation.get('id')}: a location needs "
            "'offset' and 'length', two whole numbers."
        ) from error
