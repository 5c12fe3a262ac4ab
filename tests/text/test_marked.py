"""Pairs among marked acronyms and long forms, and what the rules propose."""

import pytest

from spacy_gladis.text import Definition, Marked, find_definitions, pair_marked, settle
from spacy_gladis.text.hints import SOURCES, find_hints


def marked(text, *forms, probability=0.9):
    return [Marked(text.index(f), text.index(f) + len(f), probability) for f in forms]


def pairs(text, short, long, definitions=()):
    result = pair_marked(text, marked(text, *short), marked(text, *long), definitions)
    return [
        (text[slice(*definition.acronym)], text[slice(*definition.long_form)])
        for definition in result
    ]


def test_letters_tell_which_belong_together_with_and_without_brackets():
    text = "Neural networks (NN) and random forests RF beat support vector machines, or SVM."
    long = ["Neural networks", "random forests", "support vector machines"]
    assert pairs(text, ["NN", "RF", "SVM"], long) == [
        ("NN", "Neural networks"),
        ("RF", "random forests"),
        ("SVM", "support vector machines"),
    ]


def test_without_letters_only_neighbours_belong_together():
    text = "the water board (XQ) and the river (PZ) but kilns are far from all that is ZW"
    assert pairs(text, ["XQ", "ZW"], ["water board", "kilns"]) == [("XQ", "water board")]
    (definition,) = pair_marked(text, marked(text, "XQ"), marked(text, "water board"))
    assert definition.confidence < 0.5


def test_each_mark_is_in_one_definition_and_the_likelier_pair_wins():
    text = "neural networks (NN) are not called KN"
    assert pairs(text, ["NN", "KN"], ["neural networks"]) == [("NN", "neural networks")]


def test_a_pair_of_the_rules_is_kept_where_both_parts_are_marked():
    text = "Alpha beta (AB) is no gamma"
    (rule,) = find_definitions(text)
    (definition,) = pair_marked(text, marked(text, "AB"), marked(text, "Alpha beta"), [rule])
    assert definition[:2] == rule[:2] and definition.confidence <= 0.9
    assert pair_marked(text, marked(text, "AB"), [], [rule]) == []
    other = Definition((12, 14), (22, 27), 0.9)
    assert pairs(text, ["AB"], ["gamma"], [other]) == [("AB", "gamma")]


def test_confidence_is_that_of_the_less_sure_mark_times_the_pair():
    text = "neural networks (NN)"
    long = marked(text, "neural networks")
    surer, less = (
        pair_marked(text, marked(text, "NN", probability=p), long)[0].confidence for p in (0.9, 0.3)
    )
    assert less == pytest.approx(surer / 3)


def test_many_marks_take_no_quadratic_time():
    text = "neural networks (NN) and a good deal of other words to read on. " * 3000
    step = len(text) // 3000
    long = [Marked(i * step, i * step + 15, 1.0) for i in range(3000)]
    short = [Marked(i * step + 17, i * step + 19, 1.0) for i in range(3000)]
    assert len(pair_marked(text, short, long)) == 3000


def test_hints_hold_what_any_rule_proposes():
    text = "Neural networks (NN) learn; an NN and the mRNA see sorting by weights (sort)."
    hints = list(find_hints(text))
    assert {hint.source for hint in hints} <= set(SOURCES)
    by_source = {(hint.source, text[hint.start : hint.end]): hint for hint in hints}
    assert by_source["likely definition", "Neural networks"].short is False
    assert by_source["schwartz_hearst", "NN"].short is True
    assert ("shape", "mRNA") in by_source
    assert sum(hint.source == "occurrence" for hint in hints) == 2
    assert all(0 <= hint.confidence <= 1 for hint in hints)
    assert list(find_hints("")) == []


def test_definitions_of_the_rules_stand_and_marks_fill_the_room():
    text = "Fast neural nets (FNN) by mean square error as an MSE in a hall XQ"
    (rule,) = find_definitions(text)
    short = marked(text, "FNN", "MSE", "XQ")
    long = marked(text, "neural nets", "mean square error", "hall")
    result = settle(text, short, long, [rule], 0.5)
    assert [text[slice(*acronym.offsets)] for acronym in result.acronyms] == ["FNN", "MSE", "XQ"]
    assert [text[slice(*form.offsets)] for form in result.long_forms] == [
        "Fast neural nets",
        "mean square error",
    ]
    assert [text[slice(*definition.acronym)] for definition in result.definitions] == ["FNN", "MSE"]
    everything = settle(text, short, long, [rule], 0.0)
    assert [text[slice(*form.offsets)] for form in everything.long_forms][-1] == "hall"


def test_nothing_that_is_settled_overlaps():
    text = "Alpha beta gamma (ABG) ABG"
    rule = Definition((18, 21), (0, 16), 0.9)
    result = settle(
        text, [Marked(0, 5, 0.9), Marked(17, 22, 0.9), Marked(23, 26, 0.9)], [], [rule], 0.5
    )
    assert [acronym.offsets for acronym in result.acronyms] == [(18, 21), (23, 26)]
    assert result.definitions[0].long_form == (0, 16)
    assert settle("", [], [], [], 0.5) == ([], [], [])


def test_initials_are_found_wherever_they_stand_near():
    text = "Does an FNN beat any feedforward neural network? Networks may, F N N."
    runs = [hint for hint in find_hints(text) if hint.source == "initials"]
    assert [text[hint.start : hint.end] for hint in runs] == ["FNN", "feedforward neural network"]
    assert runs[0].confidence == pytest.approx(0.6)
    assert not [h for h in find_hints("FNN " + "x " * 200 + text[20:]) if h.source == "initials"]
