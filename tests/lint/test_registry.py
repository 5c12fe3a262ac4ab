"""Other packages add rules."""

from importlib.metadata import EntryPoint

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import InputError
from spacy_gladis.lint import registry
from spacy_gladis.lint.finding import Found
from spacy_gladis.lint.formats import FORMATS
from spacy_gladis.lint.rule import Rule
from spacy_gladis.lint.rule_pages import rules_page
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings


class ShoutedAcronym(Rule):
    code = "ORG001"
    name = "shouted-acronym"
    summary = "An acronym is followed by an exclamation mark"
    why = "Nobody likes to be shouted at."
    bad = ("Read the QBR!",)
    good = ("Read the QBR.",)

    def check(self, document):
        """Report each acronym before an exclamation mark."""
        for use in document.uses:
            if document.text[use.end : use.end + 1] == "!":
                yield Found(document.offset(use), use.acronym, f"'{use.acronym}' is shouted")


class Unfinished(Rule):
    code = "ORG002"


class TakesACode(ShoutedAcronym):
    code = "AC001"


class WithoutACheck(ShoutedAcronym):
    code = "ORG003"
    check = Rule.check


class Misnamed(ShoutedAcronym):
    code = "org-4"


@pytest.fixture
def added(monkeypatch):
    """Adds rules of this file by entry points of these names."""

    def add(**classes):
        entries = [
            EntryPoint(code, f"{__name__}:{name}", registry.ADDED) for code, name in classes.items()
        ]
        monkeypatch.setattr(registry, "entry_points", lambda group: entries)
        monkeypatch.setattr(EntryPoint, "load", lambda self: globals()[self.attr])
        registry.load_rules.cache_clear()

    yield add
    registry.load_rules.cache_clear()


def findings(text, *codes):
    source = read_text(text, "text").at(name="a.txt", path="a.txt")
    return lint([source], Settings(select=codes or None))


def test_another_packages_rule_is_checked_once_it_is_selected(added):
    added(ORG001="ShoutedAcronym")
    assert [str(one) for one in findings("Read the QBR!", "ORG")] == [
        "a.txt:1:10: ORG001 'QBR' is shouted"
    ]
    assert findings("Read the QBR.", "ORG001") == []
    assert [one.code for one in findings("Read the QBR!")] == ["AC001"]
    assert "## ORG001 shouted-acronym" in rules_page()
    assert '"ORG001"' in FORMATS["sarif"](findings("Read the QBR!", "ORG001"))


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ("ORG001", "findings", "derived from Rule"),
        ("ORG002", "Unfinished", "has no name, summary, why, bad, good"),
        ("ORG005", "ShoutedAcronym", "Expected the entry point's name"),
        ("org-4", "Misnamed", "three digits"),
        ("AC001", "TakesACode", "taken"),
    ],
)
def test_a_rule_that_cannot_be_used_is_named(added, code, name, message):
    added(**{code: name})
    with pytest.raises(InputError, match=message) as raised:
        registry.load_rules()
    assert repr(code) in str(raised.value)


def test_a_rule_without_a_check_says_so(added):
    added(ORG003="WithoutACheck")
    with pytest.raises(NotImplementedError, match="WithoutACheck"):
        findings("Read the QBR!", "ORG003")
