"""The command `train vectors`."""

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.linking import AcroBERT


def test_the_likeliest_long_forms_have_stored_vectors(
    tmp_path: Path, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    arguments = ["--model", str(tiny_weights), "--dictionary", str(tiny_dictionary)]
    output = tmp_path / "model"
    arguments += ["--long-forms", "3", "-o", str(output)]
    result = CliRunner().invoke(app, ["train", "vectors", *arguments])
    assert result.exit_code == 0, result.output
    assert "stored the vectors of 3 long forms" in " ".join(result.output.split())
    model, start = AcroBERT.load(output), AcroBERT.load(tiny_weights)
    names = Dictionary.open(tiny_dictionary).long_forms
    stored = [name for name in names if model.stored.find_rows([name])[0] >= 0]
    assert len(stored) == 3
    vectors = model.sense_vectors(stored, [""] * 3)
    exact = start.encode_long_forms(stored)
    assert np.allclose((vectors * exact).sum(axis=1), 1, atol=0.05)
