from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_gladis.problem import ProblemLog
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.mining.extract import (
    BLOCK,
    SampleSettings,
    extract_document,
)
from spacy_gladis.research.mining.readers import Document
from spacy_gladis.research.mining.stages import bucket_of, extract_all
from spacy_gladis.text import Definition
from tests.support.corpora import FILLER, document
from tests.support.growth import assert_linear


def extract(text, **settings):
    return extract_document(Document("d:1", text, "Papers"), settings=SampleSettings(**settings))


def by_kind(samples):
    kinds: dict[str, list[Sample]] = {}
    for sample in samples:
        kinds.setdefault(sample.kind, []).append(sample)
    return kinds


def test_a_document_gives_its_definition_and_samples():
    definitions, samples = extract(document(0))
    assert definitions == [("SVM", "support vector machine", "Papers", "d:1")]
    kinds = by_kind(samples)
    assert set(kinds) == {"definition", "mention", "substitution"}
    [defining] = kinds["definition"]
    assert defining.text.startswith("Report 0: The SVM separated the two classes")
    [mention] = kinds["mention"]
    assert mention.text[: mention.start].endswith("green. The ")
    [substitution] = kinds["substitution"]
    assert "Nobody spoke of SVM in chapter 0." in substitution.text
    for sample in samples:
        assert sample.text[sample.start : sample.end] == "SVM"
        assert (sample.acronym, sample.long_form) == ("SVM", "support vector machine")
        assert (sample.domain, sample.document) == ("Papers", "d:1")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We used a support vector machine (SVM) to tell them apart.", "We used a SVM to tell"),
        ("We used SVM (a Support Vector Machine) to tell them apart.", "We used SVM to tell"),
        ("The support vector machine (SVM, Vapnik 1995) was used often.", "The SVM was used often"),
        ("The support\nvector machine (SVM) was used here very often.", "The SVM was used here"),
    ],
)
def test_the_long_form_and_its_brackets_are_removed(text, wanted):
    def find(text):
        acronym = text.index("SVM")
        long_form = text.lower().index("support")
        end = text.lower().index("machine") + len("machine")
        return [Definition((acronym, acronym + 3), (long_form, end))]

    definitions, [sample] = extract_document(Document("d:1", text, "Papers"), find)
    assert sample.text.startswith(wanted)
    assert sample.text[sample.start : sample.end] == "SVM"
    assert definitions[0].long_form.lower() == "support vector machine"


def test_a_mention_in_sight_of_the_definition_is_marked_and_cleaned():
    padding = "one two three four five six seven eight nine ten " * 6
    text = f"The support vector machine (SVM) came first. {padding} Then the SVM was used again."
    _, samples = extract(text)
    [near] = by_kind(samples)["near"]
    assert "The SVM came first." in near.text
    assert near.start > near.text.index("Then")
    _, samples = extract(text, words=20)
    assert "near" not in by_kind(samples)
    assert len(by_kind(samples)["mention"]) == 1


def test_no_sample_where_the_answer_stands_beside_the_mention():
    text = f"{document(0)}\n\n{FILLER * 3} An SVM, or support vector machine, it was. {FILLER * 3}"
    _, samples = extract(text)
    assert len(by_kind(samples)["mention"]) == 1
    assert all("support vector machine" not in sample.text.lower() for sample in samples)


def test_an_acronym_with_two_meanings_gives_its_definitions_only():
    text = (
        f"A principal component analysis (PCA) was made. {FILLER * 9}\n\n"
        f"Then patient controlled analgesia (PCA) was given. {FILLER * 9}\n\n"
        f"{FILLER * 9} The PCA was good. {FILLER * 9}"
    )
    definitions, samples = extract(text)
    assert len(definitions) == 2
    assert set(by_kind(samples)) == {"definition"}
    assert {sample.long_form for sample in samples} == {
        "principal component analysis",
        "patient controlled analgesia",
    }


