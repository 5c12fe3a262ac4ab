"""Searches of an invented repository."""

import json

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.tasks.search.data import Documents, Relevant, cut_text, make_query
from spacy_gladis.research.tasks.search.task import score_ranking
from tests.support.tasks import run, values

pytest.importorskip("bm25s")

SHORT = "The old CT of the patient's head showed no mass, says {}."
LONG = "We offer computed tomography to all patients of {}."
OTHER = "Nobody knows where the weather of {} comes from, or why."


def write(path, texts):
    """Write documents of one repository, each with its gold mention of CT if it has the word."""
    rows = []
    for number, text in enumerate(texts):
        start = text.find("CT")
        mention = {"start": start, "end": start + 2, "acronym": "CT"}
        mention |= {"long_form": "computed tomography", "defined": False}
        row = {"repo": "a/b", "path": f"{number}.md", "field": "medicine", "text": text}
        rows.append({**row, "mentions": [mention] if start >= 0 else []})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def documents(tmp_path):
    names = [f"town{number}" for number in range(30)]
    texts = [OTHER.format(name) for name in names]
    texts += [SHORT.format("Ann"), SHORT.format("Bob"), LONG.format("York"), LONG.format("Hull")]
    return write(tmp_path / "documents.jsonl", texts)


def test_queries_and_relevant_chunks(documents):
    sets = {data.name: data for data in Documents().read([documents])}
    sentence = sets["short to long, sentence"]
    assert [query.text for query in sentence.questions] == [
        SHORT.format("Ann"),
        SHORT.format("Bob"),
    ]
    assert sentence.questions[0].chunk == 30
    assert sentence.gold[0] == Relevant(frozenset({31, 32, 33}), frozenset({32, 33}))
    reverse = sets["long to short, words"]
    assert reverse.questions[0].text == "We offer computed tomography to all patients"
    assert reverse.gold[0] == Relevant(frozenset({30, 31, 33}), frozenset({30, 31}))
    assert sets["short to long, term"].questions[0].text == "CT"
    assert sentence.details["queries"] == 2 and sentence.details["chunks"] == 34


def test_the_scores_by_hand():
    relevant = Relevant(frozenset({1, 2, 3, 4}), frozenset({3}))
    assert score_ranking([9, 1, 3, *range(20, 40), 2], relevant) == (0.5, 0.5, 1.0)
    assert score_ranking([9], relevant) == (0.0, 0.0, 0.0)
    many = Relevant(frozenset(range(50)), frozenset({49}))
    assert score_ranking(list(range(10)), many) == (1.0, 1.0, 0.0)


def test_the_glossary_finds_the_other_spelling(documents, tmp_path):
    systems = ["bm25 plain", "bm25 glossary"]
    results = run("search", [documents], systems, output=tmp_path / "results.jsonl")
    plain, expanded = (
        values(results[f"short to long, term: bm25 {name}"]) for name in ("plain", "glossary")
    )
    assert plain == {"recall": pytest.approx(1 / 3), "mrr": 1.0, "other_recall": 0.0}
    assert expanded == {"recall": 1.0, "mrr": 1.0, "other_recall": 1.0}
    assert values(results["long to short, term: bm25 plain"])["other_recall"] == 0.0
    assert values(results["long to short, term: bm25 glossary"])["other_recall"] == 1.0


@pytest.mark.slow
def test_ours_finds_the_other_spelling_without_gold_mentions(documents):
    systems = ["bm25 ours", "bm25 both", "bm25 documents"]
    results = run("search", [documents], systems)
    for name in systems:
        assert values(results[f"long to short, term: {name}"])["other_recall"] == 1.0, name


def test_small_collections_give_no_queries(tmp_path):
    path = write(tmp_path / "few.jsonl", [SHORT.format("Ann"), LONG.format("York")])
    with pytest.raises(InputError, match="The documents have no queries"):
        list(Documents().read([path]))


def test_queries_by_kind_and_chunks_of_sentences():
    text = "one two three four CT five six seven eight"
    term = (text.index("CT"), text.index("CT") + 2)
    assert make_query(text, term, "words") == "two three four CT five six seven"
    assert make_query(text, term, "term") == "CT"
    long = "A sentence of words. " * 60
    chunks = cut_text(long)
    assert [len(chunk) for chunk in chunks] == [38, 22]
    assert all(chunk[-1][1] - chunk[0][0] <= 800 for chunk in chunks)
    assert cut_text("one\n\n two. Three") == [[(0, 3), (6, 10), (11, 16)]]
