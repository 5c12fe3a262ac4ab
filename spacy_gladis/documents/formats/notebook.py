"""Jupyter notebooks: the Markdown cells, with places in the file itself."""

from ...errors import FormatError
from ..builder import TextBuilder
from ..source import MarkedDefinition
from .markdown import read_parts
from .records import PlacedString, decoded, loads


def read_notebook(builder: TextBuilder) -> None:
    """The text of the Markdown cells. Raises FormatError where this is no notebook."""
    original = builder.original
    try:
        cells = [one for one in loads(original)["cells"] if one["cell_type"] == "markdown"]
    except (ValueError, RecursionError) as error:
        raise FormatError(f"no notebook, its JSON is damaged: {error}") from None
    except (KeyError, TypeError):
        raise FormatError("no notebook of version 4: it has no list of cells") from None
    runs: list[tuple[str, int, int]] = []
    parts = []
    for cell in cells:
        written = cell.get("source")
        strings = written if isinstance(written, list) else [written]
        found = (one for one in strings if isinstance(one, PlacedString))
        inside = [run for one in found for run in decoded(original, one)]
        if inside:
            end = inside[-1][2]
            runs += [*inside, ("\n\n", end, end)]
            parts.append("".join(text for text, _, _ in inside))
    _read(builder, parts, runs)


def _read(builder: TextBuilder, parts: list[str], runs: list[tuple[str, int, int]]) -> None:
    """The Markdown of all cells, and back to the file: to where its runs stand there."""
    places: list[int] = []
    for text, start, end in runs:
        places += range(start, end) if end - start == len(text) else [start] * len(text)
    markdown = TextBuilder("".join(text for text, _, _ in runs))
    read_parts(markdown, parts)
    inner = markdown.source("markdown")
    at = 0
    for segment in inner.segments:
        builder.glue(inner.text[at : segment.start])
        if segment.verbatim:
            inside = places[segment.original : segment.original_end + 1]
            builder.spread(inner.text[segment.start : segment.end], inside)
        else:
            ends = places[segment.original], places[segment.original_end]
            builder.replace(inner.text[segment.start : segment.end], *ends)
        at = segment.end
    builder.regions += inner.regions
    builder.definitions += [
        MarkedDefinition(one.acronym, one.long_form, places[one.offset], one.glossary)
        for one in inner.definitions
    ]
