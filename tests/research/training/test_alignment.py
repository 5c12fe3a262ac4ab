"""Names of one concept come together: self-alignment, by itself and as a run, and whitening."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.concepts import Concept, write_inventory
from spacy_gladis.encoder.engines.torch import SelfAttention
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking.acrobert import AcroBERT
from spacy_gladis.linking.concepts.evidence import NameVectors
from spacy_gladis.research.training.alignment import (
    AlignmentRun,
    AlignmentSettings,
    align_encoder,
    encode,
    leave_out_dropout,
    multi_similarity_loss,
    run_alignment,
    whiten,
    whitening,
)
from spacy_gladis.research.training.loop import TrainingSettings
from spacy_gladis.research.training.network import AcroNetwork
from tests.support.checkpoints import write_mpnet
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
        pair_cosine = cosines[np.arange(8), np.arange(8) ^ 1].mean()
        return float(pair_cosine - (cosines.sum() - 8 - 8 * pair_cosine) / 48)

    before, run = AcroBERT.load(start), tmp_path / "run"
    aligned = run_alignment(settings(start, 30), [inventory], run)
    assert apart(aligned) > apart(before) + 0.2
    assert apart(AcroBERT.load(run / "model")) == pytest.approx(apart(aligned), abs=1e-4)
    old, new = (model.weights.dequantize() for model in (before, aligned))
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
    with pytest.raises(InputError, match="does not exist"):
        AlignmentRun.read(tmp_path / "none.cfg")
    (tmp_path / "bad.cfg").write_text("[paths]\nstart = 1\n")
    with pytest.raises(InputError, match="not the settings of an alignment"):
        AlignmentRun.read(tmp_path / "bad.cfg")


@pytest.fixture
def model(tiny_weights: Path) -> AcroBERT:
    return AcroBERT.load(tiny_weights)


def test_the_loss_is_that_of_the_paper():
    vectors = torch.tensor([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
    # By such a margin every pair is hard.
    loss = multi_similarity_loss(vectors, torch.tensor([0, 0, 1, 1]), margin=10)
    expected = 0.0
    cosines = (vectors @ vectors.T).numpy()
    for anchor in range(4):
        pull = np.exp(-2 * (cosines[anchor, anchor ^ 1] - 0.5))
        push = sum(
            np.exp(50 * (cosines[anchor, o] - 0.5)) for o in range(4) if o // 2 != anchor // 2
        )
        expected += np.log1p(pull) / 2 + np.log1p(push) / 50
    assert loss.item() == pytest.approx(expected / 4, rel=1e-4)


def test_the_loss_tells_near_names_apart_in_bf16():
    angles = torch.tensor([0.0, 0.02, 0.03, 0.05])
    vectors = torch.stack([angles.cos(), angles.sin()], 1)
    labels = torch.tensor([0, 0, 1, 1])
    with torch.autocast("cpu", torch.bfloat16):
        loss = multi_similarity_loss(vectors, labels)
    assert loss.dtype == torch.float32
    assert loss.item() == multi_similarity_loss(vectors, labels).item()


def test_a_network_without_dropout_gives_the_same_twice(model):
    module = AcroNetwork.of(model.weights).train()
    for part in module.modules():
        if isinstance(part, SelfAttention):
            part.dropout = 0.5
    module.bert.embeddings.dropout.p = 0.5
    texts = ["adequate intake", "daily diet"]

    def same() -> bool:
        first, other = (encode(module, model.pieces, texts) for _ in range(2))
        return torch.equal(first, other)

    assert not same()
    leave_out_dropout(module)
    assert same()


def test_alignment_brings_names_of_a_concept_together(model):
    linked = [["adequate intake", "daily diet"], ["computed tomography", "ct scan"]]
    others = [["messenger rna", "mrna"], ["Connecticut", "state"], ["alone", "Alone"]]
    before = model.weights.dequantize()
    settings = AlignmentSettings(passes=30, pairs=4, layers=1, learning_rate=1e-2)
    aligned = align_encoder(model, linked, others, settings)

    def apart(encoder):
        vectors = encoder.encode_long_forms([text for pair in linked + others[:2] for text in pair])
        cosines = vectors @ vectors.T
        pairs = cosines[np.arange(0, 8, 2), np.arange(1, 8, 2)]
        return pairs.mean() - cosines[np.triu_indices(8, 1)].mean()

    assert apart(aligned) > apart(model) + 0.2
    changed = {
        name for name, array in before.items() if not np.array_equal(array, aligned.weights[name])
    }
    assert changed and all(name.startswith("bert.encoder.layer.1.") for name in changed)
    assert all(np.array_equal(array, model.weights[name]) for name, array in before.items())


def test_nothing_to_align_leaves_the_model(model):
    assert align_encoder(model, [["alone"]], [["twice", "Twice"]]) is model


LINKED = [["computed tomography", "ct scan", "CT"], ["adequate intake", "daily diet"]]
OTHERS = [["messenger rna", "mrna"], ["alone"]]
PLACES = {
    "computed tomography": (1, 0, 1.5),
    "ct scan": (1, 0, -1.5),
    "ct": (1, 0, 0),
    "adequate intake": (0, 1, 1.5),
    "daily diet": (0, 1, -1.5),
    "messenger rna": (-1, 0, 1.5),
    "mrna": (-1, 0, -1.5),
}
"""The first two dimensions tell concepts apart, in the third the names of each one differ."""


class Planted:
    width = 3

    def encode_long_forms(self, texts):
        places = np.array([PLACES.get(text, (1, 1, 1)) for text in texts], dtype=np.float32)
        return places / np.linalg.norm(places, axis=1, keepdims=True)


@pytest.fixture
def vectors():
    encoder: Any = Planted()
    return NameVectors(encoder)


def test_variance_within_groups_is_one_where_it_is_not_small():
    random = np.random.default_rng(0)
    groups = [random.normal(size=(50, 3)) * (9, 1, 0.1) + centre for centre in (0, 5)]
    matrix = whitening([group.astype(np.float32) for group in groups], ridge=0)
    apart = np.concatenate([group - group.mean(0) for group in groups]) @ matrix
    assert np.cov(apart.T, bias=True) == pytest.approx(np.eye(3), abs=1e-3)


def test_names_of_a_concept_come_nearer_to_each_other(vectors):
    texts = list(PLACES)
    before = vectors(texts)
    assert before[0] @ before[3] > 0.5 > 0 > before[0] @ before[1]
    whiten(vectors, LINKED, OTHERS, number=7)
    after, later = vectors(texts), vectors(["a scan", *texts])
    assert after[0] @ after[1] > 0.4 > 0.3 > after[0] @ after[3]
    assert np.linalg.norm(after, axis=1) == pytest.approx(np.ones(len(texts)), abs=2e-3)
    assert np.array_equal(after, later[1:])  # what was computed before is turned, too


def test_with_few_texts_nothing_changes(vectors):
    before = vectors(list(PLACES))
    whiten(vectors, LINKED, OTHERS)
    assert np.array_equal(vectors(list(PLACES)), before)
