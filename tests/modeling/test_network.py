"""Vectors of contexts and long forms, whatever is read beside them."""

import numpy as np

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.packing import ROW, in_rows, pack
from spacy_gladis.modeling.shared_windows import SharedWindow, WindowBatch
from spacy_gladis.rules import Mention

TEXT = "the AI of potassium in the diet"
CONTEXT = Mention(TEXT, 4, 6)
NAMES = ["artificial intelligence", "adequate intake", "aromatase inhibitor", "a"]


def test_vectors_do_not_depend_on_the_batch(model: AcroBERT) -> None:
    names = [*NAMES, "a very " * 60 + "long form", *[f"long form number {n}" for n in range(40)]]
    together = model.encode_long_forms(names)
    alone = np.concatenate([model.encode_long_forms([name]) for name in names])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_contexts_do_not_depend_on_the_batch(model: AcroBERT) -> None:
    contexts = [CONTEXT, Mention("AI", 0, 2), Mention("a " * 40 + "AI", 80, 82)]
    together = model.encode_contexts(contexts)
    alone = [model.encode_contexts([context]) for context in contexts]
    np.testing.assert_allclose(together, [one[0] for one in alone], atol=1e-5)


def test_packing_numbers_long_forms_through_the_rows() -> None:
    packed = pack([[[1, 2], [3]], [[4, 5, 6]]], 0)
    assert packed.ids[:, :3].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert packed.owner[:, :4].tolist() == [[0, 0, 1, -1], [2, 2, 2, -1]]


def test_the_mean_of_a_long_form_is_of_its_own_tokens() -> None:
    packed = pack([[[1, 2], [3]], [[4, 5, 6]]], 0)
    states = np.arange(packed.ids.size, dtype=np.float32).reshape(*packed.ids.shape, 1)
    width = packed.ids.shape[1]
    assert packed.means(states).tolist() == [[0.5], [2.0], [width + 1.0]]
    nothing = pack([], 0)
    assert nothing.means(np.zeros((0, 0, 5), np.float32)).shape == (0, 5)


def test_rows_hold_all_in_order_and_only_one_too_long_exceeds_them() -> None:
    pieces = [[1] * length for length in (10, 20, 30, ROW, ROW + 9, 1, 2)]
    rows = list(in_rows(pieces))
    assert [one for row in rows for one in row] == pieces
    assert all(sum(map(len, row)) <= ROW or len(row) == 1 for row in rows)
    assert len(rows) == 5
    assert list(in_rows([])) == []


def test_the_mentions_of_one_window_share_its_states() -> None:
    spans = [np.array([[1, 3]]), np.array([[0, 2], [4, 4]])]
    read = [
        SharedWindow([5] * 4, np.array([0]), spans[0], spans[0]),
        SharedWindow([5] * 5, np.array([1, 2]), spans[1], spans[1]),
    ]
    batch = WindowBatch.of(read, 0)
    states = np.random.default_rng(0).random((*batch.ids.shape, 3), np.float32)
    expected = [states[0, 1:3].mean(0), states[1, 0:2].mean(0), np.zeros(3)]
    np.testing.assert_allclose(batch.means(states, batch.own), expected, atol=1e-6)
    assert batch.mask.sum(1).tolist() == [4, 5]
