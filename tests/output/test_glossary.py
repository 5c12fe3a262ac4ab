"""The glossary of a set of documents."""

import csv
import io

import pytest
import srsly

from spacy_gladis.documents.source import Source
from spacy_gladis.output.glossary import Glossary
from spacy_gladis.output.glossary_formats import COLUMNS, WRITERS, summary, to_csv, to_markdown

AI = {"AI": "adequate intake"}


def gathered(*documents):
    glossary = Glossary()
    for number, doc in enumerate(documents):
        glossary.add(f"{number}.txt", doc)
    return glossary


def test_an_entry_counts_mentions_and_documents(resolve):
    (entry,) = gathered(resolve("an AI\nthe AI", **AI), resolve("AI", **AI)).entries()
    (meaning,) = entry.meanings
    assert (entry.acronym, entry.mentions, len(meaning.documents)) == ("AI", 3, 2)
    assert meaning.probability == pytest.approx(0.75)


def test_spellings_are_one_entry(resolve):
    cnn = {"CNN": "convolutional neural network"}
    (entry,) = gathered(resolve("CNNs and a CNN and the CNN's", **cnn)).entries()
    assert (entry.acronym, entry.mentions) == ("CNN", 3)


def test_two_meanings_are_a_conflict_and_two_spellings_are_none(resolve):
    meanings = ["adequate intake", "Adequate Intakes", "artificial intelligence"]
    resolved = [resolve("an AI", AI=meaning) for meaning in meanings]
    glossary = gathered(*resolved, resolve("an AI"))
    (entry,) = glossary.entries()
    assert entry.conflict and entry.notes == ["2 meanings", "never defined"]
    assert [(meaning.long_form, meaning.mentions) for meaning in entry.meanings] == [
        ("adequate intake", 2),
        ("artificial intelligence", 1),
        (None, 1),
    ]
    assert not gathered(*(resolve("an AI", **AI) for _ in range(2))).entries()[0].conflict


def test_first_use_has_its_line_and_its_context(resolve):
    text = "One line.\n" + "word " * 20 + "the AI for potassium.\nAI again"
    (entry,) = gathered(resolve(text, **AI)).entries()
    assert str(entry.first) == "0.txt:2"
    assert entry.first.before.endswith("word the ") and len(entry.first.before) < 50
    assert (entry.first.mention, entry.first.after) == ("AI", " for potassium.")


def test_what_is_never_defined_and_what_is_defined_late(resolve):
    documents = [
        resolve("The WHO met. World Health Organization (WHO) is its name; the WHO stays."),
        resolve("The recommended dietary allowance (RDA) and the RDA. An API."),
    ]
    entries = {entry.acronym: entry for entry in gathered(*documents).entries()}
    assert {name for name, entry in entries.items() if entry.undefined} == {"API"}
    assert {name for name, entry in entries.items() if entry.defined_late} == {"WHO"}
    assert str(entries["WHO"].defined_late) == "0.txt:1"


def test_defined_twice_is_not_late(resolve):
    text = "World Health Organization (WHO). So: World Health Organization (WHO)."
    assert not gathered(resolve(text)).entries()[0].defined_late


def test_csv_has_a_row_for_each_meaning(resolve):
    glossary = gathered(resolve("an AI", **AI), resolve("an AI", AI="artificial intelligence"))
    rows = list(csv.DictReader(io.StringIO(to_csv(glossary))))
    assert tuple(rows[0]) == COLUMNS and len(rows) == 2
    assert rows[1]["first_document"] == "1.txt" and rows[0]["conflict"] == "yes"
    assert rows[0]["defined"] == "no" and rows[0]["first_use"] == "an AI"


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_is_a_formula(resolve, start):
    doc = resolve(f"{start}1+1 AI", AI=f"{start}HYPERLINK(1)")
    for row in csv.reader(io.StringIO(to_csv(gathered(doc)))):
        assert not any(cell.startswith(start) for cell in row)


def test_markdown_says_what_is_amiss(resolve):
    documents = [resolve("an AI", **AI), resolve("an AI", AI="art*ificial | intelligence")]
    text = to_markdown(gathered(*documents))
    assert "1 acronym in 2 documents; 1 with more than one meaning, 1 used but never" in text
    assert "art\\*ificial \\| intelligence" in text
    assert text.index("## More than one meaning") < text.index("## Used but never defined")
    assert "before the definition" not in text


@pytest.mark.parametrize("name", WRITERS)
def test_a_glossary_of_nothing(name):
    assert bool(WRITERS[name](gathered())) == (name not in ("mkdocs", "latex"))  # lists alone
    assert summary(gathered()).startswith("0 acronyms in 0 documents")


def test_the_page_is_escaped(resolve):
    page = WRITERS["html"](gathered(resolve("<script>AI</script>", AI="<b>x</b>")))
    assert "<script" not in page and "<b>x" not in page and "default-src 'none'" in page


def test_lists_for_other_tools(resolve):
    documents = gathered(resolve("an AI of R&D and the XQZ", AI="A & B", **{"R&D": "research"}))
    assert "*[AI]: A & B\n" in WRITERS["mkdocs"](documents)
    assert "\\newacronym{ai}{AI}{A \\& B}\n" in WRITERS["latex"](documents)
    assert "XQZ" not in WRITERS["mkdocs"](documents) + WRITERS["latex"](documents)
    assert '"acronym": "XQZ"' in WRITERS["json"](documents)
    assert WRITERS["table"](documents).splitlines()[0].split()[0] == "Acronym"


def test_other_sites_get_the_terms_in_their_own_form(resolve):
    documents = gathered(resolve("an AI of NO and XQZ", AI='A & "B"', NO="nitric: oxide #1"))
    page = srsly.yaml_loads(WRITERS["myst"](documents))
    assert page == {"abbreviations": {"AI": 'A & "B"', "NO": "nitric: oxide #1"}}
    site = srsly.json_loads(WRITERS["remark"](documents))
    assert [(term["term"], term["abbreviation"]) for term in site["terms"]] == [
        ("AI", 'A & "B"'),
        ("NO", "nitric: oxide #1"),
    ]
    assert all(term["definition"] and term["caseSensitive"] is True for term in site["terms"])
    assert srsly.yaml_loads(WRITERS["myst"](gathered())) == {"abbreviations": {}}


def test_a_use_below_the_threshold_joins_the_meaning_that_is_likeliest(resolve):
    documents = [resolve("an AI", AI="no one knows"), resolve("an AI")]
    (entry,) = gathered(*documents).entries()
    assert [meaning.mentions for meaning in entry.meanings] == [2]


def test_a_place_is_that_of_the_source(resolve):
    doc = resolve("one\n\nan AI", **AI)
    page = Source("x.pdf", doc.text, unit="page", first=4)
    glossary = Glossary()
    glossary.add("x.pdf", doc, page)
    (entry,) = glossary.entries()
    assert str(entry.first) == "x.pdf:page 6" and "x.pdf:page 6" in to_markdown(glossary)
