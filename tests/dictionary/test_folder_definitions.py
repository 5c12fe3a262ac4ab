"""What documents define, as evidence for the documents beside them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary.folder_definitions import FolderDefinitions
from spacy_gladis.errors import FormatError


def learn(*documents):
    learnt = FolderDefinitions()
    for path, *pairs in documents:
        learnt.add(pairs, path)
    return learnt


def weights(learnt, acronym, document=""):
    return {name: one.weight for name, one in learnt.meanings(acronym, document).items()}


def test_the_only_meaning_weighs_all():
    learnt = learn(("docs/a.md", ("WAF", "web application firewall")))
    for path in ("docs/b.md", "docs/deep/er/b.md", "b.md", ""):
        assert weights(learnt, "WAF", path) == {"web application firewall": 1}
    assert weights(learnt, "WAFs") == {"web application firewall": 1}
    assert learnt.meanings("AI") == {}


def test_the_nearest_comes_first():
    learnt = learn(
        ("x/other/a.md", ("AI", "all inclusive")),
        ("x/a.md", ("AI", "adequate intake")),
        ("x/y/a.md", ("AI", "artificial intelligence")),
    )
    assert weights(learnt, "AI", "x/y/b.md") == {
        "artificial intelligence": 1,
        "adequate intake": 0.5,
        "all inclusive": 0.25,
    }
    near = weights(learnt, "AI", "x/b.md")
    assert max(near, key=near.__getitem__) == "adequate intake"


def test_the_document_that_says_so_is_named():
    learnt = learn(
        ("x/a.md", ("AI", "adequate intake")),
        ("x/b.md", ("AI", "adequate intake")),
        ("y/c.md", ("AI", "artificial intelligence")),
    )
    found = learnt.meanings("AI", "x/y/d.md")
    assert found["adequate intake"][1:] == ("x/a.md", True)  # of a folder above
    assert found["artificial intelligence"][1:] == ("y/c.md", False)


def test_two_meanings_of_one_folder_share_it():
    intake, clever = ("AI", "adequate intake"), ("AI", "artificial intelligence")
    learnt = learn(("a", intake), ("b", intake), ("c", intake), ("d", clever))
    assert weights(learnt, "AI", "e") == {intake[1]: 0.75, clever[1]: 0.25}


def test_entries_count_documents_and_show_the_commonest_spelling():
    learnt = learn(
        ("a", ("VMs", "Virtual machines"), ("VM", "virtual machine"), ("VM", "virtual machine")),
        ("b", ("VM", "virtual machine"), ("", "nothing"), ("X", " ")),
        ("c", ("VM", "vending machine"), ("AI", "adequate intake")),
    )
    assert [tuple(entry) for entry in learnt] == [
        ("AI", "adequate intake", 1),
        ("VM", "virtual machine", 2),
        ("VM", "vending machine", 1),
    ]
    assert len(learnt) == 3 and learnt and not FolderDefinitions()


PAIRS = st.lists(
    st.tuples(st.sampled_from(["a", "b/a", "b/c/a"]), st.sampled_from(["x y", "x yes", "z"]))
)


@given(PAIRS, PAIRS)
def test_updates_add_up_and_states_keep_all(one, other):
    def learnt(pairs):
        return learn(*((path, ("AB", name)) for path, name in pairs))

    together, first = learnt(one + other), learnt(one)
    first.update(learnt(other))
    copy = FolderDefinitions.from_state(json.loads(json.dumps(first.state())))
    for found in (first, copy):
        assert found.entries() == together.entries()
        assert found.meanings("AB", "b/x") == together.meanings("AB", "b/x")
    assert all(0 < weight <= 1 for weight in weights(together, "AB").values())


def test_acronyms_that_none_defines_are_kept_once_and_saved():
    learnt, other = learn(("a", ("AI", "adequate intake"))), FolderDefinitions()
    assert FolderDefinitions.from_state({}).entries() == []
    other.use(["HTN", "MIs", "MI", "M.I.", "AIs"])
    assert other and other.undefined == ["HTN", "MIs", "AIs"]
    learnt.update(other)
    learnt.update(other)
    copy = FolderDefinitions.from_state(json.loads(json.dumps(learnt.state())))
    assert learnt.undefined == copy.undefined == ["HTN", "MIs"]


@pytest.mark.parametrize("state", [{"AI": ["x"]}, [], {"used": []}, {"used": [1], "meanings": {}}])
def test_a_foreign_state_is_refused(state):
    with pytest.raises(FormatError):
        FolderDefinitions.from_state(state)
