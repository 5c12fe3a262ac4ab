"""What a dictionary says of a source of its entries."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class SourceInfo(NamedTuple):
    """A source of entries, under the name of their domain.

    `kind` is "text" (counts are documents), "glossary", "common" (counts 2, 6, 20, 60 and 200
    stand for the grades 1 to 5) or "concepts". `fields` are what it is about, with weights that
    sum to one; none for a source of all fields.
    """

    kind: str
    fields: Mapping[str, float]
    licence: str = ""


def read_source_infos(metadata: Mapping[str, Any]) -> dict[str, SourceInfo]:
    """The sources in a dictionary's metadata by domain; nothing where they say it otherwise."""
    sources = metadata.get("sources")
    if not isinstance(sources, Mapping):
        return {}
    return {
        domain: SourceInfo(said["kind"], said.get("fields", {}), said.get("licence", ""))
        for domain, said in sources.items()
        if isinstance(said, Mapping) and "kind" in said
    }
