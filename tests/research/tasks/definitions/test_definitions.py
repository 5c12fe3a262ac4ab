from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.datasets.bioc import Abstract, Pair, read_bioc
from spacy_gladis.research.tasks.definitions.task import measure
from spacy_gladis.research.tasks.task import DataSet
from tests.support.tasks import make, run, values

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
        (XML.replace("<offset>25</offset>", ""), "has no valid 'offset'"),
        (XML.replace('id="S">', 'id="S"><location offset="x"/>'), "annotation S: a location"),
    ],
)
def test_names_what_is_wrong_with_a_file(tmp_path: Path, xml: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_bioc(write(tmp_path, xml))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains 0 files"):
        read_bioc(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_bioc(tmp_path / "none.xml")


def test_scores() -> None:
    pairs = {("HSF", "heat shock factor"), ("WI", "a wide interval"), ("N", "number")}
    gold = [frozenset(pairs), frozenset[Pair]()]
    predictions = [{("HSF", "heat shock factor"), ("WI", "wide interval")}, {("T", "oaks")}]
    measured = measure(DataSet("small", (), ["one", "two"], gold), predictions)
    scores = measured.statistic(np.array([0, 1]))
    assert (scores["precision"], scores["recall"]) == (1 / 3, 1 / 3)
    assert measured.figures == {"predicted": 3, "right": 1}


def test_systems_find_the_pair_of_a_file(tmp_path: Path) -> None:
    names = ["find_definitions", "schwartz_hearst", "acronym_detector"]
    results = run("bioc", [write(tmp_path, XML)], names)
    assert list(results) == [f"some_gold: {name}" for name in names]
    assert all(values(result)["f1"] == 1.0 for result in results.values())


def test_each_abstract_has_weights_that_were_fitted_without_it() -> None:
    pytest.importorskip("sklearn")
    texts = ["the alpha beta (AB) x", "a gamma ray (GR) y", "big delta (BIX), so delta eta (DE)"]
    gold = [("AB", "alpha beta"), ("GR", "gamma ray"), ("DE", "delta eta")]
    documents = [
        Abstract(str(n), f"{texts[n % 3]} of interest (OI) {n}", frozenset({gold[n % 3]}))
        for n in range(12)
    ]
    system = make("bioc", "cross-validated", folds=3)
    system.fit(documents)
    predictions = list(system.predict([document.text for document in documents]))
    assert all(
        document.definitions <= pairs
        for document, pairs in zip(documents, predictions, strict=True)
    )
    assert len({id(weights) for weights in system._weights.values()}) == 3
