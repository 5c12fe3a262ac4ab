"""Fine-tuning of both kinds of model, and the runs that settings files describe."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking import AcroBERT, Settings
from spacy_gladis.research.cli.train import app
from spacy_gladis.research.datasets.sample import write_samples
from spacy_gladis.research.locks import holding
from spacy_gladis.research.training.finetune import FinetuneSettings, finetune, load_model
from spacy_gladis.research.training.loop import NotFiniteError, TrainingSettings
from spacy_gladis.research.training.network import AcroNetwork
from spacy_gladis.research.training.next_sentence import NextSentenceBERT
from spacy_gladis.research.training.recipes import OBJECTIVES, OF_ACROBERT, RunSettings
from spacy_gladis.research.training.run import run
from tests.support.paths import CONFIGS
from tests.support.training import CONFIG, tiny_bert, tiny_pieces, tiny_samples, write_tiny

QUICK = FinetuneSettings((1e-3, 3e-3), epochs=20, batch_size=8, negatives=1, dropout=0.0)


def tiny_acrobert(folder: Path) -> Path:
    torch.manual_seed(0)
    AcroBERT(AcroNetwork(CONFIG).weights(), tiny_pieces(), Settings()).save(folder)
    return folder


@pytest.mark.parametrize("kind", ["candidates", "candidate_triplet", "triplet"])
def test_it_tunes_and_chooses_the_best_rate(kind: str, tmp_path: Path) -> None:
    make = tiny_bert if kind == "triplet" else tiny_acrobert
    settings = replace(QUICK, paper=kind == "candidate_triplet")
    model = make(tmp_path / "model")
    samples, dev, entries = write_tiny(tmp_path)
    dictionary = Dictionary.open(entries)
    figures = finetune(model, samples, dev, dictionary, tmp_path / "runs", settings)
    assert figures["objective"] == kind
    assert figures["after"]["accuracy"] >= max(0.9, figures["before"]["accuracy"])
    scores = {rate: run["macro_f1"] for rate, run in figures["runs"].items()}
    assert len(scores) == 2
    assert scores[f"{figures['chosen_learning_rate']:g}"] == max(scores.values())
    assert json.loads((tmp_path / "runs" / "finetune.json").read_text()) == json.loads(
        json.dumps(figures)
    )
    tuned = load_model(tmp_path / "runs" / "model")
    assert isinstance(tuned, NextSentenceBERT if kind == "triplet" else AcroBERT)
    again = finetune(model, samples, dev, dictionary, tmp_path / "runs", settings)
    assert again == figures  # nothing is trained twice
    with pytest.raises(FormatError, match="other settings"):
        finetune(model, dev, dev, dictionary, tmp_path / "runs", QUICK)
    given = f"finetune {tmp_path / 'runs' / 'model'} --samples {samples} --dev {dev}"
    given += f" --dictionary {entries} --learning-rate 0.3 -o {tmp_path / 'spoilt'}"
    spoilt = CliRunner().invoke(app, given)
    assert spoilt.exit_code == 0 and "scored higher on the development set" in spoilt.stderr


def test_rates_at_which_the_loss_diverges_are_counted_out(tmp_path: Path) -> None:
    model = tiny_bert(tmp_path / "model")
    samples, dev, entries = write_tiny(tmp_path)
    settings = FinetuneSettings((1e30,), epochs=3, batch_size=8)
    with pytest.raises(InputError, match="every learning rate"):
        finetune(model, samples, dev, Dictionary.open(entries), tmp_path / "runs", settings)


@pytest.mark.parametrize("paper", [True, False])
def test_the_papers_rate_is_constant(
    paper: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described: list[TrainingSettings] = []

    def stop(objective: object, settings: TrainingSettings, *_: object, **__: object) -> None:
        described.append(settings)
        raise NotFiniteError("stopped")

    monkeypatch.setattr("spacy_gladis.research.training.finetune.train", stop)
    samples, dev, entries = write_tiny(tmp_path)
    settings = replace(QUICK, learning_rates=(1e-5,), paper=paper)
    dictionary, model = Dictionary.open(entries), tiny_bert(tmp_path / "model")
    with pytest.raises(InputError, match="diverged"):
        finetune(model, samples, dev, dictionary, tmp_path / "runs", settings)
    (training,) = described
    rates = {training.rate(step) for step in range(training.steps)}
    assert (rates == {1e-5}) == paper
    assert (training.weight_decay == 0) == paper  # AdamW is Adam then


@pytest.mark.parametrize("rates", [(), (0.0,), (1e-4, -1e-3)])
def test_learning_rates_are_above_zero(rates: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="above 0"):
        FinetuneSettings(rates)


@pytest.mark.parametrize(
    "name", ["acrobert", "acrobert_shared_windows", "acrobert_paper", "ablation"]
)
def test_settings_files_are_whole(name: str) -> None:
    settings = RunSettings.read(CONFIGS / f"{name}.cfg", {"paths.samples": "some.jsonl"})
    if name == "acrobert_paper":
        described = settings.training
        assert (settings.objective, settings.negatives, settings.margin) == ("triplet", 2, 0.2)
        assert (described.batch_size, described.learning_rate) == (32, 2e-5)
        assert settings.cap > 160_000_000  # all samples of a frequent long form are read
        assert described.weight_decay == 0  # AdamW is Adam then
        assert described.rate(9_999) == 2e-5
        assert described.rate(10_000) == pytest.approx(0.95 * 2e-5)


def given(folder: Path, start: Path) -> dict[str, str]:
    """What settings files leave open."""
    write_samples(folder / "samples.jsonl", tiny_samples())
    return {"paths.samples": str(folder / "samples.jsonl"), "paths.start": str(start)}


QUICKLY = {"training.steps": 2, "training.batch_size": 8}


@pytest.mark.parametrize(
    "objective", [objective for objective in OBJECTIVES if objective != "distilled"]
)
def test_a_settings_file_chooses_the_objective(objective: str, tmp_path: Path) -> None:
    paths = given(tmp_path, tiny_bert(tmp_path / "start"))
    base = "acrobert" if objective in OF_ACROBERT else "ablation"
    more = {"objective.name": objective, **QUICKLY}
    settings = RunSettings.read(CONFIGS / f"{base}.cfg", paths | more)
    model = run(settings, tmp_path / "run")
    again = load_model(tmp_path / "run" / "model")
    assert type(model) is type(again)
    assert isinstance(again, AcroBERT) == (objective in OF_ACROBERT)
    assert "loss" in (tmp_path / "run" / "log.jsonl").read_text("utf8")
    size = (tmp_path / "samples.jsonl").stat().st_size
    (tmp_path / "samples.jsonl").write_bytes(b"x" * size)  # read no more
    run(settings, tmp_path / "run")
    (tmp_path / "run" / "samples.safetensors").write_bytes(b"damaged")
    with pytest.raises(FormatError, match=r"samples\.safetensors.*Delete it"):
        run(settings, tmp_path / "run")


def test_acrobert_is_trained_further(tmp_path: Path) -> None:
    paths = given(tmp_path, tiny_acrobert(tmp_path / "start"))
    before = AcroBERT.load(tmp_path / "start").weights
    settings = RunSettings.read(CONFIGS / "acrobert.cfg", paths | QUICKLY)
    trained = run(settings, tmp_path / "run")
    assert isinstance(trained, AcroBERT)
    with holding(tmp_path / "run"), pytest.raises(InputError, match=r"Another run .* uses"):
        run(settings, tmp_path / "run")
    write_samples(settings.samples, tiny_samples(9))
    with pytest.raises(FormatError, match="other settings"):
        run(settings, tmp_path / "run")
    for name, value in trained.weights.dequantize().items():
        if name.startswith("bert."):
            np.testing.assert_allclose(value, before[name], atol=1e-3, err_msg=name)


def test_another_objective_is_refused() -> None:
    with pytest.raises(InputError, match="candidates, candidate_triplet, distilled"):
        RunSettings.read(
            CONFIGS / "ablation.cfg", {"paths.samples": "x", "objective.name": "guess"}
        )
