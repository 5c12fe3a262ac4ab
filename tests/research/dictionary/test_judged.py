"""Pairs drawn, judged by a person, and counted."""

from pathlib import Path

import pytest

from spacy_gladis.dictionary import build_dictionary
from spacy_gladis.errors import FormatError
from spacy_gladis.research.dictionary.judged import (
    RIGHT,
    WRONG,
    Judged,
    accuracy,
    draw,
    read_judged,
    write_judged,
)


def test_pairs_are_drawn_and_read_again(tmp_path: Path) -> None:
    rows = [
        ("HR", "heart rate", "a", 5),
        ("HR", "heart rate", "b", 2),
        ("CT", "court time", "a", 1),
    ]
    build_dictionary(rows, tmp_path / "d.sqlite")
    drawn = draw(tmp_path / "d.sqlite", 5)
    assert sorted(drawn) == [Judged("CT", "court time", 1), Judged("HR", "heart rate", 7)]
    assert draw(tmp_path / "d.sqlite", 1, seed=3) == draw(tmp_path / "d.sqlite", 1, seed=3)
    write_judged(tmp_path / "open.tsv", drawn)
    with pytest.raises(FormatError, match=r"open\.tsv:2: the verdict"):
        list(read_judged(tmp_path / "open.tsv"))
    judged = [pair._replace(verdict=RIGHT) for pair in drawn]
    write_judged(tmp_path / "judged.tsv", judged)
    assert list(read_judged(tmp_path / "judged.tsv")) == judged
    (tmp_path / "judged.tsv").write_text("acronym\tlong_form\nHR\theart rate\n", "utf8")
    with pytest.raises(FormatError, match="Expected the columns acronym, long_form"):
        list(read_judged(tmp_path / "judged.tsv"))


def test_frequent_pairs_weigh_more() -> None:
    result = accuracy([Judged("A", "b", 97, RIGHT), Judged("A", "c", 3, WRONG)])
    assert (result["right"], result["weighted"], result["pairs"]) == (0.5, 0.97, 2)
    assert 0 < result["low"] < 0.5 < result["high"] < 1
    hundred = accuracy([Judged("A", "b", 1, RIGHT)] * 94 + [Judged("A", "b", 1, WRONG)] * 6)
    assert hundred["low"] == pytest.approx(0.875, abs=0.002)
    assert hundred["high"] == pytest.approx(0.972, abs=0.002)
