"""PPTX from its parts: places are slides."""

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
"""Numbers of slides and dates, formulas, and what stands twice, for older programs."""


def read_pptx(file: Path | BinaryIO) -> Source:
    """The text of the slides in their order, each with its notes. Raises FormatError where the
    file is no PPTX, or unpacks to more than can be held."""
    with wrap_parser_errors("no PPTX that opens"):
        check_sizes(file)
        with ZipFile(file) as archive:
            slides = [
                [one for part in parts for one in _paragraphs(archive.open(part))]
                or [Paragraph("")]
                for parts in _slides(archive)
            ]
    # A slide is a line of the original.
    builder = TextBuilder("\n".join(" ".join(one.text for one in slide) for slide in slides))
    start = 0
    for slide in slides:
        start = fill(builder, slide, start)
    return builder.source("pptx").at(unit="slide")


def _slides(archive: ZipFile) -> Iterator[list[str]]:
    """The parts of each slide: itself and its notes. None is named twice, as a bomb would."""
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
    """What a part refers to, by the references' names: of which kind it is, and its own name."""
    folder, name = split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.NameToInfo:
        return {}
    return {
        one.attrib["Id"]: (
            one.attrib["Type"].rpartition("/")[2],
            normpath(join(folder, one.attrib["Target"])).lstrip("/"),
        )
        for one in fromstring(archive.read(relations))
        if one.attrib["Target"].endswith(".xml")  # those whose tags are counted
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
            if text or begins in ("row", "cell"):  # a cell without words is one, too
                yield Paragraph(text, begins, tables > 0, 1 if title else None)
                begins = ""
            runs.clear()
        element.clear()


def _local(tag: str) -> str:
    """A tag without its namespace, of which there are two."""
    return tag.rpartition("}")[2]
