"""The code of the page about search, with the real libraries."""

import re
from typing import Any

import pytest

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "how-to" / "search.md").read_text("utf8")
SNIPPETS = re.findall(r"^```py\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LIBRARIES = {
    "haystack": "haystack",
    "langchain_core": "langchain",
    "llama_index.core": "llama-index",
}


@pytest.mark.slow
@pytest.mark.parametrize(("library", "extra"), LIBRARIES.items())
def test_a_snippet_finds_both_spellings(library, extra):
    pytest.importorskip(library, reason=f"needs the extra '{extra}'")
    (snippet,) = (code for code in SNIPPETS if f"from {library}" in code)
    assert len([line for line in snippet.split("from spacy_gladis")[-1].splitlines() if line]) <= 10
    names: dict[str, Any] = {}
    exec(compile(snippet, "search.md", "exec"), names)
    assert names["collection"].expanded_query("CT") == "CT Computed tomography"
    assert len(names["found"]) >= 2
