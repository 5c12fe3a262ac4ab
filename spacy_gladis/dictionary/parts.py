"""Find definitions of acronyms in the files that a document includes."""

from collections.abc import Iterator

from ..documents.source import Source
from ..text import base_form, find_definitions


def defined_in_parts(source: Source) -> Iterator[tuple[str, str]]:
    """Find definitions of acronyms in the files that a document includes, such as LaTeX chapters.

    Definitions are found in the text of these files and in their markup, such as a list of
    acronyms.

    Args:
        source: The document that includes other files.

    Yields:
        Pairs of an acronym's `base_form` and its long form, in the order of the files. If an
        acronym has several definitions, the last one takes precedence.
    """
    for part in source.included:
        for definition in find_definitions(part.text):
            acronym = part.text[slice(*definition.acronym)]
            yield base_form(acronym), " ".join(definition.words(part.text).split())
        for marked in part.definitions:
            yield base_form(marked.acronym), marked.long_form
