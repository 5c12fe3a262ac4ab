"""A step that does not fit the device, and the processes that share one."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from spacy_gladis.errors import DeviceMemoryError, InputError
from spacy_gladis.research.training.loop import Gradients, TrainingSettings, train
from spacy_gladis.research.training.next_sentence import NextSentenceNetwork, SentencePairs
from spacy_gladis.research.training.order import SampleSource
from spacy_gladis.research.training.pair_objectives import TripletObjective
from spacy_gladis.research.training.processes import Processes
from tests.support.training import CONFIG, tiny_training_set

SETTINGS = TrainingSettings(
    6, batch_size=8, accumulate=2, learning_rate=1e-2, precision="fp32", evaluate_every=3
)


class Cramped(TripletObjective):
    """A device with memory for so many samples; what is half done when it is full stays behind."""

    def __init__(self, capacity: int, batch_size: int = 8) -> None:
        torch.manual_seed(0)
        data = tiny_training_set()
        source = SampleSource(data, batch_size=batch_size, negatives=1, held_out=data)
        super().__init__(NextSentenceNetwork(CONFIG), source)
        self.capacity = capacity

    def loss(self, batch: SentencePairs) -> tuple[torch.Tensor, dict[str, float]]:
        if len(batch.ids) > self.capacity * self.choices:
            for parameter in self.module.parameters():
                parameter.grad = torch.ones_like(parameter)
            raise torch.cuda.OutOfMemoryError("out of memory")
        return super().loss(batch)


def gradients(objective: Cramped) -> Gradients:
    return Gradients(objective, Processes.here("cpu"), TrainingSettings(1, 8), bf16=False)


@pytest.mark.parametrize("capacity", [1, 2, 3, 5])
def test_a_full_device_computes_the_same_gradient_in_microbatches(capacity: int) -> None:
    whole, cramped = Cramped(8), Cramped(capacity)
    expected = gradients(whole).compute(3)
    computing = gradients(cramped)
    assert computing.compute(3) == pytest.approx(expected, abs=1e-6)
    for parameter, other in zip(
        whole.module.parameters(), cramped.module.parameters(), strict=True
    ):
        assert parameter.grad is not None
        torch.testing.assert_close(other.grad, parameter.grad, atol=1e-6, rtol=1e-4)
    assert 8 / computing.microbatches <= capacity
    assert computing.compute(4) == pytest.approx(gradients(whole).compute(4), abs=1e-6)


def test_a_device_without_capacity_for_one_sample_is_told() -> None:
    with pytest.raises(DeviceMemoryError, match="single sample does not fit"):
        gradients(Cramped(0)).compute(0)


def test_parts_are_dealt_out_evenly() -> None:
    cpu = torch.device("cpu")
    dealt = [list(Processes(rank, 3, cpu).parts(6)) for rank in range(3)]
    assert dealt == [[0, 3], [1, 4], [2, 5]]
    with pytest.raises(InputError, match="multiple of the number"):
        Processes(0, 3, cpu).parts(4)


def run_tiny(folder: Path) -> None:
    """What each process of the test below does, and a file that says it was there."""
    train(Cramped(8, batch_size=4), SETTINGS, folder)
    here = Processes.here("cpu")
    (folder / f"process-{here.rank}-of-{here.count}").touch()


@pytest.mark.slow
def test_two_processes_end_where_one_does(tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    run_tiny(tmp_path / "one")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc_per_node", "2"]
    done = subprocess.run(
        [*command, __file__, str(tmp_path / "two")],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    there = sorted(path.name for path in (tmp_path / "two").glob("process-*"))
    assert there == ["process-0-of-2", "process-1-of-2"]
    first, two = (load_file(tmp_path / name / "checkpoint.safetensors") for name in ("one", "two"))
    assert first.keys() == two.keys()
    start = Cramped(8).module.state_dict()
    for name, value in first.items():
        if name.endswith("self.key.bias"):
            continue  # softmax cancels it: its gradient is rounding, which Adam turns into steps
        torch.testing.assert_close(two[name], value, atol=2e-5, rtol=1e-3, msg=name)
    table = "bert.embeddings.word_embeddings.weight"
    assert not torch.allclose(first[f"module.{table}"], start[table], atol=1e-3)  # it did learn
    logs = [(tmp_path / name / "log.jsonl").read_text().count("\n") for name in ("one", "two")]
    assert logs[0] == logs[1] == 3


@pytest.mark.gpu
def test_a_gpu_computes_the_cpus_gradient() -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    objective, reference = Cramped(8), Cramped(8)
    expected = gradients(reference).compute(0)
    objective.module.to("cuda")
    there = Gradients(objective, Processes.here("cuda"), TrainingSettings(1, 8), bf16=False)
    assert there.compute(0)["loss"] == pytest.approx(expected["loss"], abs=1e-4)
    for parameter, other in zip(
        objective.module.parameters(), reference.module.parameters(), strict=True
    ):
        assert parameter.grad is not None
        assert other.grad is not None
        np.testing.assert_allclose(parameter.grad.cpu(), other.grad, atol=1e-4)


if __name__ == "__main__":
    run_tiny(Path(sys.argv[1]))
