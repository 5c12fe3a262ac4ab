"""The systems that find definitions: this package's rules and those that people use today."""

from collections.abc import Callable
from typing import Any

from ....errors import check_names, require
from ....rules import Definition, find_definitions, schwartz_hearst
from ...datasets.bioc import Pair

System = Callable[[str], set[Pair]]


def pairs_of(text: str, definitions: list[Definition]) -> set[Pair]:
    """The distinct pairs of strings among definitions."""
    return {(text[slice(*one.acronym)], one.words(text)) for one in definitions}


def _rules(find: Callable[[str], list[Definition]]) -> Callable[[], System]:
    return lambda: lambda text: pairs_of(text, find(text))


def _detector() -> System:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    detector: Any = nlp.get_pipe("acronym_detector")
    return lambda text: pairs_of(text, detector.find(text).definitions)


def _scispacy() -> System:
    import spacy

    require("scispacy.abbreviation", "bench")  # registers the pipe
    nlp = spacy.blank("en")
    nlp.add_pipe("abbreviation_detector")
    nlp.max_length = 1 << 40

    def find(text: str) -> set[Pair]:
        found: list[Any] = nlp(text)._.abbreviations
        return {(span.text, span._.long_form.text) for span in found}

    return find


def _abbreviations() -> System:
    module = require("abbreviations.schwartz_hearst", "bench")

    def find(text: str) -> set[Pair]:
        return set(module.extract_abbreviation_definition_pairs(doc_text=text).items())

    return find


def _abbreviation_extractor() -> System:
    extract = require("abbreviation_extractor", "bench").extract_abbreviation_definition_pairs
    return lambda text: {(one.abbreviation, one.definition) for one in extract(text)}


SYSTEMS: dict[str, Callable[[], System]] = {
    "acronym_detector": _detector,
    "find_definitions": _rules(find_definitions),
    "schwartz_hearst": _rules(schwartz_hearst),
    "scispacy": _scispacy,
    "abbreviations": _abbreviations,
    "abbreviation_extractor": _abbreviation_extractor,
}


def make_systems(names: list[str]) -> dict[str, System]:
    """Systems by name; "all" is every one.

    Raises InputError for an unknown name, MissingExtraError when a system is not installed.
    """
    wanted = list(SYSTEMS) if "all" in names else names
    check_names("system", wanted, ["all", *SYSTEMS])
    return {name: SYSTEMS[name]() for name in wanted}
