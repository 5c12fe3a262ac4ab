import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli import corpus
from spacy_gladis.research.datasets.sample import read_samples
from spacy_gladis.research.mining.extract import extract_document
from spacy_gladis.research.mining.mine import mine
from spacy_gladis.research.mining.readers import read_documents
from spacy_gladis.research.mining.stages import MiningSettings
from spacy_gladis.research.mining.statistics import read_workspace_counts
from spacy_gladis.text import merge_key
from tests.support.corpora import TOPICS, document, records, write_lines

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

SETTINGS = MiningSettings(buckets=4, piece_size=8000)


def content(root: Path) -> dict[str, str]:
    """Every file of a result with its hash, markers and lock apart."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in (".lock", ".holder")
    }


@pytest.fixture
def mined(tmp_path, shards, pool):
    return mine([shards], tmp_path / "out", pool, SETTINGS)


def test_what_is_mined_is_what_the_documents_hold(mined, shards):
    wanted: Counter[tuple[str, ...]] = Counter()
    samples = []
    for shard in sorted(shards.iterdir()):
        for page in read_documents(shard):
            definitions, made = extract_document(page)
            samples += made
            for definition in definitions:
                wanted[definition[:3]] += 1
    counts = list(read_workspace_counts(mined))
    assert {count[:3]: count.frequency for count in counts} == wanted
    assert all(count.merge_key == merge_key(count.long_form) for count in counts)
    assert sorted(read_samples(mined.root)) == sorted(samples)
    assert len(wanted) == len(TOPICS) * 3


def test_the_report_counts_by_domain(mined):
    report = json.loads((mined.root / "report.json").read_text(encoding="utf-8"))
    texts = [document(number) for number in range(90) if number % 3 == 0]
    papers = report["domains"]["Papers"]
    assert papers["documents"] == papers["definitions"] == len(texts) == 30
    assert papers["characters"] == sum(map(len, texts))
    assert report["problems"] == {"counts": {}, "examples": []}


def test_large_shards_are_split_and_the_pieces_go(mined):
    markers = {path.stem for path in (mined.root / "done/extract").iterdir()}
    assert {"c-00000", "c-00001"} <= markers
    assert "c" not in markers
    assert not (mined.root / "pieces").exists()


def test_the_split_changes_no_row(tmp_path, shards, pool, mined):
    whole = mine([shards], tmp_path / "whole", pool, SETTINGS._replace(piece_size=10**9))
    assert (whole.root / "definitions/a.parquet").exists()
    assert list(read_workspace_counts(whole)) == list(read_workspace_counts(mined))
    assert sorted(read_samples(whole.root)) == sorted(read_samples(mined.root))


@pytest.mark.parametrize("seconds", [0, 4_000_000_000])
def test_a_clock_that_jumps_changes_nothing(mined, shards, pool, seconds):
    """Work is finished by what it is made of; files of 1970 or 2096 are as good as any."""
    for path in mined.root.rglob("*"):
        os.utime(path, (seconds, seconds))
    mine([shards], mined.root, pool, SETTINGS)
    markers = list((mined.root / "done").rglob("*.json"))
    assert markers and all(path.stat().st_mtime == seconds for path in markers)


@pytest.mark.parametrize("folder", ["definitions", "samples", "counts"])
def test_a_file_deleted_behind_our_back_is_made_again(mined, shards, pool, folder, capsys):
    before = content(mined.root)
    victim = sorted((mined.root / folder).iterdir())[1]
    victim.unlink()
    mine([shards], mined.root, pool, SETTINGS)
    assert content(mined.root) == before
    assert f"Missing files: {folder}/{victim.name}" in capsys.readouterr().err


def test_lost_counts_stop_the_readers(mined):
    (mined.root / "counts/002.parquet").unlink()
    with pytest.raises(InputError, match=r"002\.parquet is missing"):
        list(read_workspace_counts(mined))


def test_shards_can_be_added(tmp_path, shards, pool, mined):
    write_lines(shards / "d.jsonl.gz", records(25, 90))
    mine([shards], mined.root, pool, SETTINGS)
    fresh = mine([shards], tmp_path / "fresh", pool, SETTINGS)
    assert list(read_workspace_counts(mined)) == list(read_workspace_counts(fresh))
    report = json.loads((mined.root / "report.json").read_text(encoding="utf-8"))
    assert sum(domain["documents"] for domain in report["domains"].values()) == 115


def test_bad_records_are_counted_with_file_and_line(tmp_path, pool):
    lines = [*records(30), b"broken", {"text": 3}, *records(30, 30)]
    shard = write_lines(tmp_path / "bad.jsonl", lines)
    cut = write_lines(tmp_path / "cut.jsonl.gz", records(300))
    cut.write_bytes(cut.read_bytes()[:-2000])
    workspace = mine([shard, cut], tmp_path / "out", pool, SETTINGS)
    problems = json.loads((workspace.root / "report.json").read_text(encoding="utf-8"))["problems"]
    assert problems["counts"] == {"damaged file": 1, "invalid JSON": 1, "no text": 1}
    places = [example.rsplit(": ", 2)[0] for example in problems["examples"]]
    assert any(place.startswith(f"{shard}:31: invalid JSON") for place in problems["examples"])
    assert any(place.startswith(f"{shard}:32: no text") for place in problems["examples"])
    assert any(place.startswith(f"{cut}:") for place in places)


def test_nothing_starts_with_bad_input(tmp_path, shards, pool):
    with pytest.raises(InputError, match="does not exist"):
        mine([shards, tmp_path / "nowhere"], tmp_path / "out", pool, SETTINGS)
    with pytest.raises(InputError, match="No corpus"):
        mine([], tmp_path / "out", pool, SETTINGS)
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(shards / "c.jsonl", other / "c.jsonl")
    with pytest.raises(InputError, match="same name"):
        mine([shards, other], tmp_path / "out", pool, SETTINGS)
    assert not (tmp_path / "out").exists()


def test_other_rules_are_refused_in_a_begun_folder(mined, shards, pool):
    settings = SETTINGS._replace(rules="find_definitions")
    with pytest.raises(InputError, match="rules 'schwartz_hearst', now 'find_definitions'"):
        mine([shards], mined.root, pool, settings)


@pytest.mark.parametrize(
    ("option", "value"),
    [("buckets", "0"), ("workers", "0")],
)
def test_settings_that_cannot_be(tmp_path, shards, option, value):
    given = ["extract", str(shards), "--output", str(tmp_path / "out"), f"--{option}", value]
    result = CliRunner().invoke(corpus.app, given)
    assert result.exit_code == 2 and f"--{option}" in result.output
    assert not (tmp_path / "out").exists()


def command(output: Path, corpus: Path, *more: str) -> list[str]:
    code = "from spacy_gladis.cli import main; main()"
    options = ["--buckets", "4", "--piece-size", "10kB", "--output", str(output), *more]
    return [sys.executable, "-c", code, "corpus", "extract", str(corpus), *options]


@pytest.mark.slow
def test_killed_at_any_moment_the_result_is_the_same(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number in range(3):
        write_lines(corpus / f"{number}.jsonl", records(200, 200 * number))
    subprocess.run(command(tmp_path / "whole", corpus, "--workers", "2"), check=True)
    markers = len(list((tmp_path / "whole/done").rglob("*.json")))
    assert markers > 100

    output = tmp_path / "killed"
    generator = random.Random(0)
    killed = 0
    for kill in range(8):
        run = subprocess.Popen(command(output, corpus, "--workers", "2"), start_new_session=True)
        # Each time when a little more is finished, in the midst of whatever comes next.
        while len(list((output / "done").rglob("*.json"))) < kill * markers // 8:
            if run.poll() is not None:  # a busy machine looks too late
                break
            time.sleep(0.001)
        time.sleep(generator.uniform(0, 0.02))
        # The parent alone: its workers must notice, and not hold up or spoil the next run.
        run.kill()
        killed += run.wait() == -signal.SIGKILL
    assert killed >= 4
    subprocess.run(command(output, corpus, "--workers", "2"), check=True)
    assert content(output) == content(tmp_path / "whole")
    for _ in range(100):
        groups = subprocess.run(["ps", "-eo", "pgid"], capture_output=True, text=True, check=True)
        if str(run.pid) not in groups.stdout.split():
            return
        time.sleep(0.2)
    raise AssertionError("workers of a killed run are still there")
