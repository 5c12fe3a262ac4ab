"""Other packages add rules."""

import re

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import InputError
from spacy_gladis.lint.formats import FORMATS
from spacy_gladis.lint.registry import ADDED, load_rules
from spacy_gladis.lint.rule_pages import rules_page
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from tests.support.paths import ROOT
from tests.support.plugins import write_package

PAGE = (ROOT / "docs" / "how-to" / "lint.md").read_text("utf8")
[EXAMPLE] = [
    block for block in re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL) if "(Rule)" in block
]
OTHERS = """

class Unfinished(Rule):
    code = "ORG002"

class TakesACode(ShoutedAcronym):
    code = "AC001"

class WithoutACheck(ShoutedAcronym):
    code = "ORG003"
    check = Rule.check

class Misnamed(ShoutedAcronym):
    code = "org-4"

other = "no rule"
"""


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Adds rules: their classes by their codes."""

    def add(**classes):
        name = f"acme_rules_{'_'.join(classes.values())}".lower()
        write_package(tmp_path, name, EXAMPLE + OTHERS, {ADDED: classes})
        monkeypatch.syspath_prepend(tmp_path)
        load_rules.cache_clear()

    yield add
    load_rules.cache_clear()


def findings(text, *codes):
    source = read_text(text, "text").at(name="a.txt", path="a.txt")
    return lint([source], Settings(select=codes or None))


def test_the_rule_of_the_documentation_is_checked_once_it_is_selected(added):
    added(ORG001="ShoutedAcronym")
    assert [str(finding) for finding in findings("Read the QBR!", "ORG")] == [
        "a.txt:1:10: ORG001 'QBR' is shouted"
    ]
    assert findings("Read the QBR.", "ORG001") == []
    assert findings("Read the QBR!") == []  # added rules must be selected
    assert "## ORG001 shouted-acronym" in rules_page()
    assert '"ORG001"' in FORMATS["sarif"](findings("Read the QBR!", "ORG001"))


@pytest.mark.parametrize(
    ("code", "attribute", "message"),
    [
        ("ORG001", "other", "derived from Rule"),
        ("ORG002", "Unfinished", "has no name, summary, why, bad, good"),
        ("ORG005", "ShoutedAcronym", "Expected the entry point's name"),
        ("org-4", "Misnamed", "three digits"),
        ("AC001", "TakesACode", "taken"),
        ("ORG006", "Absent", "cannot be imported"),
    ],
)
def test_a_rule_that_cannot_be_used_is_named(added, code, attribute, message):
    added(**{code: attribute})
    with pytest.raises(InputError, match=message) as raised:
        load_rules()
    assert repr(code) in str(raised.value)


def test_a_rule_without_a_check_says_so(added):
    added(ORG003="WithoutACheck")
    with pytest.raises(NotImplementedError, match="WithoutACheck"):
        findings("Read the QBR!", "ORG003")
