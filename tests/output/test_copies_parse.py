"""Expanded copies and fixed files still parse in other programs and differ only in the changes."""

import io
import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.lint.fix import fix
from spacy_gladis.lint.settings import Settings
from spacy_gladis.output.expansion import TOOLTIPS, Expand, expand_file, expand_source
from spacy_gladis.problem import ProblemLog
from tests.support.generated import MEANINGS, SLIPS, document, docx_document

EACH = int(os.environ.get("GLADIS_COPIES", "12"))
"""Files of a format in each mode."""
FIRST = int(os.environ.get("GLADIS_COPIES_FROM", "0"))
"""The seed of the first file."""
PANDOC = {
    **{"markdown": "commonmark_x", "restructuredtext": "rst", "latex": "latex", "html": "html"},
    "asciidoc": "docbook",
}
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


def run(*command: str, text: str) -> bytes:
    """Run another program on a text.

    Returns:
        What the program writes.

    Raises:
        subprocess.CalledProcessError: If the program fails.
    """
    return subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout


def parsed(text: str, format: str) -> list[Any]:
    if format == "text":
        return re.findall(r"\w+|[^\w\s]|\n", text)
    if format == "asciidoc":
        # DocBook keeps the structure. Names of sections are made of their words.
        text = run("asciidoctor", "-b", "docbook5", "-o", "-", "-", text=text).decode()
        text = re.sub(r' xml:id="_[^"]*"', "", text)
    read = json.loads(run("pandoc", "--from", PANDOC[format], "--to", "json", text=text))
    return [*flat(read["blocks"]), *flat(read["meta"])]


def warnings(text: str) -> list[str]:
    """What docutils has to say against a text."""
    core = pytest.importorskip("docutils.core")
    messages = io.StringIO()
    options = {"warning_stream": messages, "report_level": 2, "halt_level": 5}
    core.publish_doctree(text, settings_overrides=options)
    return re.findall(r"\((?:WARNING|ERROR|SEVERE)/\d\) (.*)", messages.getvalue())


def errors_of_latex(text: str, folder: Path) -> list[str]:
    """Return the errors of pdflatex in draft mode, without the lines' numbers."""
    path = folder / "x.tex"
    path.write_text(text, encoding="utf-8")
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", path.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return re.findall(r"(?m)^! .*$", done.stdout.decode("utf-8", "replace"))


def kept(tokens: list[Any], which: Expand | None) -> list[Any]:
    """What must be in a file before and after."""
    may_change = MAY_CHANGE[which]
    return [
        token for token in tokens if not isinstance(token, str) or token.lower() not in may_change
    ]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
@pytest.mark.parametrize("which", [None, *Expand])
@pytest.mark.parametrize("format", ["text", *PANDOC])
def test_only_words_change(resolve, tmp_path, format, which):
    pytest.importorskip("pylatexenc")
    if format == "asciidoc" and not shutil.which("asciidoctor"):
        pytest.skip("asciidoctor is not installed")
    if which is Expand.tooltip and format not in TOOLTIPS:
        pytest.skip("no tooltips")
    changed = 0
    for seed in range(FIRST, FIRST + EACH):
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
        if format == "latex" and shutil.which("pdflatex"):
            assert errors_of_latex(after, tmp_path) == errors_of_latex(text, tmp_path)
    assert changed > 0


@pytest.mark.slow
@pytest.mark.parametrize("which", [Expand.first, Expand.all])
def test_only_words_of_docx_change(resolve, tmp_path, which):
    docx = pytest.importorskip("docx")
    qn = docx.oxml.ns.qn
    path, copy = tmp_path / "x.docx", tmp_path / "y.docx"
    for seed in range(FIRST, FIRST + EACH):
        docx_document(random.Random(seed)).save(str(path))
        (source,) = read_file(path, ProblemLog())
        copy.write_bytes(expand_file(source, resolve(source.text, **MEANINGS), which))
        before, after = (docx.Document(str(file)).element for file in (path, copy))
        words = []
        for element in (before, after):
            paragraphs = (paragraph.iter(qn("w:t")) for paragraph in element.iter(qn("w:p")))
            written = " ".join("".join(text.text or "" for text in texts) for texts in paragraphs)
            words.append(kept(re.findall(r"\w+|[^\w\s]", written), which))
            for text in element.iter(qn("w:t")):
                text.text = ""
                text.attrib.clear()
        assert words[0] == words[1] and before.xml == after.xml
