"""What documents define, as evidence for the documents beside them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary.folder_definitions import FolderDefinitions
from spacy_gladis.errors import FormatError


def learn(*documents):
    definitions = FolderDefinitions()
    for path, *pairs in documents:
        definitions.add(pairs, path)
    return definitions


def weights(definitions, acronym, document=""):
    return {
        name: meaning.weight for name, meaning in definitions.meanings(acronym, document).items()
    }


def test_the_only_meaning_weighs_all():
    definitions = learn(("docs/a.md", ("WAF", "web application firewall")))
    for path in ("docs/b.md", "docs/deep/er/b.md", "b.md", ""):
        assert weights(definitions, "WAF", path) == {"web application firewall": 1}
    assert weights(definitions, "WAFs") == {"web application firewall": 1}
    assert definitions.meanings("AI") == {}


def test_the_nearest_comes_first():
    definitions = learn(
        ("x/other/a.md", ("AI", "all inclusive")),
        ("x/a.md", ("AI", "adequate intake")),
        ("x/y/a.md", ("AI", "artificial intelligence")),
    )
    assert weights(definitions, "AI", "x/y/b.md") == {
        "artificial intelligence": 1,
        "adequate intake": 0.5,
        "all inclusive": 0.25,
    }
    near = weights(definitions, "AI", "x/b.md")
    assert max(near, key=near.__getitem__) == "adequate intake"


def test_the_document_that_says_so_is_named():
    definitions = learn(
        ("x/a.md", ("AI", "adequate intake")),
        ("x/b.md", ("AI", "adequate intake")),
        ("y/c.md", ("AI", "artificial intelligence")),
    )
    meanings = definitions.meanings("AI", "x/y/d.md")
    assert meanings["adequate intake"].document == "x/a.md"  # of a folder above
    assert meanings["artificial intelligence"].document == "y/c.md"


def test_entries_of_glossary_files_are_marked():
    definitions = learn(("a.md", ("AI", "adequate intake"), ("WAF", "wide area forum")))
    other = FolderDefinitions()
    other.add([("AI", "adequate intake")], "glossary.csv", is_glossary=True)
    definitions.update(other)
    for copy in (definitions, FolderDefinitions.from_state(definitions.state())):
        marked = {
            acronym: [meaning.is_glossary for meaning in copy.meanings(acronym).values()]
            for acronym in ("AI", "WAF")
        }
        assert marked == {"AI": [True], "WAF": [False]}


def test_two_meanings_of_one_folder_share_it():
    intake, clever = ("AI", "adequate intake"), ("AI", "artificial intelligence")
    definitions = learn(("a", intake), ("b", intake), ("c", intake), ("d", clever))
    assert weights(definitions, "AI", "e") == {intake[1]: 0.75, clever[1]: 0.25}


def test_entries_count_documents_and_show_the_commonest_spelling():
    definitions = learn(
        ("a", ("VMs", "Virtual machines"), ("VM", "virtual machine"), ("VM", "virtual machine")),
        ("b", ("VM", "virtual machine"), ("", "nothing"), ("X", " ")),
        ("c", ("VM", "vending machine"), ("AI", "adequate intake")),
    )
    assert [tuple(entry) for entry in definitions] == [
        ("AI", "adequate intake", 1),
        ("VM", "virtual machine", 2),
        ("VM", "vending machine", 1),
    ]
    assert len(definitions) == 3 and definitions and not FolderDefinitions()


PAIRS = st.lists(
    st.tuples(st.sampled_from(["a", "b/a", "b/c/a"]), st.sampled_from(["x y", "x yes", "z"]))
)


@given(PAIRS, PAIRS)
def test_updates_add_up_and_states_keep_all(left, other):
    def learn_pairs(pairs):
        return learn(*((path, ("AB", name)) for path, name in pairs))

    together, first = learn_pairs(left + other), learn_pairs(left)
    first.update(learn_pairs(other))
    copy = FolderDefinitions.from_state(json.loads(json.dumps(first.state())))
    for definitions in (first, copy):
        assert definitions.entries() == together.entries()
        assert definitions.meanings("AB", "b/x") == together.meanings("AB", "b/x")
    assert all(0 < weight <= 1 for weight in weights(together, "AB").values())


def test_acronyms_that_none_defines_are_kept_once_and_saved():
    definitions, other = learn(("a", ("AI", "adequate intake"))), FolderDefinitions()
    assert FolderDefinitions.from_state({}).entries() == []
    other.use(["HTN", "MIs", "MI", "M.I.", "AIs"])
    assert other and other.undefined == ["HTN", "MIs", "AIs"]
    definitions.update(other)
    definitions.update(other)
    copy = FolderDefinitions.from_state(json.loads(json.dumps(definitions.state())))
    assert definitions.undefined == copy.undefined == ["HTN", "MIs"]


@pytest.mark.parametrize("state", [{"AI": ["x"]}, [], {"used": []}, {"used": [1], "meanings": {}}])
def test_a_foreign_state_is_refused(state):
    with pytest.raises(FormatError):
        FolderDefinitions.from_state(state)