def test_mentions_are_words_of_their_own():
    others = "SVMlight, LSVM, SVM-3 and svm are others"
    text = f"{document(0)}\n\n{FILLER * 8} {others}.\n\n{FILLER * 8} Two SVMs. {FILLER}"
    _, samples = extract(text, mentions=9)
    mentions = [sample.text[sample.start : sample.end] for sample in by_kind(samples)["mention"]]
    assert mentions == ["SVM", "SVMs"]


def test_a_text_that_breaks_the_rules_costs_itself_alone():
    def find(text):
        if "number 7" in text:
            raise RecursionError("too deep")
        return []

    problems = ProblemLog()
    texts = [Document(f"a:{n}", f"This is (a) text of number {n}.", "a") for n in range(10)]
    extracted = list(extract_all(texts, find, problems, Path("a.jsonl")))
    assert len(extracted) == 9 and problems.counts == {"extraction failed": 1}
    assert "a:7: RecursionError: too deep" in problems.to_json()["examples"][0]


def test_lower_case_numerals_are_no_acronyms():
    definitions, samples = extract("It was (i) an item and (ii) in it another item of the list.")
    assert not definitions
    assert not samples


def test_caps_and_spread():
    parts = [f"{FILLER * 6} Here the SVM was number {number}. {FILLER * 6}" for number in range(30)]
    text = "\n\n".join([document(0), *parts])
    for cap in (0, 1, 3, 5):
        kinds = by_kind(extract(text, mentions=cap)[1])
        assert len(kinds.get("mention", [])) == cap
    places = [
        int(sample.text.split("was number ")[1].split(".")[0])
        for sample in by_kind(extract(text, mentions=5)[1])["mention"][1:]
    ]
    assert places == sorted(places)
    assert max(places) > 20
    assert min(places) < 12


def test_letters_whose_lower_case_is_longer_move_nothing():
    text = f"İİİİ İstanbul. {document(0)} İİ"
    definitions, samples = extract(text)
    assert definitions[0].long_form == "support vector machine"
    assert {sample.text[sample.start : sample.end] for sample in samples} == {"SVM"}


PIECES = [
    "support vector machine (SVM)",
    "SVM (support vector machine)",
    "state-of-the-art virtual machine (SVM)",
    "support vector machine",
    "Support Vector Machines",
    "random forest (RF)",
    "x" * 1000,
    FILLER,
    *["the SVM", "SVMs", "(SVM)", "RF", "(", ")", "[", ". ", "\n\n", "\n", "İ", ""],
]


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
def test_every_sample_is_sound(text):
    definitions, samples = extract(text, words=20)
    pairs = {(definition.acronym, definition.long_form) for definition in definitions}
    for sample in samples:
        mention = sample.text[sample.start : sample.end]
        assert mention.startswith(sample.acronym)
        assert mention[len(sample.acronym) :] in ("", "s")
        assert (sample.acronym, sample.long_form) in pairs
        left, right = sample.text[: sample.start], sample.text[sample.end :]
        assert sample.long_form.lower() not in (left + "\n" + right).lower()
        assert "\n\n" not in sample.text
        assert sample.text == sample.text.strip()
        assert len(sample.text) < 2 * 20 * 8 + 200


@pytest.mark.slow
def test_work_grows_with_the_text_and_not_with_its_square():
    # A glossary: an acronym in every line, and all of them new.
    def extract_glossary(count: int) -> None:
        text = "".join(
            f"Line {n} holds the big item number {n} report (BINR{n}) of the year.\n"
            for n in range(count)
        )
        assert len(text) > 2 * BLOCK
        definitions, _ = extract(text)
        assert len(definitions) > count * 0.9

    assert_linear(extract_glossary, 4_000)


def test_buckets_are_the_same_everywhere():
    assert [bucket_of(acronym, 64) for acronym in ("SVM", "mRNA", "Ω-3", "A&E")] == [4, 17, 63, 30]
