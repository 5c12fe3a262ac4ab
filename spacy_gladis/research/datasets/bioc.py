"""Corpora of acronym definitions in BioC XML, as Ab3P's is published."""

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...errors import FormatError, InputError
from ...text import Offsets

Pair = tuple[str, str]  # acronym, long form
Stretches = tuple[Offsets, ...]  # more than one where words of the text are left out


class Abstract(NamedTuple):
    """A document's text and the definitions that people marked in it."""

    id: str
    text: str
    definitions: frozenset[Pair]  # as annotated; a long form may leave out words of the text
    places: tuple[tuple[Stretches, Stretches], ...] = ()  # of each acronym and its long form
    mentions: tuple[str, ...] = ()  # every annotation's text


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
        raise FormatError(f"{path} is not XML: {error}.") from error
    documents = [_document(path, document) for document in root.iter("document")]
    if root.tag != "collection" or not documents:
        raise FormatError(f"{path} is not a BioC collection: expected <collection><document>...")
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
            raise FormatError(f"{path}, document {name}: a passage without offset.") from error
        text = text.ljust(offset)[:offset] + passage.findtext("text", "")
        for annotation in passage.iter("annotation"):
            forms[annotation.get("id", "")] = annotation.findtext("text", "")
            places[annotation.get("id", "")] = _stretches(path, name, annotation)
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
    stretches = tuple((places[one], places[other]) for one, other in both)
    return Abstract(name, text, pairs, stretches, tuple(forms.values()))


def _stretches(path: Path, name: str, annotation: ElementTree.Element) -> Stretches:
    """Where an annotation is, end exclusive."""
    try:
        begun = [(int(one.attrib["offset"]), one) for one in annotation.iter("location")]
        return tuple((start, start + int(one.attrib["length"])) for start, one in begun)
    except (KeyError, ValueError) as error:
        raise FormatError(
            f"{path}, document {name}, annotation {annotation.get('id')}: a location needs "
            "'offset' and 'length', two whole numbers."
        ) from error
