"""Tests of splitting compounds of acronyms."""

import pytest

from spacy_gladis.text import find_acronyms, split_compounds
from spacy_gladis.text.mention import outermost, sort_spans

KNOWN = {"CFD", "DEM", "MIMO", "MU", "MU-MIMO", "TCP", "IP", "TCP/IP", "IN", "CNN", "IP-4", "PAGE"}


@pytest.mark.parametrize(
    ("text", "explained", "expected"),
    [
        ("a CFD-DEM model", (), ["CFD", "DEM"]),
        ("CFD-DEM by CFD-DEM", (), ["CFD", "DEM"] * 2),
        ("the MU-MIMO of it", (), ["MU-MIMO"]),  # has a meaning itself
        ("the MU-MIMO of it", ("MU",), ["MU", "MIMO"]),  # the text says what a part means
        ("CFD-XQZ by CFD-XQZ", ("CFD",), ["CFD", "XQZ"] * 2),
        ("CFD-XQZ, R-CNN, CFD-IN", (), ["CFD", "XQZ", "CNN", "CFD"]),  # one part has a meaning
        ("CFD-PAGE", (), ["CFD"]),  # no ordinary words
        ("XQZ-QZX, MOVE-IN", (), ["XQZ-QZX", "MOVE-IN"]),  # no part has a meaning
        ("R-CNN by XQZ-2", ("CNN",), ["CNN", "XQZ-2"]),  # but no single letter, and no number
        ("CNN-2 and DEM-10 by IP-4", (), ["CNN", "DEM", "IP-4"]),  # IP-4 has a meaning itself
        ("CNN2, IP6 and XQZ4", (), ["CNN", "IP6", "XQZ4"]),  # IP6 may be any name
    ],
)
def test_compounds_without_a_meaning_are_split(text, explained, expected):
    places = split_compounds(text, find_acronyms(text), KNOWN.__contains__, frozenset(explained))
    assert [text[start:end] for start, end in places] == expected


def test_a_slash_is_like_a_hyphen():
    for text, parts in (("CFD/DEM", [(0, 3), (4, 7)]), ("TCP/IP", [(0, 6)])):
        assert list(split_compounds(text, [(0, len(text))], KNOWN.__contains__)) == parts


def test_a_compound_is_before_its_parts():
    spans = [(4, 7), (0, 3), (0, 8), (9, 11), (4, 8)]
    assert sort_spans(spans) == [(0, 8), (0, 3), (4, 8), (4, 7), (9, 11)]
    assert outermost(spans) == [(0, 8), (9, 11)]
