"""Edits that leave a well-formed sentence; where that is not sure, none."""

from typing import Any, cast

import pytest

from spacy_gladis.cli.lint import _fixed
from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.document import LintDocument
from spacy_gladis.lint.run import check
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline import learn
from tests.lint.test_fix import run

UAV = "The unmanned aerial vehicle (UAV) flies. The UAV lands. The UAV is up. The UAV is down. "
SLA = "A service level agreement (SLA) is long. The SLA is short. The SLA is new. The SLA is long. "
SAN = "A system access node (SAN) is long. The SAN is short. The SAN is new. The SAN is long. "

EDITED = [
    # a repeated word goes with the first use's edit, and its plural is the long form's
    ("text", "Two LCD displays are on.", "Two liquid-crystal displays (LCDs) are on."),
    ("text", "The ATM machine is out.", "The automated teller machine (ATM) is out."),
    ("markdown", "The café’s PIN number.", "The café’s personal identification number (PIN)."),
    ("text", "Some CEOs met.", "Some chief executive officers (CEOs) met."),
    ("text", "The ATM machine's screen.", "The ATM's screen."),
    # articles
    ("text", UAV + "An unmanned aerial vehicle is dear.", UAV + "A UAV is dear."),
    ("markdown", UAV + "An *unmanned aerial vehicle* flew.", UAV + "A *UAV* flew."),
    ("text", UAV + "An unmanned aerial vehicle (UAV) flew.", UAV + "A UAV flew."),
    (
        "text",
        SAN + "It is a SAN, signed as a system access node.",
        SAN + "It is a SAN, signed as a SAN.",
    ),
    ("latex", "So.\\footnote{An PIN.}", "So.\\footnote{A personal identification number (PIN).}"),
    ("html", "<p>An <b>PIN</b>.</p>", "<p>A <b>personal identification number (PIN)</b>.</p>"),
    ("text", "Vitamin A PIN.", "Vitamin A personal identification number (PIN)."),
    # capitals
    ("text", "The CRT is old.", "The cathode ray tube (CRT) is old."),
    ("text", 'So.\n\n"CRT is old," he said.', 'So.\n\n"Cathode ray tube (CRT) is old," he said.'),
    ("text", "It ended.  The WHO met.", "It ended.  The World Health Organization (WHO) met."),
    ("text", "1. The WHO met.", "1. The World Health Organization (WHO) met."),
    ("latex", "So\\index{WHO} the WHO.", "So\\index{WHO} the World Health Organization (WHO)."),
]


@pytest.mark.parametrize(("format", "before", "after"), EDITED)
def test_an_edit_is_made_whole(format, before, after, nlp):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    assert run(nlp, before, format)[0] == after
    assert run(nlp, after, format)[0] == after


FCU = "The flow control unit (FCU) limits. The flight control unit (FCU) is up. "

LEFT = [
    # names that links go by, and what controls show
    ("restructuredtext", "The WHO_ met.\n\n.. _WHO: who.html\n"),
    ("restructuredtext", "The WHO__ met.\n\n__ who.html\n"),
    ("restructuredtext", "See :ref:`the WHO page <x>`.\n"),
    ("restructuredtext", "See `the WHO`:term: page.\n"),
    ("markdown", 'See <a href="x">the WHO</a>.'),
    ("markdown", "Press <button>the <b>WHO</b></button>."),
    ("html", "<p>The <abbr>WHO</abbr> met.</p>"),
    ("html", "<p><label>The WHO</label></p>"),
    ("html", "<select><option>The WHO<option>a</select>"),
    ("latex", "So.\\index{The WHO}"),
    # what repeats a word
    ("text", "Go to the ATM\nmachine."),
    ("html", "<p>The ATM&nbsp;machine, the ATM<b> machine</b>.</p>"),
    ("latex", "Go to the ATM~machine."),
    ("text", "The PIN numbers pad."),
    # articles that are not sure
    ("text", SAN + "We want a system access node."),
    ("text", "A FAQ page."),
    # brackets, possessives, plurals, names
    ("text", "Present: A. Patel (CEO), B. Ruiz"),
    ("text", "It is (by the CEO) done."),
    ("text", "The WHO's rule stands."),
    ("text", "The WHO\u2019s rule stands."),
    ("text", "All CTGs are read."),
    ("text", "They met WHO GmbH, Bonn."),
    ("text", "They met WHO (Europe) GmbH, Bonn."),
    ("text", "They met the WHO, Inc. there."),
    ("text", "It is \u00a9 2020 WHO."),
    # what is no prose in plain text
    ("text", "Test      Result   Note\nWHO       12       high\n"),
    ("text", "WHO\t12\thigh\n"),
    ("text", "The WHO was clear\n=================\n\nText.\n"),
    ("text", "4. WHO\nNone.\n"),
    ("text", "THE WHO IS LARGE.\n"),
    ("text", "Subject: Re: the WHO met\n\nSo.\n"),
    ("text", "> The WHO met.\n"),
    ("text", "Best,\n-- \nPetra Holm, WHO officer.\n"),
    # two meanings
    ("text", FCU + "The FCU has knobs. Remove the flow control unit (FCU). The FCU is out."),
]


@pytest.mark.parametrize(("format", "text"), LEFT)
def test_what_is_not_sure_is_left_alone(format, text, nlp):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    assert run(nlp, text, format) == (text, 0)


def test_quoted_long_forms_are_left_alone(findings):
    quoted = ['"service level agreement"', "\u2018service level agreement\u2019"]
    for words in quoted:
        assert findings(f"{SLA}The {words} is old.", select=("AC006",)) == []
    assert len(findings(f"{SLA}The service level agreement is old.", select=("AC006",))) == 1


@pytest.mark.parametrize(
    "words", ["Vitamin", "Protein", "Hepatitis", "Exhibit", "group", "the key", "influenza", "Team"]
)
def test_a_letter_is_no_article(words, findings):
    assert findings(f"See {words} A FBI there.", select=("AC009",)) == []


@pytest.mark.parametrize("before", ["", "It is. ", "- ", "(", '"', "So it is:\n\n"])
def test_a_capital_that_begins_is_an_article(before, findings):
    assert len(findings(f"{before}A FBI page.", select=("AC009",))) == 1


class Learning:
    """A pipeline that knows the EU only once another document defines the WHO."""

    def __init__(self, nlp):
        self.nlp, self.make_doc, self.learnt = nlp, nlp.make_doc, False

    def __call__(self, doc):
        doc = self.nlp(doc)
        if "EU" in doc.text and not self.learnt:
            doc.spans["acronyms"].attrs.clear()
        return doc


def test_what_a_fix_settles_in_another_document_is_put_right_at_once(nlp, monkeypatch):
    monkeypatch.setattr(learn, "linker_of", lambda nlp: nlp)
    monkeypatch.setattr(
        learn, "learn_sources", lambda _, read: any("World" in one.text for one in read())
    )
    texts, known, learning = ["The EU met.", "The WHO met."], Settings(), Learning(nlp)
    sources = [read_text(text, "text").at(name=text, path=text) for text in texts]
    read = [LintDocument.of(one, learning(nlp.make_doc(one.text)), known) for one in sources]
    fixed, findings = _fixed(cast(Any, learning), read, check(read, known), known, learns=True)
    assert [one.text for one in fixed] == [
        "The European Union (EU) met.",
        "The World Health Organization (WHO) met.",
    ]
    assert all(not one.fix for one in findings)
