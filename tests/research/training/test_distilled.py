"""A reader of shared windows, taught by one that reads each mention by itself."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.errors import InputError
from spacy_gladis.linking.acrobert import AcroBERT, Settings
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training.distillation import CHUNK, Lesson, lessons
from spacy_gladis.research.training.network import AcroNetwork
from spacy_gladis.research.training.recipes import RunSettings
from spacy_gladis.research.training.run import run
from tests.support.training import CONFIG, tiny_pieces, tiny_samples

ACRONYMS = {"AI", "CT", "CO"}
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
    teacher: AcroBERT, tmp_path: Path
) -> None:
    records: list[dict[str, float]] = []
    student = run(settings(teacher, tmp_path), tmp_path / "run", report=records.append)
    assert isinstance(student, AcroBERT)
    scores = [record["score"] for record in records if "score" in record]
    assert 1 - scores[-1] < (1 - scores[0]) / 2
    assert student.settings == replace(teacher.settings, shared=True)
    names = ["carbon monoxide"]
    moved = student.encode_long_forms(names) @ teacher.encode_long_forms(names).T
    assert moved.item() > 0.95
    assert AcroBERT.load(tmp_path / "run" / "model").settings.shared


def test_all_known_acronyms_of_a_text_are_asked_about(teacher: AcroBERT, tmp_path: Path) -> None:
    text = "We saw it. The CO and the AI of a CTX (CT). No ct."
    sample = Sample("AI", "adequate intake", text, 26, 28)
    (lesson,) = lessons(teacher, [sample], ACRONYMS, tmp_path, np.random.default_rng(1))
    texts = [lesson.text[slice(*span)] for span in lesson.spans]
    assert texts == ["CO", "AI", "CT"]
    assert lesson.vectors.shape == (3, 32)
    first = Sample("CO", "carbon monoxide", "We saw it. CO was low. The end.", 11, 13)
    cut = lessons(teacher, [sample, first] * 20, ACRONYMS, tmp_path, np.random.default_rng(1))
    short = {"The CO and the AI of a CTX (CT).", "CO was low."}
    assert {lesson.text for lesson in cut} == {text, first.text} | short


def test_an_interrupted_teacher_goes_on(teacher: AcroBERT, tmp_path: Path) -> None:
    samples = tiny_samples(CHUNK // 6 + 1)

    def taught(by: AcroBERT) -> list[Lesson]:
        return lessons(by, samples, ACRONYMS, tmp_path, np.random.default_rng(1))

    def kept() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.npy")}

    first, files = taught(teacher), kept()
    assert len(first) == len(samples) > CHUNK and len(files) == 2
    again = taught(teacher)
    assert kept() == files
    assert all((a.vectors == b.vectors).all() for a, b in zip(first, again, strict=True))
    taught(AcroBERT(AcroNetwork(CONFIG).weights(), tiny_pieces(), teacher.settings))
    assert len(kept()) == 4
    next(iter(files)).write_bytes(b"no vectors")
    assert (taught(teacher)[0].vectors == first[0].vectors).all()  # written again


def test_the_teacher_reads_mention_by_mention(teacher: AcroBERT, tmp_path: Path) -> None:
    teacher.settings = replace(teacher.settings, shared=True)
    with pytest.raises(InputError, match="each mention by itself"):
        run(settings(teacher, tmp_path), tmp_path / "run")


def test_too_few_texts_are_told(teacher: AcroBERT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Raise objective\.share"):
        run(settings(teacher, tmp_path, **{"training.batch_size": 600}), tmp_path / "run")
