"""Documents as JSON records and in every format."""

import csv
import io
import json
import sys
from xml.etree import ElementTree

import pytest
import spacy
from spacy import displacy
from spacy.tokens import DocBin

from spacy_gladis.errors import MissingExtraError
from spacy_gladis.output.labelling import (
    COLOURS,
    LABEL_STUDIO_CONFIG,
    to_displacy,
    to_label_studio,
    to_prodigy,
)
from spacy_gladis.output.records import to_record
from spacy_gladis.output.rows import TYPES, to_dataframe, write_separated
from spacy_gladis.output.writers import WRITERS


def test_a_record_holds_offsets_and_candidates(resolve):
    doc = resolve("the AI and AI", AI="artificial intelligence")
    record = to_record(doc, "a.txt")
    assert record["document"] == "a.txt"
    assert [doc.text[mention["start"] : mention["end"]] for mention in record["acronyms"]] == [
        "AI",
        "AI",
    ]
    assert record["acronyms"][0]["candidates"][1] == {"long_form": "x'y\"<i>", "probability": 0.25}
    assert json.loads(json.dumps(record)) == record


def test_definitions_are_in_the_record(resolve):
    (definition,) = to_record(resolve("World Health Organization (WHO)"), "x")["definitions"]
    assert definition == {
        "acronym": "WHO",
        "long_form": "World Health Organization",
        "acronym_offsets": [27, 30],
        "long_form_offsets": [0, 25],
    }


def test_words_that_stand_apart_are_in_the_long_form(resolve):
    record = to_record(resolve("Cells with estrogen (ER) and progesterone receptors (PR)."), "x")
    for kind in ("definitions", "acronyms"):
        long_forms = [names["long_form"] for names in record[kind]]
        assert long_forms == ["estrogen receptors", "progesterone receptors"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_format_holds_every_document(resolve, count):
    pandas = pytest.importorskip("pandas")
    docs = [(f"{i}.txt", resolve(f"the AI {i}", AI="adequate intake")) for i in range(count)]
    written = {}
    for name, write in WRITERS.items():
        stream = io.BytesIO()
        write(docs, stream)
        written[name] = stream.getvalue()
    records = json.loads(written["json"])
    assert [record["document"] for record in records] == [name for name, _ in docs]
    assert [json.loads(line) for line in written["jsonl"].splitlines()] == records
    assert written["html"].count(b"<article>") == count
    assert [page["title"] for page in json.loads(written["displacy"])] == [name for name, _ in docs]
    stored = list(
        DocBin(store_user_data=True).from_bytes(written["docbin"]).get_docs(spacy.blank("en").vocab)
    )
    assert [doc.user_data["document"] for doc in stored] == [name for name, _ in docs]
    for kind, separator in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.DictReader(io.StringIO(written[kind].decode()), delimiter=separator))
        assert [(row["document"], row["long_form"]) for row in rows] == [
            (name, "adequate intake") for name, _ in docs
        ]
    table = pandas.read_parquet(io.BytesIO(written["parquet"]))
    assert list(table["document"]) == [name for name, _ in docs]
    assert [doc._.acronyms[0]._.resolution for doc in stored] == [
        doc._.acronyms[0]._.resolution for _, doc in docs
    ]


def test_a_data_frame_has_a_row_for_each_mention(resolve):
    pytest.importorskip("pandas")
    resolved, unknown = resolve("the AI, an API", AI="adequate intake"), resolve("no acronym")
    resolved.user_data["document"] = "a.txt"
    frame = to_dataframe([unknown, resolved])
    assert dict(frame.dtypes.astype(str)) == TYPES
    assert list(frame["document"]) == ["a.txt", "a.txt"]
    first, _ = frame.to_dict("records")
    assert (first["acronym"], first["long_form"], first["source"]) == (
        *("AI", "adequate intake"),
        "dictionary",
    )
    assert first["runners_up"].endswith("0.25") and (first["start"], first["end"]) == (4, 6)
    assert frame["long_form"].isna().tolist() == [False, True]
    assert len(to_dataframe([])) == 0 and list(to_dataframe([])) == list(TYPES)


@pytest.mark.parametrize(
    ("module", "use"),
    [
        ("pandas", lambda: to_dataframe([])),
        ("pyarrow", lambda: WRITERS["parquet"]([], io.BytesIO())),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(module, use, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'spacy-gladis\[dataframe\]'"):
        use()


def test_cells_are_no_formulas_and_stay_in_their_line(resolve):
    stream = io.BytesIO()
    doc = resolve("the AI", AI="=1+1\nintake")
    write_separated([("=a.txt", doc)], stream)
    _, row = csv.reader(io.StringIO(stream.getvalue().decode()))
    assert row[0] == "'=a.txt" and "'=1+1 intake" in row


def test_displacy_draws_what_is_written(resolve):
    doc = resolve("World Health Organization (WHO). The AI and an API.", AI="adequate <intake>")
    data = json.loads(json.dumps(to_displacy(doc, "a & b")))
    assert [(span["label"], doc.text[span["start"] : span["end"]]) for span in data["spans"]] == [
        ("DEFINED", "WHO"),
        ("RESOLVED", "AI"),
        ("UNKNOWN", "API"),
    ]
    drawn = displacy.render(data, style="span", manual=True, options={"colors": COLOURS})
    assert "a &amp; b" in drawn and "adequate &lt;intake&gt;" in drawn and "<intake>" not in drawn
    assert all(colour in drawn for colour in COLOURS.values())


def test_prodigy_gets_tokens_and_spans_that_agree(resolve):
    task = to_prodigy(resolve("the AIs, an API", AI="adequate intake"), "a.txt")
    assert [task["text"][token["start"] : token["end"]] for token in task["tokens"]] == [
        token["text"] for token in task["tokens"]
    ]
    for span in task["spans"]:
        first, last = (task["tokens"][span[side]] for side in ("token_start", "token_end"))
        assert (first["start"], last["end"]) == (span["start"], span["end"])
    assert [span["long_form"] for span in task["spans"]] == ["adequate intake", None]
    assert json.loads(json.dumps(task)) == task


def test_label_studio_gets_regions_with_their_long_forms(resolve):
    task = to_label_studio(resolve("the AI, an API", AI="adequate intake"), "a.txt")
    (prediction,) = task["predictions"]
    labels, words, unknown = prediction["result"]
    assert task["data"]["text"][labels["value"]["start"] : labels["value"]["end"]] == "AI"
    assert words["id"] == labels["id"] and words["value"]["text"] == ["adequate intake"]
    assert unknown["value"]["text"] == "API" and unknown["type"] == "labels"
    config = ElementTree.fromstring(LABEL_STUDIO_CONFIG)
    names = {element.get("name") for element in config.iter() if element.get("toName")}
    assert {label["from_name"] for label in prediction["result"]} == names
