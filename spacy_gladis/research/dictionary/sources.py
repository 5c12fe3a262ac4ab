"""What a dictionary is built from: `assets/dictionary/sources.json`, read."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InputError

KINDS = ("text", "glossary", "common", "concepts")


@dataclass(frozen=True)
class Source:
    """A source of entries: its name is their domain."""

    name: str
    kind: str
    path: Path
    licence: str
    fields: dict[str, float]
    """What it is about, by shares that sum to one; nothing for a source of all fields."""
    publisher: str
    """Sources of one publisher do not attest each other's entries."""
    flags: frozenset[str] = field(default=frozenset())
    """"small": its acronyms lost their capitals; "clinical": small letters count in its field;
    "projects": full of names that nobody else uses."""

    def to_json(self) -> dict[str, Any]:
        """What the dictionary's metadata say of it."""
        return {"kind": self.kind, "fields": self.fields, "licence": self.licence}


@dataclass(frozen=True)
class Sources:
    """All sources that a build takes, and the texts in which ordinary words are counted."""

    sources: list[Source]
    words: list[Path]
    documents: int
    """Documents of each of `words` to count."""
    known: frozenset[str]
    """Spellings that are acronyms though they look like none, be they ever so frequent."""

    def of_kind(self, kind: str) -> list[Source]:
        return [source for source in self.sources if source.kind == kind]


def read_sources(path: Path, shared: Path, without: Collection[str] = ()) -> Sources:
    """The sources that the file at `path` names and has on, but for those in `without`.

    Paths of common lists are relative to the file, all others to the folder `shared`. Raises
    `InputError` for a file of another form, a path that is not there, a name not among the sources.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        words = content["words"]
        known = frozenset((path.parent / content["known"]["path"]).read_text("utf8").split())
        sources = [
            source
            for kind in KINDS
            for source in _sources(kind, content[kind], path.parent if kind == "common" else shared)
        ]
        off = {name for kind in KINDS for name in content[kind].get("off", [])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not a list of sources: {error!r}") from error
    names = {source.name for source in sources}
    if unknown := sorted({*without, *off} - names):
        raise InputError(
            f"{path} has no source {unknown[0]!r}. It has: {', '.join(sorted(names))}."
        )
    taken = [source for source in sources if source.name not in off and source.name not in without]
    for source in taken:
        if not source.path.exists():
            raise InputError(f"The source {source.name!r} is missing: {source.path}")
    texts = [shared / one for one in words["paths"]]
    return Sources(taken, texts, words["documents"], known)


def _sources(kind: str, section: dict[str, Any], folder: Path) -> list[Source]:
    """The sources of a section; each has what the section says of all, and its own.

    branches: folders of lists, each with the fields that its lists are of; a list is a source by
    its path, and may have fields of its own.
    """
    place = folder / section.get("path", "")
    listed = dict(section["sources"])
    for branch, fields in section.get("branches", {}).items():
        for path in sorted((place / branch).glob("*.tsv")):
            listed.setdefault(f"{branch}/{path.stem}", {"fields": fields})
    made = []
    for name, own in listed.items():
        about = own["fields"]
        total = sum(about.values())
        made.append(
            Source(
                name if kind == "text" else f"{kind}: {name}",
                kind,
                place if kind == "text" else place / own.get("path", f"{name}.tsv"),
                own.get("licence", section.get("licence", "")),
                {one: round(weight / total, 3) for one, weight in about.items()},
                own.get("publisher", kind if kind == "common" else name),
                frozenset(own.get("flags", ())),
            )
        )
    return made
