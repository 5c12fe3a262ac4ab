"""Acronyms that a hyphen or a slash joins."""

import pytest

from spacy_gladis.rules import find_acronyms, split_compounds

KNOWN = {"CFD", "DEM", "MIMO", "MU", "MU-MIMO", "TCP", "IP", "TCP/IP", "IN", "CNN"}


@pytest.mark.parametrize(
    ("text", "explained", "found"),
    [
        ("a CFD-DEM model", (), ["CFD", "DEM"]),
        ("the MU-MIMO of it", (), ["MU-MIMO"]),  # has a meaning itself
        ("the MU-MIMO of it", ("MU",), ["MU", "MIMO"]),  # the text says what a part means
        ("CFD-XQZ, R-CNN, CFD-IN", (), ["CFD-XQZ", "R-CNN", "CFD-IN"]),  # no acronyms known apart
        ("CFD-XQZ by CFD-XQZ", ("CFD",), ["CFD", "XQZ"] * 2),  # what is known stands apart
        ("R-CNN by CNN-2", ("CNN",), ["CNN", "CNN-2"]),  # but no single letter, and no number
        ("CFD-DEM by CFD-DEM", (), ["CFD-DEM", "CFD-DEM"]),  # a name
        ("CFD-DEM by CFD-DEM: CFD and DEM", (), ["CFD", "DEM"] * 3),
    ],
)
def test_compounds_are_parted_where_all_parts_are_known_apart(text, explained, found):
    places = split_compounds(text, find_acronyms(text), KNOWN.__contains__, frozenset(explained))
    assert [text[start:end] for start, end in places] == found


def test_a_slash_is_as_a_hyphen():
    for text, parts in (("CFD/DEM", [(0, 3), (4, 7)]), ("TCP/IP", [(0, 6)])):
        assert list(split_compounds(text, [(0, len(text))], KNOWN.__contains__)) == parts
