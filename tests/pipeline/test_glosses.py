"""What an answer is, as the packaged dictionary says it, wherever people see answers."""

import csv
import io
import json

from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.output.expansion import Expand, expand
from spacy_gladis.output.glossary import Glossary
from spacy_gladis.output.glossary_formats import WRITERS
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


def test_glossaries_and_tooltips_say_what_it_is():
    doc = load_pipeline()(TEXT)
    glossary = Glossary()
    glossary.add("a.txt", doc)
    (row,) = csv.DictReader(io.StringIO(WRITERS["csv"](glossary)))
    assert row["gloss"] == KIND
    (entry,) = json.loads(WRITERS["json"](glossary))
    assert entry["meanings"][0]["gloss"] == KIND
    assert f"| magnetic resonance imaging | {KIND} |" in WRITERS["markdown"](glossary)
    assert KIND in WRITERS["html"](glossary)
    title = f'<abbr title="magnetic resonance imaging: {KIND}">MRI</abbr>'
    assert title in expand(doc, Expand.tooltip)
