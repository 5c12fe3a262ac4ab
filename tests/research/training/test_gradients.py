"""A step that does not fit the device."""

import numpy as np
import pytest
import torch

from spacy_gladis.errors import DeviceMemoryError
from spacy_gladis.research.training.loop import Gradients
from spacy_gladis.research.training.next_sentence import NextSentenceNetwork
from spacy_gladis.research.training.objective import TripletObjective
from spacy_gladis.research.training.pairs import PairBatch, PairSource
from tests.support.training import CONFIG, tiny_training_set


class Cramped(TripletObjective):
    """A device with memory for so many samples; what is half done when it is full stays behind."""

    def __init__(self, capacity: int, batch_size: int = 8) -> None:
        torch.manual_seed(0)
        data = tiny_training_set()
        source = PairSource(data, batch_size=batch_size, negatives=1, held_out=data)
        super().__init__(NextSentenceNetwork(CONFIG), source)
        self.capacity = capacity

    def loss(self, batch: PairBatch) -> tuple[torch.Tensor, dict[str, float]]:
        if batch.samples > self.capacity:
            for parameter in self.module.parameters():
                parameter.grad = torch.ones_like(parameter)
            raise torch.cuda.OutOfMemoryError("out of memory")
        return super().loss(batch)


def gradients(objective: Cramped) -> Gradients:
    device = torch.device("cpu")
    return Gradients(objective, device, accumulate=1, samples=8, bf16=False, seed=0)


@pytest.mark.parametrize("capacity", [1, 2, 3, 5])
def test_a_full_device_computes_the_same_gradient_in_microbatches(capacity: int) -> None:
    whole, cramped = Cramped(8), Cramped(capacity)
    expected = gradients(whole).compute(3)
    computing = gradients(cramped)
    assert computing.compute(3) == pytest.approx(expected, abs=1e-6)
    for one, other in zip(whole.module.parameters(), cramped.module.parameters(), strict=True):
        assert one.grad is not None
        torch.testing.assert_close(other.grad, one.grad, atol=1e-6, rtol=1e-4)
    assert 8 / computing.microbatches <= capacity
    assert computing.compute(4) == pytest.approx(gradients(whole).compute(4), abs=1e-6)


def test_a_device_without_capacity_for_one_sample_is_told() -> None:
    with pytest.raises(DeviceMemoryError, match="single sample does not fit"):
        gradients(Cramped(0)).compute(0)


@pytest.mark.gpu
def test_a_gpu_computes_the_cpus_gradient() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    objective, reference = Cramped(8), Cramped(8)
    expected = gradients(reference).compute(0)
    objective.module.to("cuda")
    there = Gradients(objective, torch.device("cuda"), accumulate=1, samples=8, bf16=False, seed=0)
    assert there.compute(0)["loss"] == pytest.approx(expected["loss"], abs=1e-4)
    for one, other in zip(
        objective.module.parameters(), reference.module.parameters(), strict=True
    ):
        assert one.grad is not None
        assert other.grad is not None
        np.testing.assert_allclose(one.grad.cpu(), other.grad, atol=1e-4)
