"""The pages' templates and style sheets, and how they are filled in."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...text import base_form

SOURCES = {
    "definition": "in the text",
    "document": "words of the text",
    "folder": "documents beside it",
    "dictionary": "dictionary",
    "llm": "language model",
    "nil": "unknown",
}
"""What a page calls the sources."""

_FORBIDDEN = dict.fromkeys([*range(9), *range(11, 32), 127], "\ufffd")


def render(template: str, *, title: str, language: str = "en", **values: Any) -> Iterator[str]:
    """Yield the parts of a page; values are escaped, and taken from iterators as they come."""
    made = environment(__package__.rpartition(".")[0]).get_template(template)
    yield from made.generate(title=title, language=language, SOURCES=SOURCES, **values)


@cache
def environment(package: str) -> Environment:
    """Jinja over a package's `templates`: all is escaped, and a misspelt name is an error."""
    made = Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_forbidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["anchor"] = anchor
    return made


def anchor(acronym: str) -> str:
    """The id of an acronym's place in the glossary, the same for its spellings."""
    return "g-" + "-".join(f"{ord(letter):x}" for letter in base_form(acronym))


def _without_forbidden(value: Any) -> Any:
    """Characters that HTML forbids become the replacement character."""
    return value.translate(_FORBIDDEN) if isinstance(value, str) else value
