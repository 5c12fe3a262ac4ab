"""HTML templates and style sheets, and functions that render pages with them."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...text import base_form

SOURCES = {
    "definition": "in the text",
    "document": "phrase in the text",
    "folder": "other documents",
    "dictionary": "dictionary",
    "llm": "language model",
    "nil": "unknown",
}
"""Labels that pages show for the sources of meanings."""

_FORBIDDEN = dict.fromkeys([*range(9), *range(11, 32), 127], "\ufffd")


def render(template: str, *, title: str, language: str = "en", **values: Any) -> Iterator[str]:
    """Render a template and yield the parts of the page.

    Args:
        template: The template's file name.
        title: The page's title.
        language: Code of the page's language.
        **values: The template's variables, which are escaped. Iterators are consumed as the page
            needs them.

    Yields:
        The parts of the page, which are written one after the other.
    """
    page = environment(__package__.rpartition(".")[0]).get_template(template)
    yield from page.generate(title=title, language=language, SOURCES=SOURCES, **values)


@cache
def environment(package: str) -> Environment:
    """Return the Jinja environment that renders a package's templates.

    The environment escapes all values, and undefined names raise errors.

    Args:
        package: Name of a package that has a folder `templates`.

    Returns:
        The environment. Each call returns the same object.
    """
    jinja = Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_without_forbidden,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.globals["anchor"] = anchor
    return jinja


def anchor(acronym: str) -> str:
    """Return the HTML id of an acronym's row in the glossary.

    Args:
        acronym: The acronym, in any spelling.

    Returns:
        The HTML id.
    """
    return "g-" + "-".join(f"{ord(letter):x}" for letter in base_form(acronym))


def _without_forbidden(value: Any) -> Any:
    """Replace characters that HTML doesn't allow."""
    return value.translate(_FORBIDDEN) if isinstance(value, str) else value
