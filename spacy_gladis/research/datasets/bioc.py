"""Reader of corpora with annotated acronym definitions in BioC XML, such as the Ab3P corpus."""

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...errors import FormatError, InputError
from ...text import Offsets

Pair = tuple[str, str]  # acronym, long form
Stretches = tuple[Offsets, ...]  # several if words of the text are left out


class Abstract(NamedTuple):
    """A document, usually an abstract, with the acronym definitions that people annotated in it.

    Attributes:
        id: Id of the document.
        text: Text of the document.
        definitions: Annotated pairs of an acronym and a long form. A long form may leave out words
            of the text.
        places: Character offsets of each annotated pair: those of the acronym and those of the long
            form. Each is a tuple of ``(start, end)`` pairs, with more than one pair if words of the
            text are left out.
        mentions: Text of each annotated acronym and long form.
    """

    id: str
    text: str
    definitions: frozenset[Pair]
    places: tuple[tuple[Stretches, Stretches], ...] = ()
    mentions: tuple[str, ...] = ()


def read_bioc(path: Path) -> list[Abstract]:
    """Read the documents of a BioC file, with their annotated acronym definitions.

    Args:
        path: Path of the file, or of a folder that contains exactly one file whose name ends in
            ``_gold.xml``, also in subfolders.

    Returns:
        The documents, in file order. There is at least one.

    Raises:
        InputError: If the file can't be read, or the folder does not contain exactly one such file.
        FormatError: If the file is not BioC XML, has no documents, or relates an acronym to an
            annotation that does not exist.
    """
    if path.is_dir():
        files = sorted(path.rglob("*_gold.xml"))
        if len(files) != 1:
            raise InputError(
                f"The folder {path} contains {len(files)} files *_gold.xml instead of one. Choose "
                "one file."
            )
        path = files[0]
    try:
        root = ElementTree.parse(path).getroot()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ElementTree.ParseError as error:
        raise FormatError(f"{path} is not a BioC file, because it is not XML: {error}.") from error
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
            raise FormatError(
                f"{path}, document {name}: a passage has no valid 'offset'. It must be a whole "
                "number."
            ) from error
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
            f"{path}, document {name}: a relation lacks {error}. It needs a ShortForm and a "
            "LongForm that are annotations of the document."
        ) from error
    offsets = tuple((places[short], places[long]) for short, long in both)
    return Abstract(name, text, pairs, offsets, tuple(forms.values()))


def _annotation_offsets(path: Path, name: str, annotation: ElementTree.Element) -> Stretches:
    """Return the ``(start, end)`` character offsets of an annotation's parts, end exclusive."""
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
