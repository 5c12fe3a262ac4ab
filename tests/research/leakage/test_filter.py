import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from typer.testing import CliRunner

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.cli.audit import app
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.leakage.filter import LeakageFilter, filter_file

BENCHMARK = [
    "Patients with chronic kidney disease received dialysis three times weekly in our clinic.",
    "The committee adopted the annual budget for road repairs.",
]
CONTEXT = (
    "Harbour pilots board every tanker before dawn. " + BENCHMARK[0] + " Fishing boats wait outside"
    " the breakwater until the channel is clear. Radio contact stays open during the manoeuvre."
)


def leaking(texts: list[str], benchmark: list[str]) -> list[bool]:
    leakage = LeakageFilter({"benchmark": benchmark})
    return [bool(row[0]) for row in leakage.leaks(texts)]


def test_equal_similar_and_clean_texts() -> None:
    texts = [
        "the COMMITTEE adopted  the annual budget for road repairs.",  # equal but for case, blanks
        "A committee adopted its annual budget for road and bridge repairs.",  # similar
        "The committee met on Tuesday.",  # clean
        "",  # nothing in it
    ]
    assert leaking(texts, BENCHMARK) == [True, True, False, False]


def test_a_benchmark_sentence_inside_a_wide_context_is_seen() -> None:
    assert leaking([CONTEXT], BENCHMARK) == [True]
    assert leaking([CONTEXT.replace(BENCHMARK[0], "")], BENCHMARK) == [False]


def test_counts_by_benchmark() -> None:
    leakage = LeakageFilter({"first": BENCHMARK, "second": [BENCHMARK[1], "Rain fell."]})
    mask = leakage.leaks([BENCHMARK[0], BENCHMARK[1], "Snow melted early."])
    np.testing.assert_array_equal(mask, [[True, False], [True, True], [False, False]])
    leakage.leaks(["Snow melted late."])
    assert leakage.counts == {"seen": 4, "kept": 2, "dropped": 2, "dropped_equal": 2}
    assert leakage.by_benchmark == {"first": 2, "second": 1}


def test_stop_words_alone_leak_only_when_equal() -> None:
    assert leaking(["It is what it is", "is it"], ["It is what it is"]) == [True, False]


@pytest.fixture
def benchmark_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "benchmarks"
    (folder / "set").mkdir(parents=True)
    record = {"index": 1, "short_term": "CKD", "long_term": "chronic kidney disease", "type": "t"}
    tokens = BENCHMARK[0].replace("chronic kidney disease", "__ABB__").split()
    (folder / "set" / "dev.json").write_text(json.dumps({**record, "tokens": tokens}))
    (folder / "README.txt").write_text("About the set.\n")
    return folder


def test_command_filters_json_lines(tmp_path: Path, benchmark_folder: Path) -> None:
    samples, output = tmp_path / "samples.jsonl", tmp_path / "kept.jsonl"
    lines = [
        json.dumps({"text": "Patients with CKD received dialysis three times weekly in a clinic."}),
        json.dumps({"text": "Road works end in May.", "acronym": "é"}, ensure_ascii=False),
        "no json",
        json.dumps({"texts": 1}),
    ]
    samples.write_text("\n".join(lines), encoding="utf-8")
    arguments = ["filter", str(samples), "--against", str(benchmark_folder)]
    report = tmp_path / "report.json"
    result = CliRunner().invoke(app, [*arguments, "--output", str(output), "--report", str(report)])
    assert result.exit_code == 0, result.output
    assert output.read_text(encoding="utf-8") == lines[1] + "\n"
    counts = json.loads(report.read_text())
    assert (counts["seen"], counts["kept"], counts["bad_records"]) == (2, 1, 2)
    assert counts["dropped_by_benchmark"] == {"set": 1}
    assert counts["files_that_are_no_data"] == ["README.txt"]


def test_bad_files_are_named(tmp_path: Path) -> None:
    samples = tmp_path / "samples.jsonl"
    leakage = LeakageFilter({"b": BENCHMARK})
    with pytest.raises(InputError, match="no text to filter against"):
        LeakageFilter({"b": ["", " "]})
    with pytest.raises(InputError, match="does not exist"):
        filter_file(samples, tmp_path / "out.jsonl", leakage)
    samples.write_text("{}\n")
    with pytest.raises(InputError, match="written as JSON Lines"):
        filter_file(samples, tmp_path / "out.parquet", leakage)
    with pytest.raises(FormatError, match="no sample"):
        filter_file(samples, tmp_path / "out.jsonl", leakage)
    assert not (tmp_path / "out.jsonl").exists()


def test_a_mined_folder_becomes_json_lines(tmp_path: Path) -> None:
    parquet, pyarrow = map(pytest.importorskip, ("pyarrow.parquet", "pyarrow"))
    texts = ["AI of potassium for adults", "AI is far from any benchmark item here"]
    rows = [Sample("AI", "adequate intake", text, 0, 2, "d")._asdict() for text in texts]
    (tmp_path / "samples").mkdir()
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "samples" / "0.parquet")
    counts = filter_file(tmp_path, tmp_path / "kept.jsonl", LeakageFilter({"b": texts[:1]}))
    (kept,) = (tmp_path / "kept.jsonl").read_text().splitlines()
    assert json.loads(kept)["text"] == texts[1] and counts["dropped"] == 1
