"""The documentation's site is built without a network, and without a broken link."""

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from spacy_gladis.lint.registry import BUILT_IN
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(
    not (find_spec("mkdocs") and find_spec("mkdocstrings")), reason="needs the extra docs"
)
LOADED = re.compile(r'(?:src="|<link[^>]* href=")(https?://[^"]*)|@import|url\(["\']?(http[^)]*)')


def test_the_site_is_built_and_loads_nothing_from_elsewhere(tmp_path):
    build = ["-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path]
    done = subprocess.run(
        [sys.executable, *build], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    pages = {
        str(page.relative_to(tmp_path)): page.read_text("utf8") for page in tmp_path.rglob("*.html")
    }
    assert not [match for text in pages.values() for match in LOADED.findall(text)]
    assert "spacy-gladis dictionary lookup" in pages["reference/command_line.html"]
    assert "load_pipeline" in pages["reference/api.html"]
    assert all(rule.name in pages["reference/lint_rules.html"] for rule in BUILT_IN)
    settings = pages["reference/settings.html"]
    assert all(name in settings for name in ("acronyms_per_prompt", "fail_undefined", "scope"))
    assert not [name for name, text in pages.items() if re.search(r"\{\{ [\w ]+ \}\}", text)]
