"""Jupyter notebooks: the Markdown cells, with places in the file itself."""

from ...errors import FormatError
from ..json_strings import PlacedString, decoded, loads
from ..source import MarkedDefinition, TextBuilder
from .markdown import read_markdown


def read_notebook(builder: TextBuilder) -> None:
    """The text of the Markdown cells. Raises FormatError where this is no notebook."""
    original = builder.original
    try:
        cells = [one for one in loads(original)["cells"] if one["cell_type"] == "markdown"]
    except (ValueError, RecursionError) as error:
        raise FormatError(f"no notebook, its JSON is damaged: {error}") from None
    except (KeyError, TypeError):
        raise FormatError("no notebook of version 4: it has no list of cells") from None
    for cell in cells:
        written = cell.get("source")
        strings = written if isinstance(written, list) else [written]
        found = (one for one in strings if isinstance(one, PlacedString))
        _cell(builder, [run for one in found for run in decoded(original, one)])


def _cell(builder: TextBuilder, runs: list[tuple[str, int, int]]) -> None:
    places: list[int] = []
    for text, start, end in runs:
        same = end - start == len(text)
        places += range(start, end) if same else [start] * len(text)
    places.append(runs[-1][2] if runs else 0)
    markdown = TextBuilder("".join(text for text, _, _ in runs))
    read_markdown(markdown)
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
    builder.glue("\n\n")
    builder.definitions += [
        MarkedDefinition(one.acronym, one.long_form, places[one.offset], one.glossary)
        for one in inner.definitions
    ]
