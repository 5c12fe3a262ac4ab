"""Real processes."""

import os
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from spacy_gladis.research.mining.engine import executor
from spacy_gladis.research.mining.mine import MiningSettings, mine
from spacy_gladis.research.mining.stages import ExtractionSettings
from tests.support.corpora import records, write_lines

pytestmark = pytest.mark.slow
SETTINGS = MiningSettings(ExtractionSettings(buckets=8), piece_size=30_000)


def corpus_of(folder: Path, shards: int) -> Path:
    folder.mkdir()
    for number in range(shards):
        write_lines(folder / f"{number:02}.jsonl.zst", records(300, 300 * number))
    return folder


def content(root: Path) -> dict[str, bytes]:
    names = ("definitions", "samples", "counts", "report.json")
    paths = [path for name in names for path in sorted((root / name).rglob("*")) or [root / name]]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


def test_processes_give_what_a_thread_gives(tmp_path, pool):
    corpus = corpus_of(tmp_path / "corpus", 3)
    mine([corpus], tmp_path / "thread", pool, SETTINGS)
    with executor(2) as processes:
        mine([corpus], tmp_path / "processes", processes, SETTINGS)
    assert content(tmp_path / "processes") == content(tmp_path / "thread")


def test_a_dead_worker_is_told():
    with executor(1) as processes, pytest.raises(BrokenProcessPool):
        processes.submit(os.abort).result()
