"""`train finetune` as it is typed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_gladis.research.cli.train import app
from spacy_gladis.research.training import finetune as module


@pytest.mark.parametrize(("after", "warned"), [(0.4, True), (0.6, False)])
def test_a_model_that_became_worse_is_told(
    after: float, warned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = {"before": {"macro_f1": 0.5}, "after": {"macro_f1": after}}
    monkeypatch.setattr(module, "finetune", lambda *_, **__: figures)
    given = [str(tmp_path), "--samples", "a.jsonl", "--dev", "b.jsonl", "-o", str(tmp_path)]
    done = CliRunner().invoke(app, ["finetune", *given])
    assert done.exit_code == 0, done.output
    assert ("better before" in done.stderr) is warned
