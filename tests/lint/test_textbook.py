"""Textbook mistakes, and the same texts without them, in every format."""

import pytest

from spacy_gladis.documents.formats import read_file
from spacy_gladis.lint.fix import fix, write
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.problem import ProblemLog
from tests.support.documents import ENDINGS, write_document

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
SETTINGS = Settings(select=tuple({code for code, _, _ in MISTAKES}))
FIXED = ("AC003", "AC009", "AC010", "AC013")
EDITED = ("txt", "md", "html", "adoc", "rst", "tex")


def codes(path):
    return [finding.code for finding in lint(read_file(path, ProblemLog()), SETTINGS)]


def put_right(path):
    for source in read_file(path, ProblemLog()):
        after = fix(source, SETTINGS).after
        if after.source != source.source:
            write(path, source.source, after.source)
    return path.read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("code", "wrong", "right"), MISTAKES)
def test_a_mistake_is_reported_and_its_absence_is_not(code, wrong, right, ending, tmp_path):
    assert codes(write_document(tmp_path / f"wrong.{ending}", wrong)) == [code]
    assert codes(write_document(tmp_path / f"right.{ending}", right)) == []


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("code", "wrong", "right"), MISTAKES)
def test_what_is_put_right_is_that_alone_and_once(code, wrong, right, ending, tmp_path):
    path = write_document(tmp_path / f"x.{ending}", wrong)
    expected = path.read_bytes()
    if code in FIXED and ending in EDITED:
        expected = write_document(tmp_path / f"y.{ending}", right).read_bytes()
    assert put_right(path) == expected
    assert put_right(path) == expected
