"""Copies with long forms, and files put right, read by other programs: they parse as before, and
differ in the words alone that were to be changed."""

import io
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.lint.fix import fix
from spacy_gladis.lint.settings import Settings
from spacy_gladis.output.expansion import TOOLTIPS, Expand, expand_file, expand_source
from spacy_gladis.problem import ProblemLog
from tests.support.generated import MEANINGS, SLIPS, document, docx_document

EACH = 12  # files of a format
PANDOC = {"markdown": "commonmark_x", "restructuredtext": "rst", "latex": "latex", "html": "html"}
"""Pandoc's names of formats."""
_LONG = f"{' '.join([*MEANINGS, *MEANINGS.values()])} NNs networks a an ( )"
MAY_CHANGE: dict[Expand | None, set[str]] = {
    None: set(f"{' '.join(SLIPS)} an ( ) VM .".lower().split()),
    **{which: set(_LONG.lower().split()) for which in Expand},
}
"""The words that may come or go, in small letters; by None, in fixes."""


def flat(node: Any) -> Iterator[Any]:
    """The kinds and the words of what pandoc has parsed, without blanks and widths."""
    if isinstance(node, dict) and "t" in node:
        if node["t"] in ("Str", "RawBlock", "RawInline"):
            written = node["c"] if node["t"] == "Str" else node["c"][1]
            yield from re.findall(r"<[^<>]+>|\w+|[^\w\s]", written)
        elif node["t"] == "Header":
            yield from flat(node["c"][2])  # without its name, which is made of its words
        elif node["t"] not in ("Space", "SoftBreak", "ColWidth", "ColWidthDefault"):
            yield (node["t"],)
            yield from flat(node.get("c"))
            yield "end", node["t"]
    elif isinstance(node, dict):
        for value in node.values():
            yield from flat(value)
    elif isinstance(node, list):
        for value in node:
            yield from flat(value)
    elif node is not None:
        yield "value", node


def parsed(text: str, format: str) -> list[Any]:
    if format not in PANDOC:
        return re.findall(r"\w+|[^\w\s]|\n", text)
    done = subprocess.run(
        ["pandoc", "--from", PANDOC[format], "--to", "json"],
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    read = json.loads(done.stdout)
    return [*flat(read["blocks"]), *flat(read["meta"])]


def warnings(text: str) -> list[str]:
    """What docutils has to say against a text."""
    core = pytest.importorskip("docutils.core")
    told = io.StringIO()
    options = {"warning_stream": told, "report_level": 2, "halt_level": 5}
    core.publish_doctree(text, settings_overrides=options)
    return re.findall(r"\((?:WARNING|ERROR|SEVERE)/\d\) (.*)", told.getvalue())


def kept(tokens: list[Any], which: Expand | None) -> list[Any]:
    """What must be in a file before and after."""
    may_change = MAY_CHANGE[which]
    return [one for one in tokens if not isinstance(one, str) or one.lower() not in may_change]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
@pytest.mark.parametrize("which", [None, *Expand])
@pytest.mark.parametrize("format", ["text", *PANDOC])
def test_only_words_change(resolve, format, which):
    pytest.importorskip("pylatexenc")
    if which is Expand.tooltip and format not in TOOLTIPS:
        pytest.skip("no tooltips")
    changed = 0
    for seed in range(EACH):
        text = document(format, random.Random(seed))
        source = read_text(text, format).at(name="x", path="x")
        if which is None:
            after = fix(source, Settings(select=("ALL",))).after.source
        else:
            after = expand_source(source, resolve(source.text, **MEANINGS), which)
        changed += after != text
        if which is Expand.tooltip:
            after = re.sub(r"<abbr title=\"[^\"]*\">(\w+)</abbr>", r"\1", after)
            assert after == text
            continue
        assert kept(parsed(after, format), which) == kept(parsed(text, format), which)
        if format == "restructuredtext":
            assert warnings(after) == warnings(text)
    assert changed > 0


@pytest.mark.slow
@pytest.mark.parametrize("which", [Expand.first, Expand.all])
def test_only_words_of_docx_change(resolve, tmp_path, which):
    docx = pytest.importorskip("docx")
    qn = docx.oxml.ns.qn
    path, copy = tmp_path / "x.docx", tmp_path / "y.docx"
    for seed in range(EACH):
        docx_document(random.Random(seed)).save(str(path))
        (source,) = read_file(path, ProblemLog())
        copy.write_bytes(expand_file(source, resolve(source.text, **MEANINGS), which))
        before, after = (docx.Document(str(one)).element for one in (path, copy))
        words = []
        for element in (before, after):
            paragraphs = (one.iter(qn("w:t")) for one in element.iter(qn("w:p")))
            written = " ".join("".join(one.text or "" for one in texts) for texts in paragraphs)
            words.append(kept(re.findall(r"\w+|[^\w\s]", written), which))
            for text in element.iter(qn("w:t")):
                text.text = ""
                text.attrib.clear()
        assert words[0] == words[1] and before.xml == after.xml
