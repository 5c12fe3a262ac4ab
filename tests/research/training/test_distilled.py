"""A reader of whole stretches, taught by one that reads each mention by itself."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.modeling.acrobert import AcroBERT, Settings
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.training.run import run
from spacy_gladis.research.training.settings import RunSettings
from spacy_gladis.research.training.taught import lessons
from tests.support.training import CONFIG, tiny_pieces, tiny_samples

ACRONYMS = {"AI", "CT", "HR"}
STRETCHES = Path("configs/acrobert_stretches.cfg")


@pytest.fixture
def teacher() -> AcroBERT:
    torch.manual_seed(0)
    return AcroBERT(AcroNetwork(CONFIG, 2), tiny_pieces(), Settings(domains=("a", "b")))


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
    return RunSettings.read(STRETCHES, {**overrides, **given})


def test_the_student_comes_near_its_teacher_and_keeps_what_it_has(
    teacher: AcroBERT, tmp_path: Path
) -> None:
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
    (lesson,) = lessons(teacher, [sample], ACRONYMS, tmp_path, share=1, seed=1)
    found = [lesson.text[slice(*span)] for span in lesson.spans]
    assert found == ["HR", "AI", "CT"]
    assert lesson.vectors.shape == (3, 32) and lesson.domains.shape == (3, 2)
    cut = lessons(teacher, [sample] * 40, ACRONYMS, tmp_path / "more", share=1, seed=1)
    assert {one.text for one in cut} == {text, "The HR and the AI of a CTX (CT)."}


def test_an_interrupted_teacher_goes_on(teacher: AcroBERT, tmp_path: Path) -> None:
    first = lessons(teacher, tiny_samples(), ACRONYMS, tmp_path, share=0.5, seed=1)
    assert 5 < len(first) < 45
    another = AcroBERT(AcroNetwork(CONFIG, 2), tiny_pieces(), teacher.settings)
    again = lessons(another, tiny_samples(), ACRONYMS, tmp_path, share=0.5, seed=1)
    assert all((a.vectors == b.vectors).all() for a, b in zip(first, again, strict=True))
    next(tmp_path.glob("*.safetensors")).write_bytes(b"no tensors")
    with pytest.raises(FormatError, match="Delete it"):
        lessons(teacher, tiny_samples(), ACRONYMS, tmp_path, share=0.5, seed=1)


def test_too_few_texts_are_told(teacher: AcroBERT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Raise objective\.share"):
        run(settings(teacher, tmp_path, **{"objective.held_out": 600}), tmp_path / "run")
