"""The run on a GPU's machine, ten steps on a CPU: alone with torch, killed and begun again."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import gpu
import pytest
import torch
from safetensors.torch import load_file

from spacy_gladis.errors import InputError
from spacy_gladis.modeling.acrobert import AcroBERT, Settings
from spacy_gladis.research.training.loop import TrainingSettings
from spacy_gladis.research.training.network import AcroNetwork
from tests.support.training import CONFIG, MEANINGS, tiny_pieces, tiny_training_set

ROOT = Path(__file__).parents[3]
SETTINGS = """
[paths]
samples = null
start = "{start}"

[model]
window = 16

[objective]
name = "{name}"
held_out = 8

[training]
steps = 10
batch_size = 4
learning_rate = 0.01
precision = "fp32"
log_every = 1
evaluate_every = 5
checkpoint_every = 2
"""
SCRIPT = """
import os, runpy, signal, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {absent}:
            raise ImportError(name + " is not there")

sys.meta_path.insert(0, Blocked())
import spacy_gladis.research.training.loop as loop
write = loop.save_checkpoint

def write_and_die(folder, module, optimizer, step, settings):
    write(folder, module, optimizer, step, settings)
    if step == {last}:
        os.kill(os.getpid(), signal.SIGKILL)

loop.save_checkpoint = write_and_die
sys.argv[0] = "benchmarks/gpu.py"
sys.path.insert(0, "benchmarks")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
ABSENT = [
    *("spacy", "thinc", "srsly", "catalogue", "confection", "pydantic", "typer", "rich"),
    *("rapidfuzz", "pyarrow", "duckdb", "zstandard", "Stemmer"),
    *("transformers", "accelerate", "huggingface_hub"),
]
"""Packages that a machine with torch, numpy, safetensors and tokenizers need not have."""


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    """What `prepare` writes of a tiny run."""
    prepare(tmp_path, "candidates")
    return tmp_path / "prepared"


def prepare(folder: Path, objective: str, megabytes: str = "1") -> None:
    torch.manual_seed(0)
    model = AcroBERT(AcroNetwork(CONFIG).weights(), tiny_pieces(), Settings(window=16))
    model.save(folder / "start")
    for name in ("train", "held-out"):
        tiny_training_set(markers=True).save(folder / "run" / f"{name}-0.safetensors")
    settings = SETTINGS.format(start=folder / "start", name=objective)
    (folder / "settings.cfg").write_text(settings, "utf8")
    given = ("settings.cfg", "run", "-o", "prepared")
    paths = [word if word.startswith("-") else str(folder / word) for word in given]
    gpu.main(["prepare", *paths, "--megabytes", megabytes])


def train(prepared: Path, run: str, *more: str, last: int = -1) -> subprocess.CompletedProcess[str]:
    """The script as that machine runs it; last: the checkpoint after which it is killed."""
    code = SCRIPT.format(absent=ABSENT, last=last)
    folder = prepared.parent
    call = [sys.executable, "-c", code, "train", str(prepared), str(folder / run), "-o"]
    call += [str(folder / f"{run}-out"), "--device", "cpu", "--seconds", "0.1", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    return subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)


def weights(folder: Path) -> tuple[AcroBERT, dict[str, torch.Tensor]]:
    """The model that came back in parts."""
    whole = folder / "whole.tar.gz"
    parts = sorted(folder.glob("model.tar.gz.*"))
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    with tarfile.open(whole) as archive:
        archive.extractall(folder, filter="data")
    return AcroBERT.load(folder / "model"), load_file(folder / "model" / "model.safetensors")


@pytest.mark.slow
def test_a_killed_run_goes_on_and_hands_over_what_a_whole_one_does(prepared: Path) -> None:
    whole = train(prepared, "whole")
    assert whole.returncode == 0, whole.stderr
    assert train(prepared, "killed", last=6).returncode == -9
    assert not list((prepared.parent / "killed-out").glob("model*"))
    again = train(prepared, "killed")
    assert again.returncode == 0, again.stderr
    steps = [json.loads(line)["step"] for line in again.stdout.splitlines()]
    assert steps == [7, 8, 9, 10, 10]
    model, one = weights(prepared.parent / "whole-out")
    _, other = weights(prepared.parent / "killed-out")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert {tensor.dtype for tensor in one.values()} == {torch.float16}
    assert model.encode_long_forms(list(MEANINGS["CT"])).shape == (2, CONFIG.hidden_size)
    figures = json.loads((prepared.parent / "killed-out" / "figures.json").read_text())
    assert figures["device"] == "cpu"
    assert figures["samples_per_second"] > 0
    assert [one["step"] for one in figures["log"]][-1] == 10


def test_steps_that_fit_into_the_minutes() -> None:
    settings = TrainingSettings(steps=7)
    assert gpu.plan(settings, None, 0.0, 5.0) == settings
    planned = gpu.plan(settings, 25.0, 100.0, 2.0)
    assert planned.steps == 2 * (25 * 60 * 0.9 - 100)
    assert (planned.evaluate_every, planned.checkpoint_every) == (250, 100)
    assert gpu.plan(settings, 1.0, 100.0, 2.0).steps == 1


def test_what_cannot_be_prepared_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="triplet"):
        prepare(tmp_path, "triplet")
    with pytest.raises(InputError, match="not a single sample"):
        prepare(tmp_path, "candidates", megabytes="0.0001")
