"""The objectives: what each takes for its loss, and that it learns."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from spacy_gladis.errors import InputError
from spacy_gladis.research.training.loop import TrainingSettings, train
from spacy_gladis.research.training.network import AcroNetwork
from spacy_gladis.research.training.next_sentence import NOT_HIDDEN, NextSentenceNetwork
from spacy_gladis.research.training.objective import (
    CandidateObjective,
    CandidateTripletObjective,
    Objective,
)
from spacy_gladis.research.training.order import BatchOrder, SampleSource
from spacy_gladis.research.training.pair_objectives import MaskedObjective, TripletObjective
from tests.support.training import CONFIG, SIZE, tiny_pieces, tiny_training_set


def source(negatives: int = 1) -> SampleSource:
    held_out = tiny_training_set(repeat=2)
    return SampleSource(
        tiny_training_set(), batch_size=12, negatives=negatives, cap=99, held_out=held_out
    )


def triplet() -> TripletObjective:
    torch.manual_seed(0)
    return TripletObjective(NextSentenceNetwork(CONFIG), source())


def masked(words: bool, sentences: bool = True) -> MaskedObjective:
    torch.manual_seed(0)
    module = NextSentenceNetwork(CONFIG, words=words)
    return MaskedObjective(module, source(), words, 4, (0, 2, 3), sentences)


def candidates(kind: type[CandidateObjective] = CandidateObjective) -> CandidateObjective:
    torch.manual_seed(0)
    data = tiny_training_set(markers=True)
    source = SampleSource(data, batch_size=12, negatives=1, cap=99, held_out=data)
    return kind(AcroNetwork(CONFIG), source)


MAKERS: dict[str, Callable[[], Any]] = {
    "triplet": triplet,
    "mlm_nsp": lambda: masked(True),
    "nsp": lambda: masked(False),
    "candidates": candidates,
    "candidate_triplet": lambda: candidates(CandidateTripletObjective),
}


@pytest.mark.parametrize("name", MAKERS)
def test_it_learns(name: str, tmp_path: Path) -> None:
    objective = MAKERS[name]()
    objective.module.eval()
    with torch.inference_mode():
        before = objective.evaluate()["score"]
    settings = TrainingSettings(
        240, batch_size=12, learning_rate=3e-3, weight_decay=0.0, precision="fp32", log_every=10
    )
    last = train(objective, settings, tmp_path)
    assert last["score"] > before
    if name != "mlm_nsp":
        assert last["score"] > 0.9


@pytest.mark.parametrize("name", MAKERS)
def test_a_batch_is_the_same_whenever_it_is_asked_for(name: str) -> None:
    left, other = MAKERS[name](), MAKERS[name]()
    other.batch(5)
    for first, second in zip(leaves(left.batch(3)), leaves(other.batch(3)), strict=True):
        assert torch.equal(first, second)


@pytest.mark.parametrize("name", ["triplet", "nsp"])
def test_parts_of_a_batch_have_its_loss(name: str) -> None:
    objective: Objective = MAKERS[name]()
    objective.module.eval()
    batch = objective.batch(0)
    whole, _ = objective.loss(batch)
    parts = [objective.loss(part)[0] for part in objective.split(batch, 4)]
    assert len(parts) == 4
    torch.testing.assert_close(torch.stack(parts).mean(), whole)


def test_parts_of_candidates_score_as_in_the_whole() -> None:
    objective = candidates()
    objective.module.eval()
    batch = objective.batch(0)
    whole = objective.scores(batch)[1]
    parts = [objective.scores(part)[1] for part in objective.split(batch, 3)]
    torch.testing.assert_close(torch.cat(parts), whole)


def test_the_triplet_loss_is_the_papers() -> None:
    objective = TripletObjective(NextSentenceNetwork(CONFIG), source(negatives=2), margin=0.2)
    batch = objective.batch(0)
    with torch.no_grad():
        loss, figures = objective.loss(batch)
        distances = objective.distances(objective.module(batch)[0]).tolist()
    excess = [row[0] - other + 0.2 for row in distances for other in row[1:]]
    assert loss.item() == pytest.approx(np.mean([max(0.0, value) for value in excess]), abs=1e-6)
    assert figures["open_triplets"] == pytest.approx(np.mean([value > 0 for value in excess]))


def test_the_long_form_meant_comes_first_and_no_other_choice_means_it() -> None:
    objective = triplet()
    pairs, choices = objective.batch(0), objective.choices
    pieces = tiny_pieces()
    for row in range(0, len(pairs.ids), choices):
        meant, other = (
            pieces.tokenizer.decode(ids.tolist()[1 : ids.tolist().index(pieces.sep)])
            for ids in pairs.ids[row : row + 2]
        )
        assert meant != other


def test_words_are_hidden_as_bert_hid_them() -> None:
    objective, choices = masked(True), 2
    plain = {step: masked(False).batch(step) for step in range(200)}
    hidden = total = kept = masks = 0
    for step, pairs in plain.items():
        original = pairs.ids[::choices]  # of each sample the pair that belongs together
        batch = objective.batch(step)
        ids, labels = batch.ids[::choices], batch.labels[::choices]
        others = torch.arange(len(batch.labels)) % choices > 0
        assert (batch.labels[others] == NOT_HIDDEN).all()
        chosen = labels != NOT_HIDDEN
        assert torch.equal(ids[~chosen], original[~chosen])
        assert torch.equal(labels[chosen], original[chosen])
        assert not torch.isin(original[chosen], torch.tensor([0, 2, 3])).any()
        total += int((~torch.isin(original, torch.tensor([0, 2, 3]))).sum())
        hidden += int(chosen.sum())
        masks += int((ids[chosen] == 4).sum())
        kept += int((ids[chosen] == original[chosen]).sum())
    assert hidden / total == pytest.approx(0.15, abs=0.02)
    assert masks / hidden == pytest.approx(0.8 + 0.1 / SIZE, abs=0.04)
    assert kept / hidden == pytest.approx(0.1 + 0.1 / SIZE, abs=0.03)


def test_a_batch_without_a_hidden_word_has_no_word_loss() -> None:
    objective = masked(True)
    batch = objective.batch(0)
    _, figures = objective.loss(batch._replace(labels=torch.full_like(batch.labels, NOT_HIDDEN)))
    assert figures["word_loss"] == 0


def test_masked_words_alone_teach_nothing_of_sentences() -> None:
    objective = masked(True, sentences=False)
    batch = objective.batch(0)
    loss, figures = objective.loss(batch)
    assert loss.item() == figures["word_loss"] > 0
    loss.backward()
    gradients = {name: parameter.grad for name, parameter in objective.module.named_parameters()}
    assert gradients["cls.seq_relationship.weight"] is None
    assert gradients["cls.predictions.bias"] is not None
    both, _ = masked(True).loss(batch)
    assert both.item() == pytest.approx(loss.item() + figures["next_sentence_loss"])


def test_the_triplet_loss_of_acrobert_is_of_its_own_candidates() -> None:
    objective = candidates(CandidateTripletObjective)
    batch = objective.batch(0)
    with torch.no_grad():
        loss, _ = objective.loss(batch)
        cosines = objective.scores(batch)[1] / objective.module.scale.exp()
    excess = [0.2 + (other - row[0]) / 2 for row in cosines.tolist() for other in row[1:]]
    assert loss.item() == pytest.approx(np.mean([max(0.0, value) for value in excess]), abs=1e-6)


def test_masked_words_need_a_mask() -> None:
    module = NextSentenceNetwork(CONFIG, words=True)
    with pytest.raises(InputError, match="MASK"):
        MaskedObjective(module, source(), words=True, mask_id=None)


def test_an_epoch_has_each_sample_once_and_long_ones_together() -> None:
    data = tiny_training_set()
    order = BatchOrder(data, 8, cap=99, seed=1)
    epoch = [order[number] for number in range(len(data) // 8)]
    assert sorted(np.concatenate(epoch)) == list(range(len(data)))
    spread = np.mean([np.ptp(data.windows.lengths[batch]) for batch in epoch])
    assert spread < 0.5 * np.ptp(data.windows.lengths)
    again = order[len(epoch)]
    assert not any(np.array_equal(again, batch) for batch in epoch)
    assert np.array_equal(BatchOrder(data, 8, cap=99, seed=1)[len(epoch)], again)


def leaves(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, tuple) else []
