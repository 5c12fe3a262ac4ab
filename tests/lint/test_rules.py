"""Every rule reports its own examples, and not their near misses."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.registry import BUILT_IN
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from tests.support.growth import assert_linear

LISTED = {"QBR": ("quarterly business review",), "DPO": ("data protection officer",)}
ALL = Settings(select=("ALL",))


def sources(example, format="markdown"):
    texts = [example] if isinstance(example, str) else example
    return [
        read_text(f"{text}\n", format).at(name=f"{number}.md", path=f"{number}.md")
        for number, text in enumerate(texts)
    ]


def codes(text, settings=ALL, format="markdown"):
    return [finding.code for finding in lint(sources(text, format), settings)]


def examples(kind):
    return [(rule, example) for rule in BUILT_IN for example in getattr(rule, kind)]


def settings_of(rule):
    return replace(rule.example_settings, select=(rule.code,))


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_rule_reports(rule, example):
    assert codes(example, settings_of(rule)) != []


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_rule_does_not_report(rule, example):
    assert codes(example, settings_of(rule)) == []


@pytest.mark.parametrize("rule", BUILT_IN)
def test_a_rule_explains_itself(rule):
    assert re.fullmatch(r"(?:An?|The|Wrong) [^.\n]+", rule.summary)
    assert re.fullmatch("[a-z]+(?:-[a-z]+)*", rule.name)
    assert len(rule.bad) == len(rule.good) == 3
    assert all(re.fullmatch(r"[A-Z].*\.", text) for text in (rule.why, rule.known_problems) if text)
    makes_fixes = any(
        finding.fix for example in rule.bad for finding in lint(sources(example), settings_of(rule))
    )
    assert makes_fixes == bool(rule.fix_safety)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "The WHO met in May. The World Health Organization (WHO) is an agency. The WHO has "
            "offices.",
            "'WHO' is used before its definition at 1:52",
        ),
        ("The QBR is on Monday.", "'QBR' is used but never defined"),
        (
            "Artificial intelligence (AI) helps.\n\nThe adequate intake (AI) is 4.7 grams.",
            "'AI' means 'adequate intake' here and 'Artificial intelligence' at 1:26",
        ),
        ("It is a HTML page.", "Use 'an HTML' instead of 'a HTML'"),
        ("Type the PIN number.", "'number' is redundant after 'PIN', which stands for 'personal "),
    ],
)
def test_a_message_says_what_can_be_checked_by_looking(text, message):
    findings = lint(sources(text), Settings(select=("AC001", "AC002", "AC004", "AC009", "AC010")))
    assert any(finding.message.startswith(message) for finding in findings), findings


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("markdown", "# The QBR\n\nWords.\n\n    a QBR\n\n`QBR`\n"),
        ("markdown", "Words.\n\n## References\n\nA QBR, 1999.\n"),
        ("html", "<h1>The QBR</h1><p>Words <code>QBR</code>.</p>"),
        ("latex", "\\section{The QBR}\nWords \\verb|QBR|.\n"),
        ("restructuredtext", "The QBR\n=======\n\nWords ``QBR``.\n"),
        ("asciidoc", "= The QBR\n\nWords `QBR`.\n"),
    ],
)
def test_what_is_not_running_text_is_no_place_for_a_rule(format, text):
    assert codes(text, format=format) == []


@pytest.mark.parametrize(
    "text",
    [
        "A quantitative trait locus (QTL). The quantitative trait loci (QTLs) are many.",
        "The leaf nitrogen concentration (LNC) rose. A leaf N concentration (LNC) fell.",
        "We grew PC9 cells. They are PC9 (PC-9) of the lung.",
    ],
)
def test_other_forms_of_words_and_names_are_no_finding(text):
    select = ("AC001", "AC002", "AC004", "AC013")
    assert codes(text, Settings(select=select)) == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("AC001", "The Lakeside College of Applied Economics (Lakeside CAE) grew. The CAE is old."),
        ("AC001", "The Shortest Route Match (SRM for IPv4, SRM6 for IPv6) is new. The SRM is."),
        ("AC001", "Heat in bands of short wave infrared (SWIR x 2) is new. The SWIR is wide."),
        ("AC001", "The ToDo and HiFi lists are long."),
        ("AC002", "Set IS-IS up. The daemon isisd (IS-IS) runs."),
        ("AC004", "Add service discovery (SD). OpenStack SD: Support discovering all projects."),
        ("AC004", "Voltage-gated calcium channels (VGCC). Voltage-gated Ca2+ channels (VGCC)."),
        ("AC003", "On chips [QRM, QRM64] it is off. On chips [QRM, QRM64] it is on."),
        ("AC009", "It has a SW driver and a RCPT command."),
        ("AC010", "Community-based review plans (CBR) are new. The CBR plans are good."),
        ("AC013", "A quarterly board ID (QB ID) is long. Each QB\nID is new."),
        ("AC013", "The input/output (I/O) is slow. IO is a moon."),
        ("AC013", "The electrospray source (ES−) is new. The ES is old."),
    ],
)
def test_near_misses(code, text):
    assert codes(text, Settings(select=(code,))) == []


@pytest.mark.parametrize(
    "text",
    [
        '"HRF" shall mean the Housing Repair Fund. The HRF is old.',
        "HRF, which stands for Housing Repair Fund, pays. The HRF is old.",
        "- HRF -- Housing Repair Fund\n- ABR -- Annual Bench Review\n\nThe HRF and the ABR.",
        "We call the Housing Repair Fund the HRF. The HRF is old.",
    ],
)
@pytest.mark.parametrize("format", ["markdown", "text"])
def test_an_acronym_is_explained_without_brackets(text, format):
    assert codes(text, Settings(select=("AC001",)), format) == []


@pytest.mark.parametrize(
    "word", ["STOP", "WARNING", "DANGER", "IMPORTANT", "URGENT", "RESET", "PRESS", "HELP", "DRAFT"]
)
@pytest.mark.parametrize("sentence", ["Press the {} button.", "**{}** hot surface."])
def test_a_word_in_capitals_is_no_acronym(sentence, word):
    assert codes(sentence.format(word), Settings(select=("AC001",))) == []


@pytest.mark.parametrize("acronym", ["WHO", "MAP", "CAT"])
def test_a_word_that_texts_define_as_an_acronym_is_one(acronym):
    text = f"Ask the {acronym} today."
    assert codes(text, Settings(select=("AC001",), known=frozenset())) == ["AC001"]


def test_what_stands_before_a_dash_is_no_part_of_a_long_form():
    text = "Lay a quarterly business review (QBR). Lay: qd - quarterly business review (QBR)."
    [finding] = lint(sources(text), Settings(select=("AC003",)))
    assert finding.fix[0].start == text.rindex("quarterly")


@pytest.mark.parametrize("path", ["docs/QBR", "QBR.md", "a_QBR", "QBR=3", "#QBR", "me@QBR"])
def test_parts_of_paths_and_names_are_no_acronyms(path):
    assert codes(f"See {path} there.") == []


@pytest.mark.parametrize(
    ("scope", "text", "expected"),
    [
        ("section", "# A\n\nA virtual machine (VM).\n\n# B\n\nThe VM runs.", ["AC001"]),
        ("document", "# A\n\nA virtual machine (VM).\n\n# B\n\nThe VM runs.", []),
        ("project", ("A virtual machine (VM).", "The VM runs."), []),
        ("document", ("A virtual machine (VM).", "The VM runs."), ["AC001"]),
    ],
)
def test_first_use_is_asked_of_a_section_a_document_or_the_project(scope, text, expected):
    assert codes(text, Settings(select=("AC001", "AC002"), scope=scope)) == expected


def test_what_an_organisation_lists_needs_no_definition():
    assert codes("The QBR is short.", Settings(glossary=LISTED)) == []
    assert (
        codes("The qbr is short.", Settings(glossary={"qbr": ("quarterly business review",)})) == []
    )


def test_comments_switch_rules_off_and_on():
    text = "<!-- acronyms: off AC001 -->\n\nA QBR.\n\n<!-- acronyms: on -->\n\nA DPO.\n"
    findings = lint(sources(text), Settings(select=("AC001",)))
    assert [(finding.code, finding.position.line) for finding in findings] == [("AC001", 7)]


COMMENTS = {
    "text": "# {}",
    "markdown": "<!-- {} -->",
    "html": "<!-- {} -->",
    "latex": "% {}",
}
NEXT = {**COMMENTS, "restructuredtext": ".. {}", "asciidoc": "// {}"}


def lines(text, format):
    findings = lint([read_text(text, format).at(name="a", path="a")], Settings(select=("AC001",)))
    return [(finding.acronym, finding.position.line) for finding in findings]


@pytest.mark.parametrize("format", COMMENTS)
@pytest.mark.parametrize("codes", ["", " AC001", " AC002, AC00"])
def test_a_comment_ignores_its_own_line(format, codes):
    comment = COMMENTS[format].format(f"acronyms: ignore{codes}")
    assert lines(f"The QBR met. {comment}\nThe DPO met.\n", format) == [("DPO", 2)]
    other = COMMENTS[format].format("acronyms: ignore AC002")
    assert lines(f"The QBR met. {other}\n", format) == [("QBR", 1)]


@pytest.mark.parametrize("format", NEXT)
def test_a_comment_ignores_the_next_line(format):
    comment = NEXT[format].format("acronyms: ignore-next-line")
    text = f"{comment}\n\nThe QBR met.\n\nThe DPO met.\n"
    assert lines(text, format) == [("DPO", 5)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *("(WHO, .. 12) ", f"World Health Organization (WHO, {'.' * 45} 12) ", "(", "ab (AB), "),
        *(
            "acronyms: off ",
            "<!-- acronyms: ignore-next-line -->\n\n",
            f"acronyms: off{' ' * 500}x\n",
            "a QBR ",
            "`",
            "[",
            "# QBR\n\n",
        ),
        "* QBR\n",
        "<!-- acronyms: ignore-next-line -->\n\n",
    ],
)
@pytest.mark.parametrize("format", ["markdown", "text"])
def test_linear_time(unit, format):
    def run(size):
        lint(sources(unit * (size // len(unit)), format), ALL)

    assert_linear(run, 4_000)


def test_neither_spacy_nor_torch_is_loaded():
    code = (
        "import sys; from spacy_gladis.cli import main; sys.argv = ['x', 'lint', 'README.md']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'spacy', 'torch', 'thinc'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
