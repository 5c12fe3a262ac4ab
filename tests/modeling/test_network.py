import numpy as np
import torch

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.network import ROW, in_rows, mean_in, mean_of, pack
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
    assert packed.positions[:, :3].tolist() == [[0, 1, 0], [0, 1, 2]]
    assert packed.size == 3


def test_rows_hold_all_in_order_and_only_one_too_long_exceeds_them() -> None:
    pieces = [[1] * length for length in (10, 20, 30, ROW, ROW + 9, 1, 2)]
    rows = list(in_rows(pieces))
    assert [one for row in rows for one in row] == pieces
    assert all(sum(map(len, row)) <= ROW or len(row) == 1 for row in rows)
    assert len(rows) == 5
    assert list(in_rows([])) == []


def test_the_mentions_of_one_text_share_its_states() -> None:
    torch.manual_seed(0)
    states, rows = torch.randn(3, 5, 4), torch.tensor([0, 2, 2, 1])
    mask = torch.rand(4, 5) > 0.5
    mask[3] = False
    torch.testing.assert_close(mean_in(states, mask, rows), mean_of(states[rows], mask))
