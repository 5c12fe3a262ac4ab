"""The network that scores candidates: its training, its file, and how the linker uses it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import FormatError
from spacy_gladis.files import write_arrays
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.calibration import (
    FEATURES,
    QUESTION_FEATURES,
    Calibration,
    ScoringNetwork,
    describe_question,
    make_inputs,
)
from spacy_gladis.linking.candidates import compute_nil_features
from spacy_gladis.linking.features import COMMON, COSINE, PHRASE
from spacy_gladis.research.training.scoring import ScoringExample, fit_network
from spacy_gladis.text import Mention
from tests.support.questions import evidence_for

LINEAR = Calibration(common=1.0, nil=0.5)


def example(seed: int) -> ScoringExample:
    """Return a question whose cosine matters in capitals, and whose count matters otherwise."""
    rng = np.random.default_rng(seed)
    table = np.zeros((3, len(FEATURES)), np.float32)
    table[:, COSINE] = rng.permutation([0, 1, 2])
    table[:, COMMON] = rng.permutation([0, 1, 2])
    acronym = "AB" if seed % 2 else "ab"
    column = COSINE if seed % 2 else COMMON
    options = [Candidate(f"form {row}", {}, 0, -1) for row in range(3)]
    question = evidence_for(options, table, acronym=acronym).question
    return ScoringExample(question, table, table[:, column] == 2, 1.0)


@pytest.fixture(scope="module")
def network() -> ScoringNetwork:
    return fit_network([example(seed) for seed in range(1000)], LINEAR, hidden=16, epochs=120)


def test_what_hangs_on_two_things_together_is_learned(network: ScoringNetwork) -> None:
    held_out = [example(seed) for seed in range(1000, 1200)]
    right = [item.right[network.score(item.table, item.question).argmax()] for item in held_out]
    assert np.mean(right) > 0.95
    weighed = [item.right[LINEAR.logits(item.table).argmax()] for item in held_out]
    assert np.mean(weighed) < 0.75


def test_questions_without_a_right_candidate_are_left_without_an_answer() -> None:
    examples = []
    for seed in range(600):
        item = example(seed)
        if seed % 2:  # in capitals, nothing is right
            item = replace(item, right=np.zeros(3, bool))
        examples.append(item)
    network = fit_network(examples, LINEAR, hidden=16, epochs=120)
    for item in examples[:40]:
        best = network.score(item.table, item.question).max()
        assert (best > network.score_nil(item.question)) == item.right.any()


def test_a_network_is_saved_and_a_damaged_file_is_named(
    network: ScoringNetwork, tmp_path: Path
) -> None:
    assert not len(ScoringNetwork.load(tmp_path))
    network.save(tmp_path)
    item, same = example(3), ScoringNetwork.load(tmp_path)
    np.testing.assert_array_equal(
        same.score(item.table, item.question), network.score(item.table, item.question)
    )
    assert same.score_nil(item.question) == network.score_nil(item.question)
    for name, array in (("mean", np.zeros(3)), ("bias_2", np.zeros(5))):
        write_arrays(tmp_path / ScoringNetwork.FILE, {**network.arrays, name: array})
        with pytest.raises(FormatError, match=f"the array '{name}'"):
            ScoringNetwork.load(tmp_path)


def test_inputs_are_the_features_and_their_distance_to_the_best() -> None:
    item = example(1)
    question = describe_question(item.question)
    inputs = make_inputs(item.table, question)
    width = (inputs.shape[1] - QUESTION_FEATURES) // 2
    assert inputs[:, width : 2 * width].max() == 0
    np.testing.assert_array_equal(inputs[:, -QUESTION_FEATURES:], np.tile(question, (3, 1)))
    assert question[1:6].tolist() == [2, 1, 0, 0, 0]  # two capitals, no signs, no digits
    longest = evidence_for([], np.zeros((0, len(FEATURES)), np.float32), acronym="b.i.d.2xyz")
    assert describe_question(longest.question)[1:6].tolist() == [6, 0, 1, 1, 1]


def test_values_beyond_those_of_training_count_as_the_limit(network: ScoringNetwork) -> None:
    item = example(5)
    far, farther = item.table.copy(), item.table.copy()
    far[:, COSINE] += 1000
    farther[:, COSINE] += 2000
    without_linear = ScoringNetwork({**network.arrays, "linear": Calibration(cosine=0.0).weights})
    expected = without_linear.score(far, item.question)
    np.testing.assert_allclose(without_linear.score(farther, item.question), expected, atol=1e-3)


def test_long_documents_look_alike() -> None:
    item = example(1)
    documents = [compute_nil_features(3, words, 2 * words) for words in (50, 500, 5000)]
    described = [describe_question(replace(item.question, nil=nil)) for nil in documents]
    assert described[0][6] < described[1][6] == described[2][6]


def test_rare_features_only_add_to_the_logits(network: ScoringNetwork) -> None:
    item = example(5)
    table = item.table.copy()
    table[1, PHRASE] = 1
    weighed = ScoringNetwork({**network.arrays, "linear": Calibration(phrase=7.0).weights})
    difference = weighed.score(table, item.question) - weighed.score(item.table, item.question)
    np.testing.assert_allclose(difference, [0, 7, 0], atol=1e-5)


def test_the_linker_ranks_with_the_network_of_its_model(
    network: ScoringNetwork, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    model, dictionary = AcroBERT.load(tiny_weights), Dictionary.open(tiny_dictionary)
    text = "the AI of the model was read"
    mention = Mention(text, 4, 6)
    [weighed] = Linker(model, dictionary).rank([mention])
    model.network = network
    [scored] = Linker(model, dictionary).rank([mention])
    assert {c.long_form for c, _ in weighed} == {c.long_form for c, _ in scored}
    assert weighed != scored
