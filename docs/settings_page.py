"""The settings of the spaCy components and architectures, as Markdown for the documentation."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, distribution
from types import MappingProxyType
from typing import Any

import griffe
from griffe import DocstringSectionKind as Kind
from spacy.language import Language

from spacy_gladis.pipeline.openai_compatible import OpenAICompatible

DISTRIBUTION = "spacy-gladis"
COMPONENT_ARGUMENTS = ("nlp", "name")
"""Arguments that spaCy passes to a component, so a config cannot set them."""

REQUIRED = "required"


def settings_page() -> str:
    """Return the settings of all spaCy components and architectures as Markdown.

    Returns:
        A section for each component, and for each function or class that a component's config can
        name.
    """
    sections = [
        *(component_section(entry.name, entry.load()) for entry in _entries("spacy_factories")),
        *(section(entry.name, entry.load()) for entry in _entries("spacy_architectures")),
        section("spacy-gladis.OpenAICompatible.v1", OpenAICompatible),
    ]
    return "\n\n".join(sections)


def component_section(name: str, component: type) -> str:
    """Return the settings of a spaCy component as Markdown.

    Args:
        name: Name of the component's factory, such as ``acrobert_linker``.
        component: Class of the component.

    Returns:
        A heading, the first paragraph of the class's docstring and a table of its settings. The
        defaults of the factory take precedence over those of the class.
    """
    defaults = Language.get_factory_meta(name).default_config or {}
    return section(name, component, defaults, skip=COMPONENT_ARGUMENTS)


def section(
    name: str,
    function: Callable[..., Any],
    defaults: Mapping[str, Any] = MappingProxyType({}),
    skip: Sequence[str] = (),
) -> str:
    """Return the settings of a function or class that a spaCy config can name, as Markdown.

    Args:
        name: Name of the function or class in a config.
        function: Function or class, with a docstring in Google style that describes its arguments.
        defaults: Default values, by argument, that replace those of the signature.
        skip: Names of arguments to leave out.

    Returns:
        A heading, the first paragraph of the docstring and a table of the arguments.

    Raises:
        ValueError: If an argument has no description.
    """
    summary, descriptions = read_docstring(function)
    rows = [
        f"| `{parameter.name}` | {_type(parameter)} | {_default(parameter, defaults)} "
        f"| {_description(name, parameter.name, descriptions)} |"
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in skip
    ]
    header = ["| setting | type | default | description |", "|---|---|---|---|"]
    return "\n".join([f"### {name}\n\n{summary}\n", *header, *rows])


def read_docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Parse the docstring of a function or class in Google style.

    Args:
        function: Documented function, or a class whose arguments are documented in its own
            docstring or in that of its constructor.

    Returns:
        The first paragraph, and the descriptions of the arguments by name.
    """
    sections = _parse(function)
    text = next(part.value for part in sections if part.kind is Kind.text)
    if inspect.isclass(function):
        sections += _parse(function.__init__)
    descriptions = {
        argument.name: " ".join(argument.description.split())
        for part in sections
        if part.kind is Kind.parameters
        for argument in part.value
    }
    return " ".join(text.partition("\n\n")[0].split()), descriptions


def _parse(documented: object) -> list[griffe.DocstringSection]:
    docstring = griffe.Docstring(inspect.getdoc(documented) or "")
    return list(docstring.parse("google", warnings=False))


def _entries(group: str) -> Iterator[EntryPoint]:
    return iter(distribution(DISTRIBUTION).entry_points.select(group=group))


def _description(name: str, argument: str, descriptions: dict[str, str]) -> str:
    if argument not in descriptions:
        raise ValueError(f"{name}: the docstring has no description of the argument {argument}.")
    return _cell(descriptions[argument])


def _type(parameter: inspect.Parameter) -> str:
    """Return a type as a config writes it: a registered function for a model or a scorer."""
    annotation = inspect.formatannotation(parameter.annotation)
    if any(name in annotation for name in ("Model[", "Callable[")):
        return "registered function"
    return f"`{_cell(annotation.replace('typing.', '').replace('collections.abc.', ''))}`"


def _default(parameter: inspect.Parameter, defaults: Mapping[str, Any]) -> str:
    """Return a default value; of a registered function, its name."""
    value = defaults.get(parameter.name, parameter.default)
    if isinstance(value, dict):
        registered = [name for key, name in value.items() if key.startswith("@")]
        value = registered[0] if registered else value
    return REQUIRED if value is parameter.empty else f"`{_cell(repr(value))}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
