"""The rules that make SciAI, SciAD and SciUAD of papers, on invented sentences."""

import json
from collections import Counter
from itertools import product

import pytest
from typer.testing import CliRunner

from spacy_gladis.research.cli.dataset import app
from spacy_gladis.research.datasets.construction import (
    Annotation,
    alpha,
    ambiguous,
    canonical_long_forms,
    is_acronym_candidate,
    is_candidate,
    label_discourse,
    long_form_candidates,
    masi_distance,
    pair_forms,
    split_sentences,
    substitute,
    vote,
)


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("SRB", True),
        ("BeLa", False),
        ("BiLSTM", True),
        ("bread", False),
        ("I", False),
        ("3D", False),
    ],
)
def test_more_than_half_of_a_candidate_is_capitals(word, is_one):
    assert is_acronym_candidate(word) is is_one


@pytest.mark.parametrize(
    ("sentence", "acronym", "expected"),
    [
        ("we row slow river boats ( SRB )", "SRB", ["slow river boats"]),
        ("the complete polar evaluation ( COMPE ) is", "COMPE", ["complete polar evaluation"]),
        ("slow and old river boats are SRB", "SRB", ["slow and old river boats"]),
        ("warm boats bread SRB", "SRB", []),
        ("slower boats SRB", "SRB", []),  # letters from the middle of a word
        ("WB is wb", "WB", []),  # one word is no sequence
        ("silver SRB river boats", "SRB", []),  # it does not run over the acronym
    ],
)
def test_leading_characters_form_the_acronym(sentence, acronym, expected):
    words = sentence.split()
    result = [" ".join(words[start:end]) for start, end in long_form_candidates(words, acronym)]
    assert result == expected
    (whole,) = split_sentences("paper", sentence)
    assert is_candidate(whole) is bool(expected)


def test_papers_are_split_into_sentences_and_words():
    first, second = split_sentences("7", "A slow boat (SB) sails. It is old.\n\n")
    assert (first.id, second.text) == ("7", "It is old.")
    assert first.tokens == ["A", "slow", "boat", "(", "SB", ")", "sails", "."]


@pytest.mark.parametrize(
    ("answers", "fourth", "won"),
    [
        ([{(0, 3)}, {(0, 3)}, set()], set(), {(0, 3)}),
        ([{(0, 3)}, set(), set()], {(0, 3)}, set()),  # two agree that there is nothing
        ([{(0, 3)}, {(0, 5)}, set()], {(0, 5), (8, 9)}, {(0, 5)}),
        ([{(0, 3)}, {(0, 3)}, {(0, 5)}], {(0, 5)}, {(0, 3)}),
    ],
)
def test_two_of_three_win_and_a_fourth_decides(answers, fourth, won):
    assert vote(list(map(frozenset, answers)), frozenset(fourth)) == won


def test_masi_weighs_how_sets_overlap():
    first, two, three = frozenset("a"), frozenset("ab"), frozenset("bc")
    assert masi_distance(first, first) == masi_distance(frozenset(), frozenset()) == 0
    assert masi_distance(first, two) == pytest.approx(1 - 2 / 3 * 1 / 2)
    assert masi_distance(two, three) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi_distance(first, three) == masi_distance(first, frozenset()) == 1


def test_alpha_of_nominal_data_is_the_published_one():
    """Example B of Krippendorff 2011: alpha is 0.692; sets of one member are nominal."""
    coders = ["aabbdcccedda", "babbbccceddd"]
    units = [[frozenset(value) for value in unit] for unit in zip(*coders, strict=True)]
    assert alpha(units) == pytest.approx(0.692, abs=5e-4)
    assert alpha([[frozenset("a"), frozenset("a")]]) == 1


def test_alpha_is_its_definition():
    values = [frozenset(letters) for letters in ("", "a", "ab", "bc", "c")]
    units = [[first, other, values[2]] for first, other in product(values, values)]
    every = [value for unit in units for value in unit]
    observed = sum(
        masi_distance(first, other) / 2 for unit in units for first in unit for other in unit
    ) / len(every)
    expected = sum(masi_distance(first, other) for first in every for other in every)
    expected /= len(every) * (len(every) - 1)
    assert alpha(units) == pytest.approx(1 - observed / expected)


