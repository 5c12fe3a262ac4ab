import json
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.errors import FormatError
from spacy_gladis.research.datasets.sciai import find_sets, read_sdu22
from spacy_gladis.research.extraction.run import evaluate_sdu22, tables
from spacy_gladis.research.extraction.systems import make_systems
from spacy_gladis.research.leakage.predictions import score_predictions

TEXT = "El producto interior bruto (PIB) crece."
ITEM = {"text": TEXT, "acronyms": [[28, 31]], "long-forms": [[3, 26]], "ID": "1"}


def write(folder: Path, items: object) -> Path:
    path = folder / "dev.json"
    path.write_text(json.dumps(items), encoding="utf8")
    return path


def test_reads_offsets(tmp_path: Path) -> None:
    found = read_sdu22(write(tmp_path, [ITEM, {**ITEM, "acronyms": [[29, 31]]}]))
    first = found.paragraphs[0]
    assert [TEXT[slice(*span)] for span in first.short | first.long] == [
        TEXT[slice(*span)] for span in {(28, 31), (3, 26)}
    ]
    assert found.inside_words == 1


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"ID": 7}, r"item 0 \(7\): text: Field required"),
        ({"text": "a"}, "acronyms: Field required"),
        ({**ITEM, "long-forms": [[1]]}, r"long-forms\.0\.1: Field required"),
        ({**ITEM, "acronyms": [[5, 99]]}, "leaves the text's 39"),
        ({**ITEM, "acronyms": [[5, 5]]}, "leaves the text's 39"),
    ],
)
def test_names_what_is_wrong_with_a_file(tmp_path: Path, item: object, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_sdu22(write(tmp_path, [item]))


def test_kept_answers_are_what_an_audit_reads(tmp_path: Path) -> None:
    path = write(tmp_path, [ITEM, {**ITEM, "ID": "2", "acronyms": [[0, 2]]}])
    evaluate_sdu22(find_sets(path), make_systems(["rules"]), predictions=tmp_path / "kept")
    score = score_predictions(path, tmp_path / "kept/dev-rules.jsonl")
    assert score(np.array([0]))["macro_f1"] == 1.0
    assert score(np.array([0, 1]))["short_recall"] == 0.5
    (tmp_path / "bad.jsonl").write_text('{"acronyms": 1}\n' * 2, encoding="utf8")
    with pytest.raises(FormatError, match=r"bad.jsonl holds no predictions for .*dev.json"):
        score_predictions(path, tmp_path / "bad.jsonl")


def test_evaluates(tmp_path: Path) -> None:
    results = evaluate_sdu22(find_sets(write(tmp_path, [ITEM])), make_systems(["rules"]))
    found = results["sets"]["dev"]
    assert found["systems"]["rules"]["macro"]["f1"] == 1.0
    assert found["problems"] == {"ends of spans inside a word": 0}
    assert len(list(tables(results))) == 1
