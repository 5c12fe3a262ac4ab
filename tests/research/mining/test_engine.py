import errno
import os
import subprocess
import sys
from concurrent.futures import BrokenExecutor

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.mining.engine import (
    Outcome,
    Task,
    TaskError,
    Workspace,
    executor,
    run_stage,
)


def outcome(key="k", **outputs):
    return Outcome(key=key, outputs=outputs, statistics={}, problems={"counts": {}, "examples": []})


class Work:
    """Tasks that write their name and count their calls."""

    def __init__(self, root):
        self.root = root
        self.calls = []
        self.fail = {}

    def __call__(self, name, key):
        self.calls.append(name)
        if name in self.fail:
            raise self.fail[name]
        (self.root / name).write_text(name * 10, encoding="utf-8")
        return outcome(key, **{name: len(name) * 10})

    def tasks(self, key="k"):
        names = ["a", "bb", "ccc"]
        return [Task("work", name, key, len(name), self, (name, key)) for name in names]


@pytest.fixture
def workspace(tmp_path):
    space = Workspace(tmp_path / "out")
    with space.held():
        yield space


def test_a_broken_marker_is_no_marker(workspace, pool):
    work = Work(workspace.root)
    run_stage(workspace, work.tasks(), pool)
    (workspace.root / "done/work/a.json").write_text('{"key"', encoding="utf-8")
    work.calls.clear()
    run_stage(workspace, work.tasks(), pool)
    assert work.calls == ["a"]


def test_a_failure_does_not_stop_the_others(workspace, pool):
    work = Work(workspace.root)
    work.fail["ccc"] = RuntimeError("a strange text")
    with pytest.raises(TaskError, match="work ccc: RuntimeError: a strange text") as caught:
        run_stage(workspace, work.tasks(), pool)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert work.calls == ["ccc", "bb", "a"]
    work.fail.clear()
    work.calls.clear()
    run_stage(workspace, work.tasks(), pool)
    assert work.calls == ["ccc"]


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk is full"),
        (BrokenExecutor("a process died"), "Set fewer --workers"),
    ],
)
def test_what_would_fail_all_stops_at_once(workspace, pool, error, advice):
    work = Work(workspace.root)
    work.fail["ccc"] = error
    with pytest.raises(TaskError, match=advice) as caught:
        run_stage(workspace, work.tasks(), pool)
    assert "finished work is kept" in str(caught.value)
    assert len(work.calls) < 3 or work.calls[0] == "ccc"


def test_a_dead_worker_is_told():
    with executor(1) as processes, pytest.raises(BrokenExecutor):
        processes.submit(os.abort).result()


def test_two_runs_refuse_each_other(workspace):
    with pytest.raises(InputError, match=r"Another run .* uses"), workspace.held():
        pass
    code = (
        "import sys; from spacy_gladis.research.mining.engine import Workspace\n"
        "from spacy_gladis.errors import InputError\n"
        "try:\n    Workspace(sys.argv[1]).held().__enter__()\n"
        "except InputError as error:\n    print(error)"
    )
    run = [sys.executable, "-c", code, str(workspace.root)]
    assert "(process " in subprocess.run(run, capture_output=True, text=True, check=True).stdout


def test_a_dead_run_holds_nothing(tmp_path):
    code = (
        "import os, sys, signal\n"
        "from spacy_gladis.research.mining.engine import Workspace\n"
        "Workspace(sys.argv[1]).held().__enter__()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    dead = subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")], check=False)
    assert dead.returncode == -9
    (tmp_path / "out" / "deep" / ".spill-x").mkdir(parents=True)
    (tmp_path / "out" / ".spill-x").mkdir()
    (tmp_path / "out" / ".spill-x" / "file").touch()
    (tmp_path / "out" / "deep" / ".a.parquet.123.tmp").touch()
    with Workspace(tmp_path / "out").held():
        assert not list((tmp_path / "out").rglob("*.tmp"))
        assert not (tmp_path / "out" / ".spill-x").exists()


def test_a_folder_that_is_no_workspace(tmp_path):
    with pytest.raises(InputError, match=r"no manifest\.json"):
        Workspace(tmp_path).manifest()
