"""Reader of the Markdown cells of Jupyter notebooks. Positions are lines of the notebook file."""

from ...errors import FormatError
from ..builder import TextBuilder
from .markdown import read_parts
from .records import PlacedString, decoded, loads


def read_notebook(builder: TextBuilder) -> None:
    """Read the text of the Markdown cells of a Jupyter notebook. Code cells are skipped.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.

    Raises:
        FormatError: If the file isn't a notebook of version 4.
    """
    original = builder.original
    try:
        cells = [cell for cell in loads(original)["cells"] if cell["cell_type"] == "markdown"]
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not a notebook, because its JSON is invalid: {error}") from None
    except (KeyError, TypeError):
        raise FormatError("not a notebook of version 4, because it has no list of cells") from None
    runs: list[tuple[str, int, int]] = []
    parts = []
    for cell in cells:
        written = cell.get("source")
        strings = written if isinstance(written, list) else [written]
        placed = (string for string in strings if isinstance(string, PlacedString))
        inside = [run for string in placed for run in decoded(original, string)]
        if inside:
            end = inside[-1][2]
            runs += [*inside, ("\n\n", end, end)]
            parts.append("".join(text for text, _, _ in inside))
    _read(builder, parts, runs)


def _read(builder: TextBuilder, parts: list[str], runs: list[tuple[str, int, int]]) -> None:
    """Read the Markdown of all cells, and map it to its positions in the notebook file."""
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
        definition._replace(offset=places[definition.offset]) for definition in inner.definitions
    ]
