"""Plain text: all of it counts."""

from ..source import Source, TextBuilder, same_length_newlines


def read_plain(source: str) -> Source:
    """The text itself; line ends become `\\n`."""
    if "\r" not in source:
        return Source("text", source)
    builder = TextBuilder(same_length_newlines(source))
    builder.copy(0, len(source))
    return builder.source(source, "text")
