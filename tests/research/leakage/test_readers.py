"""Every format by a small file of our own making, and by its defects."""

import gzip
import json
from pathlib import Path

import pytest

from spacy_gladis.errors import FormatError
from spacy_gladis.research.leakage.formats import read_all, read_folder, read_items
from spacy_gladis.research.leakage.readers import Item, read_brat_spans

GLADIS = {"index": 3, "short_term": "HR", "long_term": "heart rate", "type": "t"}
BIOC = """<?xml version="1.0"?><collection><document><id>d1</id>
<passage><offset>0</offset><text>Heart rate (HR).</text>
<annotation id="SF0"><infon key="type">ABBR</infon><text>HR</text></annotation>
<annotation id="LF0"><infon key="type">ABBR</infon><text>Heart rate</text></annotation>
<relation id="R0"><node refid="LF0" role="LongForm"/><node refid="SF0" role="ShortForm"/></relation>
</passage><passage><offset>17</offset><text>It rose.</text></passage></document></collection>"""
PUBTATOR = (
    "\n7|t|Gout attacks.\n7|a|They | hurt.\n7\t0\t4\tGout\tDisease\tD006073\n"
    "7\tCID\tD1\tD2\n\n8|t|Rash.\n8|a|It itches.\n"
)
PSYTAR = (
    "id\tdrug_id\tsentence_index\tADRs\tUMLS1\tSNOMED-CT\tUMLS2\tSNOMED-CT\n"
    "1\tx.1\t2\tsore legs\tC1 / Leg pain\t\t\t\n"
)

PPI = """<?xml version="1.0"?><corpus source="AIMed"><document id="d0"><sentence id="d0.s0"
 text="IL-2 and its IL-2 receptor (CD25) meet p53."><entity id="e0" charOffset="0-4"/>
<entity id="e1" charOffset="13-26"/><entity id="e2" charOffset="13-17"/>
<entity id="e3" charOffset="28-32"/><interaction e1="e3" e2="e0"/></sentence></document></corpus>"""

CASES: list[tuple[str, str, Item]] = [
    (
        "uad_test.json",
        json.dumps({**GLADIS, "tokens": ["the", "__ABB__", "rose"]}),
        Item("the HR rose", ("heart rate",), ("HR",), (("HR", "heart rate"),), "0"),
    ),
    (
        "sample.txt",
        "HR\theart rate\tThe HR rose quickly.\n",
        Item("The HR rose quickly.", ("heart rate",), ("HR",), (("HR", "heart rate"),), "0"),
    ),
    ("s.jsonl", '{"text": "Only text."}\n', Item("Only text.", id="0")),
    (
        "s.jsonl",
        '{"text": "HR up", "acronym": "HR", "long_form": "heart rate", "document": "d"}\n',
        Item("HR up", ("heart rate",), ("HR",), (("HR", "heart rate"),), "0", "d"),
    ),
    (
        "sciai.json",
        json.dumps(
            [{"id": "T1", "tokens": ["A", "b", "AB"], "labels": ["B-long", "I-long", "B-short"]}]
        ),
        Item("A b AB", ("A b", "AB"), ("AB",), (), "T1"),
    ),
    (
        "sciad.json",
        json.dumps([{"id": "T1", "tokens": ["An", "HR"], "acronym": 1, "expansion": "home run"}]),
        Item("An HR", ("home run",), ("HR",), (("HR", "home run"),), "T1"),
    ),
    (
        "ae.json",
        json.dumps([{"text": "ab (AB)", "acronyms": [[4, 6]], "long-forms": [[0, 2]], "ID": "9"}]),
        Item("ab (AB)", ("AB", "ab"), ("AB",), (), "9"),
    ),
    (
        "ad.json",
        json.dumps([{"sentence": "An HR.", "acronym": "HR", "label": "home run", "ID": "9"}]),
        Item("An HR.", ("home run",), ("HR",), (("HR", "home run"),), "9"),
    ),
    (
        "b.xml",
        BIOC,
        Item(
            "Heart rate (HR). It rose.",
            ("HR", "Heart rate"),
            ("HR",),
            (("HR", "Heart rate"),),
            "d1",
            "d1",
        ),
    ),
    ("p.txt", PUBTATOR, Item("Gout attacks. They | hurt.", ("Gout",), id="7", document="7")),
    (
        "i.tsv",
        "The\tO\nras\tB-GENE\ngene\tI-GENE\np53\tB-GENE\n\nNo\tO\n",
        Item("The ras gene p53", ("ras gene", "p53"), id="0"),
    ),
    ("dev_examples.txt", "bank\t1\tA bank closed.", Item("A bank closed.", ("bank",), id="0")),
    (
        "Sentence_Labeling.tsv",
        'id\tdrug_id\tsentence_index\tsentences\n5\tx.1\t2\tHe said "ow.\n',
        Item('He said "ow.', id="5", document="x.1"),
    ),
    ("ADR.tsv", PSYTAR, Item("sore legs", ("C1 / Leg pain",), id="1", document="x.1")),
    ("a.tsv", "sore legs\t123\n", Item("sore legs", ("123",), id="0")),
    (
        "stratified.csv",
        'ID,Term,Example\n4,sore legs,"My, sore legs"\n',
        Item("My, sore legs", ("sore legs",), id="4"),
    ),
    ("plain.txt", "\nOne text.\n\nAnother.\n", Item("One text.", id="1")),
]


