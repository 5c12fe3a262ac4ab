"""The list of equal wordings: its form, and how it is asked."""

import pytest

from spacy_gladis.errors import FormatError
from spacy_gladis.research.metrics.equal_wordings import EqualWordings, read_equal_wordings
from spacy_gladis.rules import merge_key


def test_keys_and_pairs_are_equal_either_way_round():
    same = EqualWordings(str.lower, [("Colour map", "color map"), ("color map", "colormap")])
    assert same("COLOR MAP", "colour map")
    assert same("colour map", "COLOR map")
    assert same("anything", "Anything")
    assert not same("colour map", "road map")
    # Each pair was judged by itself: two of them say nothing of a third.
    assert not same("colour map", "colormap")


def test_the_packaged_list_is_frozen_in_form():
    pairs = read_equal_wordings()
    assert pairs == sorted(pairs, key=lambda pair: (pair[0].casefold(), pair[1].casefold()))
    for one, other in pairs:
        assert one == one.strip() and other == other.strip()
        assert merge_key(one) != merge_key(other), "equal without the list"
        assert one.casefold() < other.casefold()
    keys = {frozenset(map(merge_key, pair)) for pair in pairs}
    assert len(keys) == len(pairs), "a pair stands there twice"


def test_the_packaged_list_keeps_opposites_and_kinds_apart():
    same = EqualWordings(merge_key, read_equal_wordings())
    for one, other in (
        ("hyperthyroidism", "hypothyroidism"),
        ("diabetes mellitus", "type 2 diabetes mellitus"),
        ("magnetic resonance", "magnetic resonance imaging"),
        ("simple object access protocol", "simple object protocol"),
    ):
        assert not same(one, other)


def test_a_line_that_is_no_pair_is_named(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_text("# remark\n\none\tother\nalone\n", "utf8")
    with pytest.raises(FormatError, match=r"list\.tsv:4"):
        read_equal_wordings(path)
