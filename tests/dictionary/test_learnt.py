"""What documents define, as evidence for the documents beside them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary.learnt import LearntDefinitions
from spacy_gladis.errors import FormatError


def learn(*documents):
    learnt = LearntDefinitions()
    for path, *pairs in documents:
        learnt.add(pairs, path)
    return learnt


def test_the_only_meaning_weighs_all():
    learnt = learn(("docs/a.md", ("WAF", "web application firewall")))
    for path in ("docs/b.md", "docs/deep/er/b.md", "b.md", ""):
        assert learnt.meanings("WAF", path) == {"web application firewall": 1}
    assert learnt.meanings("WAFs") == {"web application firewall": 1}
    assert learnt.meanings("AI") == {}


def test_the_nearest_comes_first():
    learnt = learn(
        ("x/other/a.md", ("AI", "all inclusive")),
        ("x/a.md", ("AI", "adequate intake")),
        ("x/y/a.md", ("AI", "artificial intelligence")),
    )
    weights = learnt.meanings("AI", "x/y/b.md")
    assert weights == {
        "artificial intelligence": 1,
        "adequate intake": 0.5,
        "all inclusive": 0.25,
    }
    assert max(learnt.meanings("AI", "x/b.md").items(), key=lambda one: one[1])[0] == (
        "adequate intake"
    )


def test_two_meanings_of_one_folder_share_it():
    intake, clever = ("AI", "adequate intake"), ("AI", "artificial intelligence")
    learnt = learn(("a", intake), ("b", intake), ("c", intake), ("d", clever))
    assert learnt.meanings("AI", "e") == {intake[1]: 0.75, clever[1]: 0.25}


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
    assert len(learnt) == 3 and learnt and not LearntDefinitions()


PAIRS = st.lists(
    st.tuples(st.sampled_from(["a", "b/a", "b/c/a"]), st.sampled_from(["x y", "x yes", "z"]))
)


@given(PAIRS, PAIRS)
def test_updates_add_up_and_states_keep_all(one, other):
    def learnt(pairs):
        return learn(*((path, ("AB", name)) for path, name in pairs))

    together, first = learnt(one + other), learnt(one)
    first.update(learnt(other))
    copy = LearntDefinitions.from_state(json.loads(json.dumps(first.state())))
    for found in (first, copy):
        assert found.entries() == together.entries()
        assert found.meanings("AB", "b/x") == together.meanings("AB", "b/x")
    assert all(0 < weight <= 1 for weight in together.meanings("AB").values())


def test_acronyms_that_none_defines_are_kept_once_and_saved():
    learnt, other = learn(("a", ("AI", "adequate intake"))), LearntDefinitions()
    assert LearntDefinitions.from_state({}).entries() == []
    other.use(["HTN", "MIs", "MI", "M.I.", "AIs"])
    assert other and other.undefined == ["HTN", "MIs", "AIs"]
    learnt.update(other)
    learnt.update(other)
    copy = LearntDefinitions.from_state(json.loads(json.dumps(learnt.state())))
    assert learnt.undefined == copy.undefined == ["HTN", "MIs"]


@pytest.mark.parametrize("state", [{"AI": ["x"]}, [], {"used": []}, {"used": [1], "meanings": {}}])
def test_a_foreign_state_is_refused(state):
    with pytest.raises(FormatError):
        LearntDefinitions.from_state(state)
