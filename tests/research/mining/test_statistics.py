import json

import pytest
from rich.console import Console

from spacy_gladis.errors import InputError
from spacy_gladis.research.mining.mine import mine, parse_size
from spacy_gladis.research.mining.stages import Count, MiningSettings
from spacy_gladis.research.mining.statistics import (
    corpus_statistics,
    merge_spellings,
    show_statistics,
)


@pytest.fixture
def statistics(tmp_path, shards, pool):
    pytest.importorskip("duckdb")
    settings = MiningSettings(buckets=4)
    return corpus_statistics(mine([shards], tmp_path / "out", pool, settings))


def test_sources_and_dictionary(statistics):
    sources = {source["domain"]: source for source in statistics["sources"]}
    assert set(sources) == {"Papers", "Reports", "Web"}
    assert all(source["pairs"] == 7 for source in sources.values())
    assert statistics["total"]["definitions"] == statistics["total"]["documents"] == 90
    assert statistics["total"]["pairs"] == 7
    dictionary = statistics["dictionary"]
    assert (dictionary["acronyms"], dictionary["long_forms"]) == (6, 7)
    assert dictionary["ambiguous_acronyms"] == 1
    assert dictionary["occurrences"] == 90
    assert dictionary["long_forms_per_acronym"] == pytest.approx(7 / 6)
    assert dictionary["most_ambiguous"][0]["acronym"] == "PCA"
    assert dictionary["acronyms_by_long_forms"] == {"1": 5, "2": 1}
    json.dumps(statistics)


def test_tables(statistics):
    statistics["problems"] = {"counts": {"no text": 2}, "examples": ["a:1: no text: [x]"]}
    console = Console(record=True, width=120)
    show_statistics(statistics, console)
    shown = console.export_text()
    assert "Reports" in shown
    assert "PCA" in shown
    assert "2 times: no text" in shown
    assert "[x]" in shown


def test_spellings_are_merged_as_in_the_dictionary():
    dictionary = pytest.importorskip("spacy_gladis.dictionary")
    rows = [
        ("neural networks", "Papers", 3),
        ("Neural network", "Papers", 3),
        ("Neural Network", "Web", 3),
        ("nearest neighbour", "Web", 9),
    ]
    from spacy_gladis.text import merge_key

    counts = [Count("NN", form, domain, number, merge_key(form)) for form, domain, number in rows]
    merged = merge_spellings(counts)
    assert merged == [("Neural Network", 9), ("nearest neighbour", 9)]
    entries = dictionary.merge_entries((form, {domain: number}) for form, domain, number in rows)
    assert [(form, sum(by.values())) for form, by in entries] == merged


@pytest.mark.parametrize("text", ["", "-3MB", "2 parsecs", "2GB x"])
def test_what_is_no_size(text):
    with pytest.raises(InputError, match="is not a size"):
        parse_size(text)