@pytest.mark.parametrize(("name", "content", "first"), CASES, ids=[f"{c[0]}" for c in CASES])
def test_first_item(tmp_path: Path, name: str, content: str, first: Item) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert read_items(path)[0] == first


def test_compressed_and_parquet_samples(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "s.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write('{"text": "Eins."}\n{"text": "Zwei."}\n')
    assert [item.text for item in read_items(tmp_path / "s.jsonl.gz")] == ["Eins.", "Zwei."]
    pa = pytest.importorskip("pyarrow", exc_type=ImportError)
    from pyarrow import parquet

    parquet.write_table(pa.table({"text": ["Drei."]}), tmp_path / "s.parquet")
    assert read_items(tmp_path / "s.parquet") == [Item("Drei.", id="0")]


def test_wic_tsv_takes_the_definition_beside_it(tmp_path: Path) -> None:
    (tmp_path / "dev_examples.txt").write_text("bank\t1\tA bank closed.\nrow\t0\tRow on.\n")
    (tmp_path / "dev_definitions.txt").write_text("a place for money\n\n")
    items = read_items(tmp_path / "dev_examples.txt")
    assert [item.annotations for item in items] == [("bank a place for money",), ("row",)]
    (tmp_path / "dev_definitions.txt").write_text("one line\n")
    with pytest.raises(FormatError, match=r"1 lines, dev_examples\.txt has 2"):
        read_items(tmp_path / "dev_examples.txt")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.pdf", b"", "unknown extension"),
        ("x.json", b'{"HR": ["heart rate"]}', "unknown JSON format"),
        ("x.json", b"{\n", "neither JSON Lines"),
        ("x.jsonl", b'{"text": "a"}\n{"text"', "x.jsonl:2 is not a JSON object"),
        ("x.jsonl", b'{"text": "a"}\n{"test": 1}', "KeyError"),
        ("x.tsv", b"a\tb\tc\n", "unknown format"),
        ("x.txt", b"caf\xe9\n", "x.txt:1: not UTF-8"),
        ("x.txt", b"\n\n", "contains no items"),
        ("x.xml", b"<collection><document>", "not XML"),
    ],
)
def test_defects_are_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_items(path)


def test_a_folder_keeps_data_and_lists_the_rest(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "train.tsv").write_text("sore legs\t123\n")
    (tmp_path / "set" / "readme.txt").write_text("About it.\n")
    (tmp_path / "dict.json").write_text('{"HR": []}')
    items, others = read_folder(tmp_path)
    assert {name: len(item) for name, item in items.items()} == {"set/train.tsv": 1}
    assert [path.name for path in others] == ["dict.json", "readme.txt"]
    assert [item.text for item in read_all(tmp_path)] == ["sore legs"]
    # A broken data file is no "other" file: it would be left out in silence.
    (tmp_path / "set" / "dev.tsv").write_text("sore legs\t123\nthree\tcolumns\there\n")
    with pytest.raises(FormatError, match=r"dev\.tsv:2: no id"):
        read_folder(tmp_path)
    with pytest.raises(FormatError, match="no data file"):
        read_folder(tmp_path / "nowhere")


