"""The language server in Neovim, which runs without a screen."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is missing: pip install 'spacy-gladis[lsp]'")
pytest.importorskip("pylatexenc", reason="pylatexenc is missing: pip install 'spacy-gladis[lsp]'")

NEOVIM = shutil.which("nvim")
SCRIPT = Path(__file__).with_name("neovim.lua")
COMMAND = [sys.executable, "-m", "spacy_gladis", "lsp"]
BODY = """😀 The MRI of the patient showed no lesion.

The World Health Organization (WHO) met. The World Health Organization voted.

A QBR followed.
"""
TEXTS = {
    "a.md": f"# Report\n\n{BODY}",
    "a.rst": f"Report\n======\n\n{BODY}",
    "a.tex": f"\\documentclass{{article}}\n\\begin{{document}}\n{BODY}\\end{{document}}\n",
    "a.adoc": f"= Report\n\n{BODY}",
    "a.txt": BODY,
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NEOVIM is None, reason="Neovim is missing: apt-get install neovim"),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What Neovim got of the server for each document."""
    folder = tmp_path_factory.mktemp("project")
    settings = 'select = ["AC001", "AC006"]\nextend-known = ["MRI"]\nglossary = "house.csv"\n'
    (folder / ".spacy-gladis.toml").write_text(settings, "utf8")
    (folder / "house.csv").write_text("acronym,long_form\nXQZ,unused\n", "utf8")
    (folder / "plan.md").write_text("The quarterly business review (QBR) is long.\n", "utf8")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf8")
    request, written = folder / "request.json", folder / "answers.json"
    content = {"command": COMMAND, "folder": str(folder), "names": list(TEXTS)}
    request.write_text(json.dumps(content), "utf8")
    done = subprocess.run(
        [str(NEOVIM), "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SCRIPT}"],
        env={**os.environ, "REQUEST": str(request), "ANSWERS": str(written), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert written.exists(), done.stderr
    return json.loads(written.read_text("utf8"))


@pytest.mark.parametrize("name", TEXTS)
def test_neovim_shows_findings_and_explanations(answers, name):
    answer = answers[name]
    assert answer["attached"]
    assert answer["findings"] == [["AC006", "World Health Organization"], ["AC001", "QBR"]]
    assert answer["hover"].startswith("**MRI**: magnetic resonance imaging")
    assert answer["symbols"] == ["MRI", "WHO", "QBR"]


@pytest.mark.parametrize("name", TEXTS)
def test_neovim_applies_actions_and_completes(answers, name):
    answer, text = answers[name], TEXTS[name]
    short = text.replace("The World Health Organization voted", "The WHO voted")
    assert answer["short"] == short and answer["refreshed"]
    expanded = short.replace("A QBR", "A quarterly business review (QBR)")
    assert answer["expanded"] == expanded
    assert answer["completions"] == ["World Health Organization"]


def test_the_server_stops_with_neovim(answers):
    assert answers["stopped"] is True
