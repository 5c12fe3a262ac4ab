"""No compiled pattern of the package takes steps that grow faster than the text."""

import pkgutil
import re
from importlib import import_module

import pytest

import spacy_gladis
from tests.support.pumping import superlinear


def patterns():
    """Every compiled pattern of a module or in its tables, by its first module and its name."""
    by_pattern: dict[re.Pattern[str], str] = {}
    for module in pkgutil.walk_packages(spacy_gladis.__path__, "spacy_gladis."):
        if module.name.startswith("spacy_gladis.research") or module.name.endswith("__main__"):
            continue
        for name, value in vars(import_module(module.name)).items():
            values = list(value.values()) if isinstance(value, dict) else value
            for element in values if isinstance(values, list | tuple) else [values]:
                if isinstance(element, re.Pattern) and isinstance(element.pattern, str):
                    by_pattern.setdefault(
                        element, f"{module.name.removeprefix('spacy_gladis.')}.{name}"
                    )
    return by_pattern


def test_no_pattern_is_superlinear():
    assert not {
        name: text for pattern, name in patterns().items() if (text := superlinear(pattern))
    }


@pytest.mark.parametrize(
    "pattern",
    [
        r"a*a*b",
        r"(?:a+)+b",
        r"(a|aa)+$",
        r"<[^>]*>",
        r"x\s*\s*y",
        r"(?:[.,]+\s*(?:etc)?)+\d",
        r"`(?P<t>[^`<]*?)(?:\s*<[^`>]*>)?`",
        r"(?s:begin(.*?)end)",
    ],
)
def test_a_pattern_that_takes_ever_longer_is_found(pattern):
    assert superlinear(re.compile(pattern))


@pytest.mark.parametrize(
    "pattern",
    [r"[^<>]*<", r"\d+(?:\.\d+)*", r"`[^`]*`", r"(?<!\S)a+b", r"(a)\1", r"(?i)x(?=y*)z|\bab{2,9}"],
)
def test_one_that_does_not_is_let_through(pattern):
    assert superlinear(re.compile(pattern)) is None
