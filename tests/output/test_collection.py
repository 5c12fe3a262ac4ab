"""The acronyms of a searched collection."""

import json

import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.output.collection import AcronymCollection, Text
from spacy_gladis.output.missing_spellings import Expansion, format_expansions, with_expansions
from spacy_gladis.pipeline.load import load_pipeline

CT, SITE = "computed tomography", "Connecticut"
TEXTS = [
    Text("A scan by computed tomography (CT) is quick.", "a.md"),
    Text("The CT of the head was read.", "a.md"),
    Text("We offer Computed-Tomography to all.", "b.md"),
    Text("The weather is fine.", "b.md"),
]


@pytest.fixture
def collection():
    """A collection that has read TEXTS, without a model."""
    acronyms = AcronymCollection(resolve=False)
    acronyms.read(TEXTS)
    return acronyms


def added(expansions):
    return [expansion.added for expansion in expansions]


def test_each_text_gets_the_spelling_that_it_lacks():
    expansions = AcronymCollection(resolve=False).read(TEXTS)
    assert list(map(added, expansions)) == [[], [CT], ["CT"], []]
    assert with_expansions("CT.", [Expansion("CT", CT, CT)]) == f"CT.\n\nAcronyms: CT = {CT}"
    assert with_expansions("Fine.", []) == "Fine."
    assert format_expansions([Expansion("A", "b", "b"), Expansion("C", "d", "C")]) == "A = b; C = d"


def test_later_texts_use_the_meanings_of_earlier_ones(collection):
    assert list(map(added, collection.read([Text("One more CT.")]))) == [[CT]]


@pytest.mark.parametrize(
    ("query", "expanded"),
    [
        ("CT of the head", f"CT of the head {CT}"),
        ("ct of the head", f"ct of the head {CT}"),
        ("price of Computed Tomography", "price of Computed Tomography CT"),
        (f"{CT} (CT)", f"{CT} (CT)"),
        ("the weather", "the weather"),
        ("", ""),
    ],
)
def test_a_query_gets_the_spellings_that_it_lacks(collection, query, expanded):
    assert collection.expanded_query(query) == expanded


def test_words_in_lower_case_are_no_acronyms():
    acronyms = AcronymCollection.from_pairs([("IT", "information technology")], resolve=False)
    assert acronyms.expanded_query("what is it") == "what is it"
    assert acronyms.expanded_query("IT staff") == "IT staff information technology"


def test_without_a_linker_all_meanings_are_added_and_texts_stay_open():
    acronyms = AcronymCollection(resolve=False)
    texts = [TEXTS[0], Text("Connecticut (CT) is a state. Connecticut (CT)."), Text("The CT.")]
    assert list(map(added, acronyms.read(texts))) == [[], [], []]
    assert added(acronyms.expand_query("CT")) == [SITE, CT]


@pytest.fixture(scope="module")
def tiny(tiny_weights, tiny_dictionary):
    return load_pipeline(tiny_weights, dictionary=tiny_dictionary, threshold=0.0)


def test_the_collection_comes_before_the_dictionary(tiny):
    acronyms = AcronymCollection(nlp=tiny)
    acronyms.read([Text("An apnoea index (AI) counts apnoeas."), Text("The AI rose.")])
    assert added(acronyms.expand_query("AI of a patient")) == ["apnoea index"]
    assert added(acronyms.expand_query("NASA budget")) == [
        "National Aeronautics and Space Administration"
    ]


def test_the_linker_chooses_among_the_collections_meanings(tiny):
    acronyms = AcronymCollection.from_pairs([("CT", SITE), ("CT", CT)], nlp=tiny)
    (answer,) = acronyms.expand_query("CT")
    assert answer.long_form in (SITE, CT)


def test_a_saved_collection_answers_alike(collection, tmp_path):
    collection.save(tmp_path / "acronyms.json")
    loaded = AcronymCollection.load(tmp_path / "acronyms.json", resolve=False)
    assert loaded.expanded_query("CT") == f"CT {CT}"
    assert loaded.to_records() == collection.to_records()


def test_a_glossary_is_a_collection(tmp_path):
    meanings = [{"long_form": CT, "mentions": 2, "gloss": ""}, {"long_form": None, "mentions": 1}]
    records = [{"acronym": "CT", "defined": True, "meanings": meanings}]
    (tmp_path / "glossary.json").write_text(json.dumps(records))
    loaded = AcronymCollection.load(tmp_path / "glossary.json", resolve=False)
    assert loaded.expanded_query("CT") == f"CT {CT}"


@pytest.mark.parametrize("content", ["{", '[{"acronym": "CT"}]', "[1]"])
def test_another_file_is_no_collection(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(FormatError, match=r"a\.json has no meanings of acronyms"):
        AcronymCollection.load(tmp_path / "a.json")
    with pytest.raises(InputError, match="There is no file"):
        AcronymCollection.load(tmp_path / "b.json")


def test_settings_of_the_linker_need_the_linker():
    with pytest.raises(InputError, match="settings of the linker"):
        AcronymCollection(resolve=False, threshold=0.5)
