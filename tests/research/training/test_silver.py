"""Silver labels: what is sure is labelled, what is not leaves no sentence."""

import json

from spacy.tokens import DocBin
from spacy.vocab import Vocab
from typer.testing import CliRunner

from spacy_gladis.research.cli.corpus import app
from spacy_gladis.research.training.silver import label_document

DOCUMENT = (
    "The river water index (RWI) was read at every mill of the valley. "
    "Where mills stand close a river water index or RWI is hardly stable.\n\n"
    "Nobody wrote QZX down in those years of the old mill. "
    "The WHO came to see the mill on the second day of May. "
)


def labels(text, dictionary=()):
    return [
        (
            [one.text[slice(*place)] for place in one.short],
            [one.text[slice(*place)] for place in one.long],
        )
        for one in label_document(text, dictionary)
    ]


def test_definitions_and_unmarked_long_forms_of_the_document_are_labelled():
    assert labels(DOCUMENT) == [(["RWI"], ["river water index"])] * 2


def test_acronyms_that_nothing_confirms_spoil_their_sentence():
    known = labels(DOCUMENT * 3, {"WHO"})
    assert (["WHO"], []) in known
    assert not any("QZX" in short for short, _ in known)


def test_long_forms_elsewhere_need_their_acronym_in_the_sentence():
    text = DOCUMENT.replace(" or RWI is", " is")
    assert labels(text) == [(["RWI"], ["river water index"])]


def test_of_other_sentences_a_share_is_kept():
    found = labels("The mill of the valley turned all day and all night. " * 100)
    assert found == [([], [])] * 10
    assert labels("") == []


def test_a_corpus_becomes_training_data(tmp_path):
    (tmp_path / "mill.jsonl").write_text(json.dumps({"text": DOCUMENT}) + "\n", "utf8")
    output = tmp_path / "silver.spacy"
    given = ["label", str(tmp_path / "mill.jsonl"), "--output", str(output), "--sentences", "1"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 0, result.output
    (doc,) = DocBin().from_disk(output).get_docs(Vocab())
    assert [span.text for span in doc.spans["long_forms"]] == ["river water index"]
