"""A real Dask cluster on this machine."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spacy_gladis.research.mining.mine import mine
from spacy_gladis.research.mining.stages import MiningSettings
from tests.support.corpora import records, write_lines

pytestmark = pytest.mark.slow
SETTINGS = MiningSettings(buckets=8, piece_size=30_000)


def corpus_of(folder: Path, shards: int) -> Path:
    folder.mkdir()
    for number in range(shards):
        write_lines(folder / f"{number:02}.jsonl.zst", records(300, 300 * number))
    return folder


def content(root: Path) -> dict[str, bytes]:
    names = ("definitions", "samples", "counts", "report.json")
    paths = [path for name in names for path in sorted((root / name).rglob("*")) or [root / name]]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_dask_cluster_gives_the_same_when_a_worker_is_killed(tmp_path, pool):
    pytest.importorskip("distributed")
    corpus = corpus_of(tmp_path / "corpus", 8)
    mine([corpus], tmp_path / "thread", pool, SETTINGS)
    dask = [sys.executable, "-m", "dask"] if shutil.which("dask") is None else ["dask"]
    address = f"tcp://127.0.0.1:{free_port()}"
    options = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = [*dask, "scheduler", "--port", address.rsplit(":", 1)[1], *options]
    worker = [*dask, "worker", address, "--nthreads", "1", "--no-nanny", *options]
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "10"}
    started: list[subprocess.Popen[bytes]] = []

    def start(command: list[str]) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"log{len(started)}").open("wb")
        started.append(
            subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path, env=environment)
        )
        return started[-1]

    try:
        start(scheduler)
        workers = [start(worker), start(worker)]
        code = "from spacy_gladis.cli import main; main()"
        output = tmp_path / "cluster"
        settings = ["--buckets", "8", "--piece-size", "30kB", "--output", str(output)]
        settings += ["--scheduler", address]
        run = subprocess.Popen(
            [sys.executable, "-c", code, "corpus", "extract", str(corpus), *settings]
        )
        done = output / "done/extract"
        while run.poll() is None and (not done.is_dir() or len(list(done.iterdir())) < 3):
            time.sleep(0.01)
        killed_at = len(list(done.iterdir()))
        workers[0].send_signal(signal.SIGKILL)
        assert run.wait(timeout=300) == 0
        assert 3 <= killed_at < len(list(done.iterdir()))
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert content(output) == content(tmp_path / "thread")
