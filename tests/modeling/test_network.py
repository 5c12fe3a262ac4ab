import numpy as np

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.network import pack
from spacy_gladis.rules import Mention

TEXT = "the AI of potassium in the diet"
CONTEXT = Mention(TEXT, 4, 6)
NAMES = ["artificial intelligence", "adequate intake", "aromatase inhibitor", "a"]


def test_vectors_do_not_depend_on_the_batch(model: AcroBERT) -> None:
    together = model.encode_long_forms(NAMES)
    alone = np.concatenate([model.encode_long_forms([name]) for name in NAMES])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_contexts_do_not_depend_on_the_batch(model: AcroBERT) -> None:
    contexts = [CONTEXT, Mention("AI", 0, 2), Mention("a " * 40 + "AI", 80, 82)]
    together = model.encode_contexts(contexts)
    alone = [model.encode_contexts([context]) for context in contexts]
    np.testing.assert_allclose(together.vectors, [one.vectors[0] for one in alone], atol=1e-5)
    np.testing.assert_allclose(together.domains.sum(1), 1, atol=1e-5)


def test_packing_numbers_long_forms_through_the_rows() -> None:
    packed = pack([[[1, 2], [3]], [[4, 5, 6]]], 0)
    assert packed.ids[:, :3].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert packed.owner[:, :4].tolist() == [[0, 0, 1, -1], [2, 2, 2, -1]]
    assert packed.positions[:, :3].tolist() == [[0, 1, 0], [0, 1, 2]]
    assert packed.size == 3
