"""`project.yml`: its commands hang together, its documentation is current, its cheap part runs."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from weasel.cli.run import project_run
from weasel.util import load_project_config

from tests.support.paths import ROOT

PROJECT = load_project_config(ROOT)
COMMANDS = {command["name"]: command for command in PROJECT["commands"]}
CHEAP = ("verify", "extract", "dictionary", "dataset-scientific", "audit", "evaluate-bioc")


def test_each_dependency_is_an_asset_a_file_of_the_repository_or_an_earlier_output():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not tracked:
        pytest.skip("no git checkout")
    assets = [asset["dest"] for asset in PROJECT["assets"]]
    paths = {
        str(path) for file in [*tracked, *assets] for path in (Path(file), *Path(file).parents)
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


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of what the cheap commands need."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("project.yml", "assets/sample"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, target)
    return folder


@pytest.mark.slow
def test_the_cheap_part_runs_once_and_is_then_skipped(project, monkeypatch, capfd):
    pytest.importorskip("duckdb")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in CHEAP:
        project_run(project, name)
        for output in COMMANDS[name]["outputs"]:
            assert (project / output).is_file(), f"{name} left no {output}"
    capfd.readouterr()
    for name in CHEAP:
        project_run(project, name)
    assert capfd.readouterr().out.count("Skipping") == len(CHEAP)

    result = json.loads((project / "build/sample/leakage.json").read_text("utf8"))
    assert result["dropped"] == 3  # the sentences that make.py lets leak
    assert result["kept"] > 200


@pytest.mark.slow
def test_a_command_that_cannot_write_its_output_fails_and_is_not_done(project, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    blocked = project / "build/blocked"
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("a file where a folder should be", "utf8")
    with pytest.raises(SystemExit) as stopped:
        project_run(project, "evaluate-bioc", overrides={"vars.out": "build/blocked"})
    assert stopped.value.code
