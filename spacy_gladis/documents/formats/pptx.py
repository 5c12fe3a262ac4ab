"""Reader of PPTX files, which parses their XML. Positions in a document are slides."""

from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath, split
from typing import IO, BinaryIO
from xml.etree.ElementTree import fromstring, iterparse
from zipfile import ZipFile

from ...errors import wrap_parser_errors
from ..builder import TextBuilder
from ..source import Source
from .office import Paragraph, check_sizes, fill

_SHOW = "ppt/presentation.xml"
_NOT_READ = ("fld", "oMath", "Fallback")
"""Elements that aren't read: slide numbers, dates, formulas, fallbacks for older programs."""


def read_pptx(file: Path | BinaryIO) -> Source:
    """Read the texts of the slides of a PPTX file in order, each followed by its notes.

    Args:
        file: Path of the file, or a file opened for reading bytes.

    Returns:
        The document as plain text. The line of a position is the number of the slide.

    Raises:
        FormatError: If the file isn't a valid PPTX file, or decompresses to too much.
    """
    with wrap_parser_errors("not a readable PPTX file"):
        check_sizes(file)
        with ZipFile(file) as archive:
            slides = [
                [paragraph for part in parts for paragraph in _paragraphs(archive.open(part))]
                or [Paragraph("")]
                for parts in _slides(archive)
            ]
    # A slide is a line of the original.
    builder = TextBuilder(
        "\n".join(" ".join(paragraph.text for paragraph in slide) for slide in slides)
    )
    start = 0
    for slide in slides:
        start = fill(builder, slide, start)
    return builder.source("pptx").at(unit="slide")


def _slides(archive: ZipFile) -> Iterator[list[str]]:
    """Yield the names of the XML files for each slide: the slide itself and its notes.

    No name is yielded twice, because a malicious file may repeat one many times.
    """
    seen: set[str] = set()
    shown = _targets(archive, _SHOW)
    for element in fromstring(archive.read(_SHOW)).iter():
        if _local(element.tag) == "sldId":
            slide = next(shown[id][1] for key, id in element.items() if key.endswith("}id"))
            if slide not in seen:
                related = _targets(archive, slide).values()
                notes = [part for kind, part in related if kind == "notesSlide"]
                yield [part for part in dict.fromkeys([slide, *notes]) if part not in seen]
                seen.update([slide, *notes])


def _targets(archive: ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return the XML files to which an XML file in the archive refers.

    The keys are the ids of the references, and the values are the kind and the name of each file.
    """
    folder, name = split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.NameToInfo:
        return {}
    return {
        relation.attrib["Id"]: (
            relation.attrib["Type"].rpartition("/")[2],
            normpath(join(folder, relation.attrib["Target"])).lstrip("/"),
        )
        for relation in fromstring(archive.read(relations))
        if relation.attrib["Target"].endswith(".xml")  # parts whose tags were counted
    }


def _paragraphs(part: IO[bytes]) -> Iterator[Paragraph]:
    runs: list[str] = []
    begins, title, tables, hidden = "", False, 0, 0
    for event, element in iterparse(part, ("start", "end")):
        tag = _local(element.tag)
        step = 1 if event == "start" else -1
        hidden += step * (tag in _NOT_READ)
        tables += step * (tag == "tbl")
        if event == "start":
            if tag in ("sp", "graphicFrame", "tr") or (tag == "tc" and begins != "row"):
                begins, title = {"tr": "row", "tc": "cell"}.get(tag, "block"), False
            elif tag == "ph":
                title = element.get("type") in ("title", "ctrTitle")
            continue
        if tag == "t" and not hidden:
            runs.append(element.text or "")
        elif tag == "br":
            runs.append(" ")
        elif tag == "p":
            text = " ".join("".join(runs).splitlines())
            if text or begins in ("row", "cell"):  # empty cells count, too
                yield Paragraph(text, begins, tables > 0, 1 if title else None)
                begins = ""
            runs.clear()
        element.clear()


def _local(tag: str) -> str:
    """Return the name of an XML element without its namespace. PPTX files use two namespaces."""
    return tag.rpartition("}")[2]
