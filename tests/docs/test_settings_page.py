"""The reference of settings is generated, and the linter's table is complete."""

import re
import sys
from importlib.metadata import distribution
from importlib.util import find_spec, module_from_spec, spec_from_file_location

import pytest
from spacy.language import Language

from spacy_gladis.lint.settings import NAMES
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "reference" / "settings.md").read_text("utf8")


@pytest.fixture
def generator(monkeypatch):
    if not find_spec("griffe"):
        pytest.skip("needs the extra docs")
    spec = spec_from_file_location("settings_page", ROOT / "docs" / "settings_page.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def rows(section):
    """The cells of a table's rows by the setting's name."""
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in section.splitlines() if "| `" in line]
    return {name.strip(" `"): [cell.strip() for cell in rest] for name, *rest in cells}


def test_every_setting_of_every_component_is_listed(generator):
    sections = dict(
        re.findall(r"^### (\S+)\n(.*?)(?=^###|\Z)", generator.settings_page(), re.M | re.S)
    )
    for entry in distribution("spacy-gladis").entry_points.select(group="spacy_factories"):
        entry.load()
        config = Language.get_factory_meta(entry.name).default_config or {}
        listed = rows(sections[entry.name])
        assert config.keys() <= listed.keys() and not {"nlp", "name"} & listed.keys()
        assert all(type_ and default and text for type_, default, text in listed.values())


def test_a_row_has_the_type_the_default_and_the_description(generator):
    def component(nlp, name, model, *, threshold: float = 0.5, known: bool | None = None):
        """Create a component.

        More words.

        Args:
            nlp: The pipeline.
            name: The name.
            model: The weights.
            threshold: Lowest
                probability.
            known: Whether a | b.
        """

    defaults = {"model": {"@architectures": "house.Model.v1", "path": None}, "threshold": 0.7}
    text = generator.section("house", component, defaults, skip=("nlp", "name"))
    assert text.startswith("### house\n\nCreate a component.\n\n| setting |")
    assert rows(text) == {
        "model": ["`inspect._empty`", "`'house.Model.v1'`", "The weights."],
        "threshold": ["`float`", "`0.7`", "Lowest probability."],
        "known": [r"`bool \| None`", "`None`", r"Whether a \| b."],
    }


def test_a_setting_without_a_description_is_an_error(generator):
    def component(threshold: float = 0.5):
        """Create a component."""

    with pytest.raises(ValueError, match=r"house.*threshold"):
        generator.section("house", component)


def test_a_class_may_describe_its_settings_in_the_constructor(generator):
    class Component:
        """Does things."""

        def __init__(self, top: int):
            """Initialize it.

            Args:
                top: Number of answers.
            """

    text = generator.section("house", Component)
    assert rows(text) == {"top": ["`int`", "required", "Number of answers."]}


def test_the_linter_s_settings_are_all_listed():
    table = PAGE[PAGE.index("## The linter") : PAGE.index("## The MkDocs plugin")]
    names = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    assert {name for cell in names for name in re.findall("`([^`]+)`", cell)} == set(NAMES)
