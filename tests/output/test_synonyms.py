"""Synonym rules of a collection, and their formats."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary import Candidate, SourceInfo
from spacy_gladis.output.glossary import Glossary
from spacy_gladis.output.synonym_formats import (
    WRITERS,
    Direction,
    escape_term,
    format_rule,
    report_lines,
    summary,
)
from spacy_gladis.output.synonyms import Reason, Rule, make_synonyms
from tests.support.solr import read_rules

SOURCES = {
    "ward": SourceInfo("glossary", {"clinical": 1.0}),
    "state": SourceInfo("glossary", {"government": 1.0}),
}
ENTRIES = {
    "CT": [("computed tomography", "ward"), ("Connecticut", "state")],
    "ED": [("emergency department", "ward")],
    "ICU": [("intensive care unit", "ward")],
    "NY": [("New York", "state")],
}


class FieldDictionary:
    """A dictionary whose sources have a field each."""

    sources = SOURCES
    user_sources = ()
    revision = 0

    def lookup(self, acronym, sources=None, *, offensive=False):
        return [
            Candidate(long_form, {source: 9}, 9, index)
            for index, (long_form, source) in enumerate(ENTRIES.get(acronym, ()))
        ]


@pytest.fixture
def synonyms(resolve):
    """Make the rules of texts whose acronyms mean what is given, with these settings."""

    def make(*texts, **settings):
        glossary = Glossary()
        for number, (text, meanings) in enumerate(texts):
            glossary.add(f"{number}.txt", resolve(text, 0.9, **meanings))
        return make_synonyms(glossary, FieldDictionary(), **settings)

    return make


WARD = ("CT for the ED", {"CT": "computed tomography", "ED": "emergency department"})
STATE = ("CT and NY", {"CT": "Connecticut", "NY": "New York"})


def lines(result, direction=Direction.both):
    return [format_rule(rule, direction) for rule in result.rules]


def test_an_acronym_with_one_meaning_has_a_rule(synonyms):
    result = synonyms(WARD)
    assert lines(result) == ["CT, computed tomography", "ED, emergency department"]
    assert (result.fields, result.omissions) == ({}, ())
    rule = result.rules[0]
    assert (rule.mentions, rule.probability, rule.defined) == (1, pytest.approx(0.9), False)


def test_the_directions(synonyms):
    result = synonyms(("the ED", {"ED": "emergency department"}))
    assert lines(result, Direction.short_to_long) == ["ED => ED, emergency department"]
    assert lines(result, Direction.long_to_short) == [
        "emergency department => emergency department, ED"
    ]


def test_an_acronym_with_several_meanings_has_rules_in_fields_that_agree(synonyms):
    result = synonyms(WARD, STATE)
    assert lines(result) == ["ED, emergency department", "NY, New York"]
    assert {name: rule.long_form for name, (rule,) in result.fields.items()} == {
        "clinical": "computed tomography",
        "government": "Connecticut",
    }
    assert result.documents == {"clinical": ("0.txt",), "government": ("1.txt",)}
    (omission,) = result.omissions
    assert (omission.acronym, omission.reason) == ("CT", Reason.meanings)
    assert report_lines(result) == [
        "CT: several meanings: computed tomography (1), Connecticut (1). "
        "Rules for: clinical, government."
    ]
    assert summary(result, all_sets=False) == (
        "2 rules; 1 acronym without a rule for all documents. Pass --output to write the rules of "
        "clinical, government, too."
    )


def test_a_field_whose_documents_disagree_has_no_rule(synonyms):
    clinical = {"ED": "emergency department", "ICU": "intensive care unit"}
    second = ("CT for an ED or an ICU", {"CT": "Connecticut", **clinical})
    result = synonyms(WARD, second)
    assert result.fields == {} and result.omissions[0].fields == ()
    assert lines(result) == ["ED, emergency department", "ICU, intensive care unit"]


def test_a_document_between_two_fields_has_none(synonyms):
    second = ("CT for an ED", {"CT": "Connecticut", "ED": "emergency department"})
    result = synonyms(WARD, second)
    assert result.documents == {"clinical": ("0.txt",)}
    assert result.omissions[0].fields == ("clinical",)


def test_an_english_word_has_a_rule_only_where_case_counts(synonyms):
    text = ("The IT staff", {"IT": "information technology"})
    assert [omission.reason for omission in synonyms(text).omissions] == [Reason.word]
    assert lines(synonyms(text)) == []
    assert lines(synonyms(text, case_sensitive=True)) == ["IT, information technology"]


def test_acronyms_that_differ_in_case_are_one_term_where_case_does_not_count(synonyms):
    text = ("A MOF and a MoF", {"MOF": "metal organic framework", "MoF": "Ministry of Finance"})
    assert [omission.reason for omission in synonyms(text).omissions] == [Reason.meanings]
    assert lines(synonyms(text, case_sensitive=True)) == [
        "MOF, metal organic framework",
        "MoF, Ministry of Finance",
    ]


def test_a_mostly_unresolved_acronym_has_no_rule(synonyms):
    texts = [("the ED", {"ED": "emergency department"}), ("an ED, the ED, one ED", {})]
    result = synonyms(*texts)
    assert (lines(result), [omission.reason for omission in result.omissions]) == (
        [],
        [Reason.unresolved],
    )


def test_improbable_and_undefined_meanings_have_no_rule(synonyms):
    assert synonyms(WARD, min_probability=0.95).below == 2
    defined = ("The European Space Agency (ESA) and the ED", WARD[1])
    result = synonyms(defined, defined_only=True)
    assert lines(result) == ["ESA, European Space Agency"] and result.below == 1
    assert "1 acronym below the minimum probability or undefined" in summary(result)


def test_a_rare_improbable_meaning_is_no_second_meaning(resolve):
    glossary = Glossary()
    glossary.add("a.txt", resolve("an ED, " * 20, 0.9, ED="emergency department"))
    glossary.add("b.txt", resolve("the ED", 0.6, ED="erectile dysfunction"))
    assert lines(make_synonyms(glossary, FieldDictionary())) == ["ED, emergency department"]
    glossary.add("c.txt", resolve("an ED, " * 4, 0.6, ED="erectile dysfunction"))
    assert lines(make_synonyms(glossary, FieldDictionary())) == []


def test_plurals_are_spellings_and_possessives_are_not(synonyms):
    result = synonyms(("EDs and the ED's beds", {"ED": "emergency department"}))
    assert lines(result) == ["ED, EDs, emergency department"]


def test_rule_sets_are_complete_files(synonyms):
    result = synonyms(WARD, STATE)
    files = WRITERS["solr"](result, Direction.short_to_long)
    assert sorted(files) == ["", "clinical", "government"]
    assert read_rules(files["clinical"]) == [
        (["CT"], ["CT", "computed tomography"]),
        (["ED"], ["ED", "emergency department"]),
        (["NY"], ["NY", "New York"]),
    ]
    sets = json.loads(WRITERS["elasticsearch"](result, Direction.both)["government"])
    assert {"synonyms": "CT, Connecticut"} in sets["synonyms_set"]
    (settings,) = map(json.loads, WRITERS["opensearch"](result, Direction.both).values())
    analysis = settings["settings"]["analysis"]
    assert analysis["analyzer"]["acronyms_clinical"]["filter"] == ["lowercase", "acronyms_clinical"]
    assert "CT, computed tomography" in analysis["filter"]["acronyms_clinical"]["synonyms"]
    assert "CT, computed tomography" not in analysis["filter"]["acronyms"]["synonyms"]
    (content,) = map(json.loads, WRITERS["json"](result, Direction.both).values())
    assert content["fields"]["clinical"]["documents"] == ["0.txt"]
    assert [omission["acronym"] for omission in content["omitted"]] == ["CT"]


def test_what_the_format_means_is_escaped():
    assert escape_term(r"A,B => C\D") == r"A\,B \=> C\\D"
    assert escape_term("#1\nword") == r"\#1 word"


TERMS = st.text(st.sampled_from("aB ,=>\\#\n9"), min_size=1, max_size=8).filter(str.strip)


@given(TERMS, TERMS, st.sampled_from(Direction))
def test_a_reader_of_the_format_reads_what_was_written(short, long_form, direction):
    rule = Rule((short,), long_form, 1, 1.0, True)
    ((left, right),) = read_rules(format_rule(rule, direction) + "\n")
    terms = {" ".join(short.split()), " ".join(long_form.split())}
    assert set(right) == terms and set(left) <= terms
