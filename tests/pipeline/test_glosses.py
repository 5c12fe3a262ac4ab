"""What an answer is, as the packaged dictionary says it, wherever people see answers."""

import json

from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.output.page import to_html
from spacy_gladis.output.records import to_record
from spacy_gladis.output.rows import to_rows
from spacy_gladis.pipeline.load import load_pipeline

TEXT = "An MRI of the brain showed a lesion after contrast."
KIND = "body scanning with magnets"


def test_answers_say_what_they_are():
    doc = load_pipeline()(TEXT)
    (mention,) = to_record(doc, "a")["acronyms"]
    assert (mention["long_form"], mention["gloss"]) == ("magnetic resonance imaging", KIND)
    assert [row["gloss"] for row in to_rows(doc, "a")] == [KIND]
    assert f'<span class="gloss">{KIND}</span>' in "".join(to_html([("a", doc)]))


def test_what_has_no_answer_has_no_gloss():
    (mention,) = to_record(load_pipeline()("Ask the QXZV."), "a")["acronyms"]
    assert mention["long_form"] is None and "gloss" not in mention


def test_lookup_says_what_each_is():
    runner = CliRunner()
    shown = runner.invoke(app, ["dictionary", "lookup", "MRI", "--top-k", "1"])
    assert KIND in " ".join(shown.output.replace("\u2502", "").split())
    line = json.loads(runner.invoke(app, ["dictionary", "lookup", "MRI", "--json"]).output)
    assert line["candidates"][0]["gloss"].startswith(KIND)
