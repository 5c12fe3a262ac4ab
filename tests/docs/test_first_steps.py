"""The first session: its commands run, end as they say, and are those of its page."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "tutorials" / "first_steps.md"


def outline(page):
    """Headings and commands; figures may differ from machine to machine."""
    return re.findall(r"^(?:## |\$ ).*$", page.read_text("utf8"), re.MULTILINE)


def test_the_page_is_that_of_its_commands(tmp_path, monkeypatch):
    spec = spec_from_file_location("first_steps", PAGE.with_suffix(".py"))
    assert spec and spec.loader
    first_steps = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, first_steps)
    spec.loader.exec_module(first_steps)
    monkeypatch.chdir(tmp_path)  # comes back from where the session was
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "argv", [])
    first_steps.main(tmp_path / PAGE.name)
    assert outline(tmp_path / PAGE.name) == outline(PAGE)
