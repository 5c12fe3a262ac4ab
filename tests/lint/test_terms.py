"""Where terms are written in a text."""

import re

from spacy_gladis.lint.terms import find_terms

RUN = re.compile(r"[^\W_]+")


def test_terms_are_whole_runs():
    text = "R&D at\nABC, not ABCs; A.B.C. or abc, .NET and C++."
    found = find_terms(text, ["R&D", "ABC", "at ABC", "A.B.C.", ".NET", "C++", "C"], RUN)
    assert sorted((start, text[start:end], term) for term, start, end in found) == [
        (0, "R&D", "R&D"),
        (4, "at\nABC", "at ABC"),
        (7, "ABC", "ABC"),
        (22, "A.B.C.", "A.B.C."),
        (26, "C", "C"),
        (37, ".NET", ".NET"),
        (46, "C", "C"),
        (46, "C++", "C++"),
    ]


def test_in_any_case():
    found = find_terms("The Abc abc", ["abc"], RUN, any_case=True)
    assert [start for _, start, _ in found] == [4, 8]
    assert not list(find_terms("The Abc", ["abc"], RUN))
    assert not list(find_terms("", ["abc", "...", ""], RUN))
