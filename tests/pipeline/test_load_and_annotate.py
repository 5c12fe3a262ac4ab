"""The whole pipeline in one call, and texts through it."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from spacy_gladis.documents.source import Source
from spacy_gladis.errors import FormatError, GladisError, InputError
from spacy_gladis.pipeline.annotate import annotate_sources
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.problem import ProblemLog
from tests.support.growth import assert_linear


def test_a_document_that_fails_is_left_out_and_reported(nlp, caplog):
    @Language.component("fails_on_bad")
    def fail(doc: Doc) -> Doc:
        return doc if "bad" not in doc.text else 1 / 0  # type: ignore[return-value]

    nlp.add_pipe("fails_on_bad", first=True)
    sources = [Source(f"{i}", "bad" if i == 1 else "an AI") for i in range(3)]
    problems = ProblemLog()
    done = list(annotate_sources(nlp, sources, problems))
    assert [source.name for source, _ in done] == ["0", "2"]
    assert problems.examples["failed document"][0].path == "1"
    assert "ZeroDivisionError" in caplog.text


def test_load_pipeline_takes_weights_or_a_saved_pipeline(
    nlp, tiny_weights, tiny_dictionary, tmp_path
):
    nlp.to_disk(tmp_path / "saved")
    fresh = load_pipeline(str(tiny_weights), dictionary=tiny_dictionary, threshold=0.0, top_k=2)
    saved = load_pipeline(tmp_path / "saved", threshold=0.0, top_k=2)
    first, other = (
        nlp("the AI for potassium")._.acronyms[0]._.resolution for nlp in (fresh, saved)
    )
    assert first == other and len(first.candidates) == 2


@pytest.mark.parametrize("unit", ["(", ")", "-", "_", "'s", "!" * 199 + "a"])
def test_a_document_of_marks_takes_linear_time(unit, tiny_weights, tiny_dictionary):
    nlp = load_pipeline(tiny_weights, dictionary=tiny_dictionary)

    def annotate(size: int) -> None:
        doc = nlp(f"a{unit * (size // len(unit))} AI model")
        assert [span.text for span in doc._.acronyms][-1] == "AI"

    assert_linear(annotate, 5_000)


def test_load_pipeline_names_what_it_cannot_use(tiny_weights, tiny_dictionary, tmp_path):
    with pytest.raises(InputError, match="missing"):
        load_pipeline(str(tmp_path / "missing"), dictionary=tiny_dictionary)
    with pytest.raises(InputError, match="missing"):
        load_pipeline(str(tiny_weights), dictionary=tmp_path / "missing.sqlite")
    with pytest.raises(InputError, match="language"):
        load_pipeline(str(tiny_weights), dictionary=tiny_dictionary, language="klingon")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="blank has no acrobert_linker"):
        load_pipeline(tmp_path / "blank")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "meta.json").write_text("{")
    with pytest.raises(FormatError, match="broken"):
        load_pipeline(tmp_path / "broken")


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"{" * 99])
def test_damaged_weights_of_a_saved_pipeline_are_told_in_a_line(nlp, tmp_path, damage):
    nlp("the AI for potassium")
    nlp.to_disk(tmp_path / "saved")
    model = tmp_path / "saved" / "acrobert_linker" / "model"
    names = {path.name for path in model.iterdir()}
    assert {"config.json", "acrobert.json", "model.safetensors", "tokenizer.json"} <= names
    for path in map(model.joinpath, names):
        whole = path.read_bytes()
        path.write_bytes(damage(whole))
        with pytest.raises(GladisError) as failure:
            load_pipeline(tmp_path / "saved")
        assert str(path) in str(failure.value) and "\n" not in str(failure.value)
        path.write_bytes(whole)
    (model / "model.safetensors").unlink()
    with pytest.raises(FormatError, match=r"acrobert_linker/model/model\.safetensors"):
        load_pipeline(tmp_path / "saved")
