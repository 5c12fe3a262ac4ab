"""A reader of shared windows, taught by one that reads each mention by itself."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.modeling.acrobert import AcroBERT, Settings
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training import distillation as taught_module
from spacy_gladis.research.training import run as run_module
from spacy_gladis.research.training.distillation import Lesson, lessons
from spacy_gladis.research.training.network import AcroNetwork
from spacy_gladis.research.training.recipes import RunSettings
from spacy_gladis.research.training.run import run
from tests.support.training import CONFIG, tiny_pieces, tiny_samples

ACRONYMS = {"AI", "CT", "HR"}
SHARED = Path("configs/acrobert_shared_windows.cfg")


@pytest.fixture
def teacher() -> AcroBERT:
    torch.manual_seed(0)
    return AcroBERT(AcroNetwork(CONFIG).weights(), tiny_pieces(), Settings())


def settings(teacher: AcroBERT, folder: Path, **given: float) -> RunSettings:
    teacher.save(folder / "start")
    write_samples(folder / "samples.jsonl", tiny_samples())
    overrides = {
        "paths.samples": str(folder / "samples.jsonl"),
        "paths.start": str(folder / "start"),
        "objective.share": 1.0,
        "objective.held_out": 8,
        "training.batch_size": 8,
        "training.steps": 40,
        "training.learning_rate": 3e-3,
        "training.evaluate_every": 1,
        "training.precision": "fp32",
    }
    return RunSettings.read(SHARED, {**overrides, **given})


def test_the_student_comes_near_its_teacher_and_keeps_what_it_has(
    teacher: AcroBERT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "is_held_out", lambda acronym: acronym == "HR")
    records: list[dict[str, float]] = []
    student = run(settings(teacher, tmp_path), tmp_path / "run", report=records.append)
    assert isinstance(student, AcroBERT)
    scores = [record["score"] for record in records if "score" in record]
    assert 1 - scores[-1] < (1 - scores[0]) / 2
    assert student.settings == replace(teacher.settings, shared=True)
    moved = student.encode_long_forms(["heart rate"]) @ teacher.encode_long_forms(["heart rate"]).T
    assert moved.item() > 0.95
    assert AcroBERT.load(tmp_path / "run" / "model").settings.shared


def test_all_known_acronyms_of_a_text_are_asked_about(teacher: AcroBERT, tmp_path: Path) -> None:
    text = "We saw it. The HR and the AI of a CTX (CT). No ct."
    sample = Sample("AI", "adequate intake", text, 26, 28)
    (lesson,) = lessons(teacher, [sample], ACRONYMS, tmp_path, np.random.default_rng(1))
    found = [lesson.text[slice(*span)] for span in lesson.spans]
    assert found == ["HR", "AI", "CT"]
    assert lesson.vectors.shape == (3, 32)
    first = Sample("HR", "heart rate", "We saw it. HR was low. The end.", 11, 13)
    cut = lessons(teacher, [sample, first] * 20, ACRONYMS, tmp_path, np.random.default_rng(1))
    short = {"The HR and the AI of a CTX (CT).", "HR was low."}
    assert {one.text for one in cut} == {text, first.text} | short


def test_an_interrupted_teacher_goes_on(
    teacher: AcroBERT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taught(by: AcroBERT) -> list[Lesson]:
        return lessons(by, tiny_samples(), ACRONYMS, tmp_path, np.random.default_rng(1))

    monkeypatch.setattr(taught_module, "CHUNK", 10)
    first = taught(teacher)
    files = sorted(tmp_path.glob("*.safetensors"))
    assert len(first) == len(tiny_samples()) and len(files) == 5
    with monkeypatch.context() as patch:
        patch.setattr(teacher, "encode_contexts", None)  # nothing is read again
        again = taught(teacher)
    assert all((a.vectors == b.vectors).all() for a, b in zip(first, again, strict=True))
    taught(AcroBERT(AcroNetwork(CONFIG).weights(), tiny_pieces(), teacher.settings))
    assert len(list(tmp_path.glob("*.safetensors"))) == 10
    files[0].write_bytes(b"no tensors")
    with pytest.raises(FormatError, match="Delete it"):
        taught(teacher)


def test_an_interrupted_run_ends_as_one_that_was_not(teacher: AcroBERT, tmp_path: Path) -> None:
    given = {"objective.held_out": 0, "training.steps": 6, "training.checkpoint_every": 2}
    whole = run(settings(teacher, tmp_path, **given), tmp_path / "whole")

    class Stop(Exception):  # noqa: N818
        pass

    def stop(record: dict[str, float]) -> None:
        if record.get("step") == 4:
            raise Stop

    described = settings(teacher, tmp_path, **given, **{"training.log_every": 1})
    with pytest.raises(Stop):
        run(described, tmp_path / "parts", report=stop)
    resumed = run(described, tmp_path / "parts")
    assert isinstance(whole, AcroBERT) and isinstance(resumed, AcroBERT)
    assert whole.fingerprint() == resumed.fingerprint()


def test_the_teacher_reads_mention_by_mention(teacher: AcroBERT, tmp_path: Path) -> None:
    teacher.settings = replace(teacher.settings, shared=True)
    with pytest.raises(InputError, match="each mention by itself"):
        run(settings(teacher, tmp_path), tmp_path / "run")


@pytest.mark.parametrize("wrong", [{"objective.share": 0.0}, {"objective.held_out": -1}])
def test_settings_out_of_range(teacher: AcroBERT, tmp_path: Path, wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be"):
        settings(teacher, tmp_path, **wrong)


def test_too_few_texts_are_told(teacher: AcroBERT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Raise objective\.share"):
        run(settings(teacher, tmp_path, **{"training.batch_size": 600}), tmp_path / "run")
