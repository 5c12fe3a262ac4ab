import numpy as np
import pytest
import torch

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.network import AcroNetwork, pack
from spacy_gladis.rules import Mention
from tests.support.modeling import CONFIG

TEXT = "the AI of potassium in the diet"
CONTEXT = Mention(TEXT, 4, 6)
NAMES = ["artificial intelligence", "adequate intake", "aromatase inhibitor", "a"]


def test_a_candidate_is_read_as_if_it_were_alone(model: AcroBERT) -> None:
    (together,) = model.correct([CONTEXT], [NAMES])
    alone = [float(model.correct([CONTEXT], [[name]])[0][0]) for name in NAMES]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.ptp(together) > 1e-3


def test_candidates_do_not_change_the_context(model: AcroBERT) -> None:
    inputs = model.batch(model.pieces.windows([CONTEXT], 32))
    with torch.no_grad():
        alone, domains, nothing = model.module(*inputs)
        packed = pack([model.pieces.long_forms(NAMES)], model.pieces.pad)
        read, same_domains, _ = model.module(*inputs, packed)
    assert nothing is None
    torch.testing.assert_close(alone, read, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(domains, same_domains, atol=1e-5, rtol=1e-4)


def test_the_context_changes_what_is_read(model: AcroBERT) -> None:
    (one,) = model.correct([CONTEXT], [NAMES])
    (other,) = model.correct([Mention("AI drug breast cancer", 0, 2)], [NAMES])
    assert np.abs(one - other).max() > 1e-3


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


def test_an_untrained_network_is_the_retriever_alone() -> None:
    network = AcroNetwork(CONFIG, 2).eval()
    packed = pack([[[2, 9, 3], [2, 10, 11, 3]]], 0)
    ids = torch.tensor([[2, 8, 9, 3]])
    there = torch.ones_like(ids, dtype=torch.bool)
    with torch.no_grad():
        _, _, correction = network(ids, there, there, packed)
    assert correction is not None
    assert correction.tolist() == [0.0, 0.0]


def test_packing_numbers_long_forms_through_the_rows() -> None:
    packed = pack([[[1, 2], [3]], [[4, 5, 6]]], 0)
    assert packed.ids[:, :3].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert packed.owner[:, :4].tolist() == [[0, 0, 1, -1], [2, 2, 2, -1]]
    assert packed.positions[:, :3].tolist() == [[0, 1, 0], [0, 1, 2]]
    assert packed.rows().tolist() == [0, 0, 1]
    assert packed.size == 3


def test_scores_carry_gradients_to_every_part(model: AcroBERT) -> None:
    (scores,) = model.score([CONTEXT], [NAMES])
    torch.nn.functional.cross_entropy(scores[None], torch.tensor([1])).backward()
    for name in ("bert.embeddings.word_embeddings.weight", "fit.0.weight", "scale"):
        gradient = dict(model.module.named_parameters())[name].grad
        assert gradient is not None, name
        assert gradient.abs().sum() > 0, name


def test_scores_are_those_of_inference(model: AcroBERT) -> None:
    with torch.no_grad():
        (scores,) = model.score([CONTEXT], [NAMES])
    cosines = model.encode_long_forms(NAMES) @ model.encode_contexts([CONTEXT]).vectors[0]
    expected = model.scale * cosines + model.correct([CONTEXT], [NAMES])[0]
    np.testing.assert_allclose(scores.numpy(), expected, atol=1e-4)


def test_a_context_without_long_forms(model: AcroBERT) -> None:
    nothing, something = model.correct([CONTEXT, CONTEXT], [[], NAMES])
    assert nothing.shape == (0,)
    assert something.shape == (4,)
    with pytest.raises(ValueError, match="at least one"):
        model.score([CONTEXT], [[]])
