"""Records, glossaries, pages and files of annotated documents."""

import io
import json
import time
from html.parser import HTMLParser

import pytest
import spacy
from spacy.tokens import DocBin, Span, SpanGroup

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.pipeline.annotate import annotate_sources
from spacy_gladis.pipeline.export import to_glossary, to_record
from spacy_gladis.pipeline.html import to_html
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.pipeline.resolution import Resolution
from spacy_gladis.pipeline.sources import Source
from spacy_gladis.pipeline.writers import WRITERS
from spacy_gladis.problem import ProblemLog

EVIL = "<script>alert('x')</script> & \"AI\" \x1b[31m\x00 \u202e"


def resolved(text, long_form="artificial <b>intelligence</b>", probability=0.75):
    """A document whose AI is resolved."""
    nlp = spacy.blank("en")
    doc = nlp(text)
    spans = [Span(doc, t.i, t.i + 1, "ACRONYM", kb_id=long_form) for t in doc if t.text == "AI"]
    pairs = ((long_form, probability), ("x'y\"<i>", 0.25))
    answer = Resolution("AI", long_form, probability, "dictionary", pairs).to_dict()
    records = {f"{span.start_char}:{span.end_char}": answer for span in spans}
    doc.spans["acronyms"] = SpanGroup(doc, spans=spans, attrs={"resolutions": records})
    return doc


class Reader(HTMLParser):
    """Collects the tags, titles and text of a page, and checks that tags close in order."""

    def __init__(self):
        super().__init__()
        self.tags, self.titles, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.titles += [value for name, value in attrs if name == "title"]

    def handle_data(self, data):
        self.text.append(data)


def test_a_record_holds_offsets_and_candidates():
    doc = resolved("the AI and AI")
    record = to_record(doc, "a.txt")
    assert record["document"] == "a.txt"
    assert [doc.text[one["start"] : one["end"]] for one in record["acronyms"]] == ["AI", "AI"]
    assert record["acronyms"][0]["candidates"][1] == {"long_form": "x'y\"<i>", "probability": 0.25}
    assert json.loads(json.dumps(record)) == record


def test_definitions_are_in_the_record():
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    doc = nlp("World Health Organization (WHO)")
    (definition,) = to_record(doc, "x")["definitions"]
    assert definition == {
        "acronym": "WHO",
        "long_form": "World Health Organization",
        "acronym_offsets": [27, 30],
        "long_form_offsets": [0, 25],
    }


def test_a_glossary_counts_mentions():
    (entry,) = to_glossary(resolved("the AI and AI"))
    assert (entry.acronym, entry.mentions) == ("AI", 2)
    assert to_glossary(spacy.blank("en")("")) == []


def test_html_escapes_all_that_comes_from_outside():
    page = "".join(to_html([(EVIL, resolved(EVIL + " the AI"))]))
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags and "b" in reader.tags and "i" not in reader.tags
    assert "<script" not in page and "\x1b" not in page and "\x00" not in page
    assert any("artificial <b>intelligence</b> (dictionary, 0.75)" in t for t in reader.titles)
    assert "default-src 'none'" in page
    assert "alert('x')" in "".join(reader.text)


def test_html_of_nothing_is_a_page():
    page = "".join(to_html([]))
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_format_holds_every_document(count):
    docs = [(f"{number}.txt", resolved(f"the AI {number}")) for number in range(count)]
    written = {}
    for name, write in WRITERS.items():
        stream = io.BytesIO()
        write(docs, stream)
        written[name] = stream.getvalue()
    records = json.loads(written["json"])
    assert [record["document"] for record in records] == [name for name, _ in docs]
    assert [json.loads(line) for line in written["jsonl"].splitlines()] == records
    assert written["html"].count(b"<article>") == count
    stored = list(
        DocBin(store_user_data=True).from_bytes(written["docbin"]).get_docs(spacy.blank("en").vocab)
    )
    assert [doc.user_data["document"] for doc in stored] == [name for name, _ in docs]
    assert [doc._.acronyms[0]._.resolution for doc in stored] == [
        doc._.acronyms[0]._.resolution for _, doc in docs
    ]


def test_a_document_that_fails_is_left_out_and_reported(nlp, caplog):
    detector = nlp.get_pipe("acronym_detector")
    find = detector.find
    detector.find = lambda text: 1 / 0 if "bad" in text else find(text)
    sources = [Source(f"{i}", "bad" if i == 1 else "an AI") for i in range(3)]
    problems = ProblemLog()
    done = list(annotate_sources(nlp, sources, problems))
    assert [name for name, _ in done] == ["0", "2"]
    assert problems.examples["failed document"][0].path == "1"
    assert "ZeroDivisionError" in caplog.text


def test_load_pipeline_takes_weights_or_a_saved_pipeline(
    nlp, tiny_weights, tiny_dictionary, tmp_path
):
    nlp.to_disk(tmp_path / "saved")
    fresh = load_pipeline(str(tiny_weights), dictionary=tiny_dictionary, threshold=0.0, top_k=2)
    saved = load_pipeline(tmp_path / "saved", threshold=0.0, top_k=2)
    wanted = fresh("the AI for potassium")._.acronyms
    doc = fresh("the AI for potassium")
    again = saved("the AI for potassium")
    assert doc._.acronyms[0]._.resolution == again._.acronyms[0]._.resolution
    assert len(doc._.acronyms[0]._.resolution.candidates) == 2 and len(wanted) == 1


@pytest.mark.parametrize("text", ["(" * 100_000, "a" + ")" * 100_000, "-" * 5000 + "AI"])
def test_a_document_of_brackets_alone_takes_no_time(text, tiny_weights, tiny_dictionary):
    nlp = load_pipeline(tiny_weights, dictionary=tiny_dictionary)
    started = time.process_time()
    doc = nlp(text + " AI model")
    assert time.process_time() - started < 10
    assert [span.text for span in doc._.acronyms][-1] == "AI"


def test_load_pipeline_names_what_it_cannot_use(tiny_weights, tiny_dictionary, tmp_path):
    with pytest.raises(InputError, match="missing"):
        load_pipeline(str(tmp_path / "missing"), dictionary=tiny_dictionary)
    with pytest.raises(InputError, match="missing"):
        load_pipeline(str(tiny_weights), dictionary=tmp_path / "missing.gladis")
    with pytest.raises(InputError, match="language"):
        load_pipeline(str(tiny_weights), dictionary=tiny_dictionary, language="klingon")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="acrobert_linker"):
        load_pipeline(tmp_path / "blank")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "meta.json").write_text("{")
    with pytest.raises(FormatError, match="broken"):
        load_pipeline(tmp_path / "broken")