def test_long_forms_are_paired_with_an_acronym_of_their_letters():
    text = "XY and slow river boats (SRB)"
    annotation = Annotation(frozenset({(0, 2), (25, 28)}), frozenset({(7, 23)}))
    assert list(pair_forms(text, annotation)) == [("SRB", "slow river boats")]
    assert list(pair_forms(text, annotation._replace(short=frozenset({(0, 2)})))) == []


def test_variants_become_the_most_frequent_long_form():
    counts = Counter({"slow river boat": 3, "Slow river boats": 1, "small red box": 2})
    assert canonical_long_forms(counts) == {
        "slow river boat": "slow river boat",
        "Slow river boats": "slow river boat",
        "small red box": "small red box",
    }
    pairs = [("SRB", form) for form in counts.elements()]
    unambiguous = [("WB", "warm bread"), ("WB", "warm breads")]
    assert set(ambiguous([*pairs, *unambiguous])) == {"SRB"}


MEANINGS = {"SRB": {"slow river boats": "slow river boat", "small red box": "small red box"}}


def test_a_paper_has_one_sense_of_an_acronym():
    sentences = split_sentences("p", "Slow river boats (SRB) sail. An SRB is old. No boat here.")
    defined = [("SRB", "slow river boats"), ("SRB", "small red box"), ("WB", "warm bread")]
    samples = list(label_discourse(sentences, defined, MEANINGS))
    assert [(sample.text, sample.long_form) for sample in samples] == [
        ("Slow river boats (SRB) sail.", "slow river boat"),
        ("An SRB is old.", "slow river boat"),
    ]
    assert all(
        sample.text[sample.start : sample.end] == sample.acronym == "SRB" for sample in samples
    )
    assert list(label_discourse(sentences, defined[2:], MEANINGS)) == []


def test_the_acronym_stands_for_its_long_forms():
    text = "The slow river boats (SRB) hold a Small Red Box."
    samples = list(substitute(split_sentences("p", text), MEANINGS))
    assert [(sample.text, sample.long_form) for sample in samples] == [
        ("The SRB hold a Small Red Box.", "slow river boat"),
        ("The slow river boats (SRB) hold a SRB.", "small red box"),
    ]
    assert all(sample.text[sample.start : sample.end] == "SRB" for sample in samples)


PAPERS = [
    "We sail slow river boats (SRB). The SRB is old.",
    "A small red box (SRB) is here. We open an SRB. The small red box is shut.",
]


def test_sets_are_made_and_described_by_one_command_each(tmp_path):
    papers, made = tmp_path / "papers.jsonl", tmp_path / "made"
    papers.write_text("".join(json.dumps({"text": paper, "meta": {}}) + "\n" for paper in PAPERS))
    result = CliRunner().invoke(app, ["construct", str(papers), "--output", str(made)])
    assert result.exit_code == 0, result.output
    figures = json.loads((made / "statistics.json").read_text())
    assert (figures["papers"], figures["sentences"], figures["candidates"]) == (2, 5, 2)
    sciai = json.loads((made / "sciai.json").read_text())
    assert sciai[0]["labels"][2:7] == ["B-long", "I-long", "I-long", "O", "B-short"]
    sciad = [json.loads(line) for line in (made / "sciad.json").read_text().splitlines()]
    assert [row["long_term"] for row in sciad] == ["slow river boats"] * 2 + ["small red box"] * 2
    sets = figures["sets"]
    assert sets["SciAD"]["long_forms_per_acronym"] == 2
    assert sets["SciUAD"]["samples"] == 3

    (made / "dictionary.json").write_text(json.dumps({"SRB": ["slow river boat", "other"]}))
    report = tmp_path / "sets.json"
    names = {"all": "sciai.json", "AD": "sciad.json", "words": "dictionary.json"}
    given = [f"{name}={made / file}" for name, file in names.items()]
    result = CliRunner().invoke(app, ["describe", *given, "--output", str(report)])
    assert result.exit_code == 0, result.output
    figures = json.loads(report.read_text())["sets"]
    assert figures["all"]["unique_acronyms"] == 1
    assert figures["all"]["without_long_form_percent"] == 0
    assert figures["AD"]["samples_by_long_forms"] == {"2": 4}
    assert figures["AD"]["long_forms_by_samples"] == {"10 or fewer": 2, "more than 10": 0}
    assert figures["words"]["acronyms_by_long_forms"] == {"2": 1}
    result = CliRunner().invoke(app, ["describe", str(made)])
    assert "Write NAME=PATH" in str(result.exception)
