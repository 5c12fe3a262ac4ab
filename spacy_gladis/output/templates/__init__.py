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
"""Labels that pages show for the source of an acronym's long form."""

_FORBIDDEN = dict.fromkeys([*range(9), *range(11, 32), 127], "\ufffd")


def render(template: str, *, title: str, language: str = "en", **values: Any) -> Iterator[str]:
    """Render an HTML template, and yield the page in parts.

    Args:
        template: File name of the template, such as `glossary_page.jinja`.
        title: Title of the page.
        language: Code of the page's language, such as `en`.
        **values: Variables of the template. Strings are escaped, and iterators are consumed as the
            page needs them.

    Yields:
        Strings that form the page when they are joined.
    """
    page = environment(__package__.rpartition(".")[0]).get_template(template)
    yield from page.generate(title=title, language=language, SOURCES=SOURCES, **values)


@cache
def environment(package: str) -> Environment:
    """Return the Jinja environment that renders the HTML templates of a package.

    The environment escapes all values. Names that are undefined in a template raise errors.

    Args:
        package: Name of a package that has a folder `templates`.

    Returns:
        The environment, which is the same object for each call with this package.
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
    """Return the HTML id of an acronym's row in a glossary, to link to the row.

    Args:
        acronym: Acronym in any spelling. "CNN" and "CNNs" have the same id.

    Returns:
        The HTML id, which consists of ASCII letters, digits and hyphens.
    """
    return "g-" + "-".join(f"{ord(letter):x}" for letter in base_form(acronym))


def _without_forbidden(value: Any) -> Any:
    """Replace the characters in a string that HTML doesn't allow. Other values stay unchanged."""
    return value.translate(_FORBIDDEN) if isinstance(value, str) else value
