"""Jupyter notebooks: the Markdown cells, with places in the file itself."""

import json

from ...errors import FormatError
from ..json_strings import decoded, json_strings
from ..source import MarkedDefinition, Source, TextBuilder, same_length_newlines
from .markdown import read_markdown


def read_notebook(source: str) -> Source:
    """The text of the Markdown cells. Raises FormatError where this is no notebook."""
    normal = same_length_newlines(source)
    try:
        cells = json.loads(normal)["cells"]
        wanted = {n for n, cell in enumerate(cells) if cell["cell_type"] == "markdown"}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"no notebook of version 4: {error!r}") from None
    written: dict[int, list[tuple[str, int, int]]] = {number: [] for number in sorted(wanted)}
    for one in json_strings(normal):
        match one.path:
            case ("cells", int(number), "source", *_) if number in wanted:
                written[number] += decoded(normal, one.start, one.end)
    builder = TextBuilder(normal)
    for runs in written.values():
        _cell(builder, runs)
    return builder.source(source, "notebook")


def _cell(builder: TextBuilder, runs: list[tuple[str, int, int]]) -> None:
    places: list[int] = []
    for text, start, end in runs:
        same = end - start == len(text)
        places += range(start, end) if same else [start] * len(text)
    places.append(runs[-1][2] if runs else 0)
    inner = read_markdown("".join(text for text, _, _ in runs))
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
