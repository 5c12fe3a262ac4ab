"""A larger encoder's ranking of long forms, learnt beside the labels."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.modeling.acrobert import AcroBERT, Settings
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training import run as run_module
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.run import draw, run
from spacy_gladis.research.training.senses import SenseObjective
from spacy_gladis.research.training.settings import RunSettings
from spacy_gladis.research.training.teacher import Ranking, Views, look, weigh
from tests.support.modeling import write_mpnet
from tests.support.paths import CONFIGS
from tests.support.training import CONFIG, tiny_pieces, tiny_samples


def encoder(seed: int = 0) -> AcroBERT:
    torch.manual_seed(seed)
    return AcroBERT(AcroNetwork(CONFIG, 1), tiny_pieces(), Settings(domains=("",), shared=True))


def made_of(samples: list[Sample]) -> TrainingSet:
    return TrainingSet.build(samples, tiny_pieces().unmarked(), 32)


def unit(rows: NDArray[np.int64], width: int) -> NDArray[np.float16]:
    return np.eye(width, dtype=np.float16)[rows]


def views_of(made: TrainingSet, *, right: bool) -> Views:
    """Of an encoder that sees the meaning of each context, or of one that sees another."""
    width = len(made.long_forms)
    meant = made.positives if right else (made.positives + 1) % width
    return Views(unit(meant, width), unit(np.arange(width), width))


def test_vectors_stand_at_their_samples_and_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = tiny_samples(2)
    made, model = made_of(samples), encoder()
    views = look(model, samples, made, tmp_path)
    sample = 3
    contexts = model.encode_contexts([samples[sample].mention]).vectors
    np.testing.assert_allclose(views.contexts[[sample]], contexts, atol=2e-3)
    name = model.encode_long_forms([samples[sample].long_form])
    np.testing.assert_allclose(views.long_forms[[made.positives[sample]]], name, atol=2e-3)
    cosine = views.cosines([sample], made.positives[[sample]])
    np.testing.assert_allclose(cosine, contexts @ name.T, atol=5e-3)
    other = look(encoder(seed=1), samples, made, tmp_path)
    assert np.abs(other.contexts - views.contexts).max() > 0.01
    monkeypatch.setattr(model, "encode_contexts", None)  # nothing is read twice
    again = look(model, samples, made, tmp_path)
    np.testing.assert_array_equal(again.contexts, views.contexts)


def test_who_is_right_weighs_more() -> None:
    made = made_of(tiny_samples(3))
    good, bad = weigh([views_of(made, right=True), views_of(made, right=False)], made)
    assert good > 1 > bad >= 0
    alone = made_of([one for one in tiny_samples(3) if one.long_form == "heart rate"])
    with pytest.raises(InputError, match=r"two meanings.*objective\.share"):
        weigh([views_of(alone, right=True)], alone)


def test_the_student_learns_the_ranking_even_against_the_labels() -> None:
    samples = tiny_samples()
    made = made_of(samples)
    ranking = Ranking([views_of(made, right=False)], np.array([20.0]))
    module = encoder().module.train()
    objective = SenseObjective(
        module,
        made,
        batch_size=6,
        negatives=4,
        seed=0,
        pad_id=tiny_pieces().pad,
        ranking=ranking,
        ranking_weight=20.0,
    )
    optimizer = torch.optim.Adam(module.parameters(), 3e-3)
    losses = []
    for step in range(30):
        loss, figures = objective.loss(objective.batch(step))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(figures["ranking_loss"])
    assert losses[-1] < 0.7 * losses[0]
    assert figures["long_form_accuracy"] < 0.5


def test_acronyms_are_drawn_whole() -> None:
    samples = [
        Sample(f"A{number}", "name", "text", 0, 1, "", "", str(document))
        for number in range(400)
        for document in (0, 0, 1, 2, 3)
    ]
    drawn = list(draw(samples, 0.25, 3))
    acronyms = {one.acronym for one in drawn}
    assert 60 < len(acronyms) < 140
    assert len(drawn) == 3 * len(acronyms)
    assert {one.document for one in drawn} == {"0", "1", "2"}
    assert list(draw(samples, 1.0, 9)) == [one for row, one in enumerate(samples) if row % 5 != 1]


def settings(folder: Path, **given: object) -> RunSettings:
    encoder().save(folder / "start")
    write_mpnet(folder / "teacher")
    write_samples(folder / "samples.jsonl", tiny_samples())
    overrides = {
        "paths.samples": str(folder / "samples.jsonl"),
        "paths.start": str(folder / "start"),
        "paths.teacher": str(folder / "teacher"),
        "objective.share": 1.0,
        "training.batch_size": 4,
        "training.steps": 4,
        "training.precision": "fp32",
    }
    return RunSettings.read(CONFIGS / "acrobert_ranking.cfg", {**overrides, **given})


def test_a_run_with_a_teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers")
    monkeypatch.setattr(run_module, "is_held_out", lambda acronym: acronym == "HR")
    records: list[dict[str, object]] = []
    asked = settings(tmp_path, **{"training.log_every": 1})
    model = run(asked, tmp_path / "run", report=records.append)
    assert isinstance(model, AcroBERT)
    assert (tmp_path / "run" / "model" / "acrobert.json").is_file()
    assert len([one for one in records if "weights of the teachers" in one]) == 1
    assert [one for one in records if "ranking_loss" in one]


def test_what_a_teacher_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="'senses', not for 'candidates'"):
        settings(tmp_path, **{"objective.name": "candidates"})
    with pytest.raises(InputError, match="ranking_weight must be above 0"):
        settings(tmp_path, **{"objective.ranking_weight": 0.0})
    (tmp_path / "none").mkdir()
    with pytest.raises(FormatError, match=r"config\.json"):
        run(settings(tmp_path, **{"paths.teacher": str(tmp_path / "none")}), tmp_path / "early")
    with pytest.raises(InputError, match="folders of checkpoints"):
        run(settings(tmp_path, **{"paths.teacher": str(tmp_path / "samples.jsonl")}), tmp_path)
    with pytest.raises(InputError, match=r"objective\.share"):
        run(settings(tmp_path), tmp_path / "run")  # none of the acronyms is held out