def test_pairs_of_proteins(tmp_path):
    (tmp_path / "aimed.xml").write_text(PPI.replace("\n", " "))
    items = read_items(tmp_path / "aimed.xml")
    assert [(item.text, item.label) for item in items] == [
        ("PROTEIN1 and its PROTEIN2 (PROTEIN) meet p53.", "0"),
        ("PROTEIN1 and its PROTEIN2 receptor (PROTEIN) meet p53.", "0"),
        ("PROTEIN1 and its PROTEIN (PROTEIN2) meet p53.", "1"),
        ("PROTEIN and its PROTEIN1 (PROTEIN) meet p53.", "0"),  # the second lies in the first
        ("PROTEIN and its PROTEIN1 (PROTEIN2) meet p53.", "0"),
        ("PROTEIN and its PROTEIN1 receptor (PROTEIN2) meet p53.", "0"),
    ]
    assert (items[2].id, items[2].document) == ("d0.s0.p2", "d0")


def test_sst2(tmp_path):
    (tmp_path / "train.tsv").write_text("a fine film\t1\na dull one\t0\n")
    assert read_items(tmp_path / "train.tsv") == [
        Item("a fine film", id="0", label="1"),
        Item("a dull one", id="1", label="0"),
    ]


def test_bc3_act_takes_its_labels_from_the_gold_standard(tmp_path):
    path = tmp_path / "bc3_act_all_records.tsv"
    path.write_text("7\tJournal\tJ1\t2009\tA title\tAn abstract.\n")
    with pytest.raises(FormatError, match="unknown format"):
        read_items(path)
    (tmp_path / "bc3_act_gold_standard.tsv").write_text("8\t1\n7\t0\n")
    item = Item("An abstract.", id="7", document="7", label="0")
    assert read_all(path) == read_all(tmp_path) == [item]
    with pytest.raises(FormatError, match="only the labels of BC3 ACT"):
        read_items(tmp_path / "bc3_act_gold_standard.tsv")


def test_parts_of_bc3_act_in_the_same_folder_have_their_own_labels(tmp_path):
    for part, id, label in (("train", "7", "0"), ("test", "9", "1")):
        row = f"{id}\tJournal\tJ1\t2009\tA title\tAbstract {id}.\n"
        (tmp_path / f"bc3_act_all_records_{part}.tsv").write_text(row)
        (tmp_path / f"bc3_act_gold_standard_{part}.tsv").write_text(f"{id}\t{label}\n")
    for part, label in (("train", "0"), ("test", "1")):
        (item,) = read_items(tmp_path / f"bc3_act_all_records_{part}.tsv")
        assert item.label == label


def test_brat(tmp_path):
    (tmp_path / "0001.txt").write_text("Acetone was added.\nIt was stirred.\n")
    (tmp_path / "0001.ann").write_text(
        "T1\tREAGENT 0 7\tAcetone\nR1\tARG1 Arg1:T1 Arg2:T2\t\nT2\tSTEP 12 17\tadded\n"
    )
    assert read_all(tmp_path) == [
        Item(
            "Acetone was added.\nIt was stirred.", ("Acetone", "added"), id="0001", document="0001"
        )
    ]
    spans = [(0, 7, "REAGENT"), (12, 17, "STEP")]
    assert read_brat_spans(tmp_path / "0001.txt")[1] == spans


@pytest.mark.parametrize(
    ("line", "message"),
    [("T1 REAGENT 0 7 Acetone", "expected an id"), ("T1\tREAGENT 1 8\tAcetone", "not 'Acetone'")],
)
def test_defects_of_brat_are_named(tmp_path, line, message):
    (tmp_path / "0001.txt").write_text("Acetone was added.\n")
    (tmp_path / "0001.ann").write_text(f"{line}\n")
    with pytest.raises(FormatError, match=message):
        read_brat_spans(tmp_path / "0001.txt")
