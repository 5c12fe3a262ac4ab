"""Textbook mistakes, and the same texts without them, in every format that is text itself."""

import json

import pytest

from spacy_gladis.documents.formats import TEXT_FORMATS, read_text
from spacy_gladis.lint.fix import fix
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings

PAGES = {
    "text": "Before.\n\n{}\n\nAfter.\n",
    "markdown": "# Title\n\n*Before* `QBZ`.\n\n{}\n\nAfter.\n",
    "html": "<h1>Title</h1><p><i>Before</i> &amp; <code>QBZ</code></p><p>{}</p><p>After.</p>",
    "restructuredtext": "Title\n=====\n\n*Before* ``QBZ``.\n\n{}\n\nAfter.\n",
    "latex": "\\section{{Title}}\n\\emph{{Before}} \\& \\verb|QBZ|.\n\n{}\n\nAfter.\n",
    "asciidoc": "= Title\n\n_Before_ `QBZ`.\n\n{}\n\nAfter.\n",
}
MISTAKES = [
    ("AC001", "The QBR is on Monday.", "The quarterly review is on Monday."),
    ("AC001", "A DPO reads the quarterly business review (QBR).",
     "An officer reads the quarterly business review (QBR)."),
    ("AC002", "The WHO met. The World Health Organization (WHO) has offices.",
     "The World Health Organization (WHO) met. The WHO has offices."),
    ("AC002", "We measured NDVI. The normalized difference vegetation index (NDVI) is a ratio.",
     "The normalized difference vegetation index (NDVI) is a ratio. We measured NDVI."),
    ("AC003", "A virtual machine (VM) starts. Each virtual machine (VM) has a disk.",
     "A virtual machine (VM) starts. Each VM has a disk."),
    ("AC004", "Artificial intelligence (AI) helps. The adequate intake (AI) is low.",
     "Artificial intelligence (AI) helps. The adequate intake is low."),
    ("AC009", "It is a HTML page.", "It is an HTML page."),
    ("AC010", "Insert your card at the ATM machine.", "Insert your card at the ATM."),
    ("AC010", "Type the PIN number.", "Type the PIN."),
    ("AC013", "The Internet of Things (IoT) grows. The IOT is large.",
     "The Internet of Things (IoT) grows. The IoT is large."),
]  # fmt: skip
FIXED = ("AC003", "AC009", "AC010", "AC013")
EDITED = ("text", "markdown", "html", "restructuredtext", "latex")


def page(format, words):
    if format == "notebook":
        cell = {"cell_type": "markdown", "metadata": {}, "source": [words]}
        return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    return PAGES[format].format(words)


def source(format, words):
    return read_text(page(format, words), format).at(name="x", path="x")


@pytest.mark.parametrize("format", TEXT_FORMATS)
@pytest.mark.parametrize(("code", "wrong", "right"), MISTAKES)
def test_a_mistake_is_reported_and_its_absence_is_not(code, wrong, right, format):
    assert [one.code for one in lint([source(format, wrong)], Settings())] == [code]
    assert lint([source(format, right)], Settings()) == []


@pytest.mark.parametrize("format", TEXT_FORMATS)
@pytest.mark.parametrize(("code", "wrong", "right"), MISTAKES)
def test_what_is_put_right_is_that_alone_and_once(code, wrong, right, format):
    once = fix(source(format, wrong), Settings())
    expected = right if code in FIXED and format in EDITED else wrong
    assert once.source == page(format, expected)
    assert fix(once, Settings()).source == once.source
