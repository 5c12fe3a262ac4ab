"""Self-alignment over inventories' names as a run of its own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.concepts import Concept, write_inventory
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.modeling.acrobert import AcroBERT
from spacy_gladis.research.training.alignment import AlignmentRun, run_alignment
from spacy_gladis.research.training.loop import TrainingSettings
from tests.support.modeling import write_mpnet
from tests.support.paths import CONFIGS

NAMES = (
    ("breast cancer", "cancer in the breast"),
    ("potassium diet", "diet of potassium", "adequate potassium intake"),
    ("artificial intelligence", "ai model"),
    ("the drug", "aromatase inhibitor"),
    ("daily grams",),
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    concepts = [Concept(f"D{number}", names) for number, names in enumerate(NAMES)]
    write_inventory(concepts, tmp_path / "some.concepts")
    return tmp_path / "some.concepts"


def settings(start: Path, steps: int) -> AlignmentRun:
    training = TrainingSettings(
        steps, batch_size=4, learning_rate=1e-2, checkpoint_every=5, log_every=5, evaluate_every=99
    )
    return AlignmentRun(str(start), training, layers=2, held_out=0)


def test_names_of_a_concept_come_together(start: Path, inventory: Path, tmp_path: Path) -> None:
    def apart(model: AcroBERT) -> float:
        vectors = model.encode_long_forms([name for names in NAMES[:4] for name in names[:2]])
        cosines = vectors @ vectors.T
        own = cosines[np.arange(8), np.arange(8) ^ 1].mean()
        return float(own - (cosines.sum() - 8 - 8 * own) / 48)

    before, run = AcroBERT.load(start), tmp_path / "run"
    aligned = run_alignment(settings(start, 30), [inventory], run)
    assert apart(aligned) > apart(before) + 0.2
    assert apart(AcroBERT.load(run / "model")) == pytest.approx(apart(aligned), abs=1e-4)
    old, new = (model.weights.whole() for model in (before, aligned))
    changed = {name for name in old if not np.array_equal(old[name], new[name])}
    learning = ("bert.encoder.layer.1", "bert.encoder.layer.2")
    assert changed and all(name.startswith(learning) for name in changed)


def test_held_out_concepts_choose_the_weights(start: Path, inventory: Path, tmp_path: Path) -> None:
    few = replace(settings(start, 4), held_out=2)
    run_alignment(few, [inventory], tmp_path / "run")
    with pytest.raises(FormatError, match="other settings"):
        run_alignment(replace(few, source={"another": 1}), [inventory], tmp_path / "run")
    assert '"score"' in (tmp_path / "run" / "log.jsonl").read_text()
    with pytest.raises(InputError, match="more synonyms"):
        run_alignment(replace(few, held_out=3), [inventory], tmp_path / "other")


def test_the_command(start: Path, inventory: Path, tmp_path: Path) -> None:
    config = (CONFIGS / "alignment.cfg").read_text().replace("held_out = 200", "held_out = 1")
    (tmp_path / "few.cfg").write_text(config)
    call = f"train align {tmp_path / 'few.cfg'} --start {start} --inventory {inventory}"
    done = CliRunner().invoke(app, f"{call} --steps 2 --layers 1 -o {tmp_path / 'run'}")
    assert done.exit_code == 0, done.output
    assert AcroBERT.load(tmp_path / "run" / "model").width == 24
    with pytest.raises(InputError, match="no such settings file"):
        AlignmentRun.read(tmp_path / "none.cfg")
    (tmp_path / "bad.cfg").write_text("[paths]\nstart = 1\n")
    with pytest.raises(InputError, match="not the settings of an alignment"):
        AlignmentRun.read(tmp_path / "bad.cfg")
