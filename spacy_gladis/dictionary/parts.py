"""What the files define that a document takes in as its parts."""

from collections.abc import Iterator

from ..documents.source import Source
from ..text import base_form, find_definitions


def defined_in_parts(source: Source) -> Iterator[tuple[str, str]]:
    """Find what the parts of a document define, by their text or by their format's own means.

    Args:
        source: The document.

    Yields:
        The acronym's key, equal for all its forms, and the long form; what comes later counts more.
    """
    for part in source.included:
        for definition in find_definitions(part.text):
            acronym = part.text[slice(*definition.acronym)]
            yield base_form(acronym), " ".join(definition.words(part.text).split())
        for marked in part.definitions:
            yield base_form(marked.acronym), marked.long_form
