from pathlib import Path

import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.datasets.bioc import Abstract, read_bioc
from spacy_gladis.research.extraction.bioc import (
    evaluate,
    make_systems,
    tables,
)

XML = """<collection><document><id>1</id>
<passage><offset>0</offset><text>On heat shock factors.</text></passage>
<passage><offset>25</offset><text>The heat shock factor (HSF) and oak (T).</text>
<annotation id="S"><infon key="type">ShortForm</infon><text>HSF</text></annotation>
<annotation id="L"><infon key="type">LongForm</infon><text>heat shock factor</text></annotation>
<relation><node refid="S" role="ShortForm"/><node refid="L" role="LongForm"/></relation>
</passage></document></collection>"""


def write(folder: Path, xml: str) -> Path:
    path = folder / "some_gold.xml"
    path.write_text(xml, encoding="utf8")
    return path


def test_reads_a_file_and_its_folder(tmp_path: Path) -> None:
    path = write(tmp_path, XML)
    (document,) = read_bioc(path)
    assert document == read_bioc(tmp_path)[0]
    assert document.id == "1"
    assert document.text[25:28] == "The"
    assert document.definitions == {("HSF", "heat shock factor")}


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<collection><doc", "not XML"),
        ("<other/>", "not a BioC"),
        ("<collection/>", "not a BioC"),
        (XML.replace('refid="L"', 'refid="M"'), "lacks 'M'"),
        (XML.replace("<offset>25</offset>", ""), "without offset"),
        (XML.replace('id="S">', 'id="S"><location offset="x"/>'), "annotation S: a location"),
    ],
)
def test_names_what_is_wrong_with_a_file(tmp_path: Path, xml: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_bioc(write(tmp_path, xml))


def test_a_missing_file_and_an_unknown_system(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds 0 files"):
        read_bioc(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_bioc(tmp_path / "none.xml")
    with pytest.raises(InputError, match="No system 'x'"):
        make_systems(["x"])


def test_scores() -> None:
    text = "The heat shock factor (HSF), oaks (T), a wide interval (WI), a big number (N)."
    gold = {("HSF", "heat shock factor"), ("WI", "a wide interval"), ("N", "number")}
    documents = [Abstract("1", text, frozenset(gold))]
    found = {("HSF", "heat shock factor"), ("WI", "wide interval"), ("T", "oaks")}
    results = evaluate(documents, {"mine": lambda _: found}, folds=0)
    one = results["systems"]["mine"]
    assert (one["precision"], one["recall"]) == (1 / 3, 1 / 3)
    assert [len(table.rows) for table in tables(results)] == [1]


def test_folds_give_a_second_system() -> None:
    texts = ["the alpha beta (AB) x", "a gamma ray (GR) y", "big delta (BIX), so delta eta (DE)"]
    gold = [("AB", "alpha beta"), ("GR", "gamma ray"), ("DE", "delta eta")]
    documents = [
        Abstract(str(n), texts[n % 3] + " of interest (OI)", frozenset({gold[n % 3]}))
        for n in range(12)
    ]
    results = evaluate(documents, make_systems(["find_definitions"]), folds=3)
    assert list(results["systems"]) == ["find_definitions", "find_definitions, 3-fold"]
