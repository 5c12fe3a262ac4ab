"""What the pages and the security policy promise is what the package does."""

import ast
import re
from typing import Any

import pytest
import spacy

from spacy_gladis.dictionary.spellings import DictionarySpellings
from spacy_gladis.text.known import NEAR
from tests.support.imports import PACKAGE, imports
from tests.support.paths import ROOT

DETECTOR = (ROOT / "docs" / "explanation" / "detector.md").read_text("utf8")
RUNS_CODE = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "runpy"}
CALLS = {"eval", "exec", "os.system", "os.popen"}
"""Functions that run what they are given."""


@pytest.mark.parametrize("name", ["docs/reference/faults.md", "docs/how-to/service.md"])
def test_the_service_sends_the_status_codes_that_a_page_names(name):
    pytest.importorskip("fastapi_offline")
    from spacy_gladis.serve.app import _FAILURES

    rows = re.findall(r"^\|.*\|$", (ROOT / name).read_text("utf8"), re.MULTILINE)
    codes = {int(code) for row in rows for code in re.findall(r"\b[45]\d\d\b(?! KB)", row)}
    assert {408, 413, 503} <= codes <= set(_FAILURES)


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("*.py")}))
def test_nothing_is_unpickled_or_evaluated_and_no_shell_is_started(folder):
    for path in folder.glob("*.py"):
        assert {name.split(".")[0] for name in imports(path)}.isdisjoint(RUNS_CODE), path
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text("utf8")))
            if isinstance(node, ast.Call)
        ]
        assert not [call for call in calls if ast.unparse(call.func) in CALLS], path
        settings = {(word.arg, ast.unparse(word.value)) for call in calls for word in call.keywords}
        unsafe = {("shell", "True"), ("allow_pickle", "True"), ("weights_only", "False")}
        assert settings.isdisjoint(unsafe), path
        loads = [call for call in calls if ast.unparse(call.func) == "torch.load"]
        assert all("weights_only" in {word.arg for word in call.keywords} for call in loads), path


@pytest.fixture(scope="module")
def find_in_sentence():
    detector: Any = spacy.blank("en").add_pipe("acronym_detector")

    def find(text):
        return [text[slice(*mention)] for mention in detector.find(text).mentions]

    return find


def named_in(sentence):
    """The examples that a sentence of the page has in brackets."""
    start = DETECTOR.index(sentence)
    [examples] = re.findall(r"\(((?:`[^`]+`(?:, )?)+)\)", DETECTOR[start : start + 200])[:1]
    return re.findall("`([^`]+)`", examples)


@pytest.mark.parametrize("sentence", ["by their shape", "it uses the dictionary\n"])
def test_the_detector_finds_the_acronyms_that_its_page_names(sentence, find_in_sentence):
    examples = named_in(sentence)
    assert len(examples) >= 5
    for example in examples:
        assert example in find_in_sentence(f"The NASA said that {example} was there."), example


def test_compounds_are_split_as_the_page_of_the_detector_says(find_in_sentence):
    [joined] = named_in("Acronyms joined by a hyphen or a slash")
    assert find_in_sentence(f"They saw {joined} there.") == joined.split("-")
    assert named_in("A compound with a meaning") == ["COVID-19", "SDS-PAGE", "SHA256"]
    assert named_in("contains that of a part") == ["SDS", "SHA"]
    assert find_in_sentence("They saw SDS-PAGE there.") == ["SDS-PAGE", "SDS", "PAGE"]
    assert find_in_sentence("They saw SHA256 there.") == ["SHA256", "SHA"]
    assert find_in_sentence("They saw COVID-19 there.") == ["COVID-19", "COVID"]


def test_a_spelling_that_reads_like_a_word_needs_another_acronym_near(
    find_in_sentence, monkeypatch
):
    monkeypatch.setattr(DictionarySpellings, "finder", None)
    examples = named_in("that looks like an ordinary word")
    assert len(examples) == 2 and f"within {NEAR} characters" in DETECTOR
    for example in examples:
        near, far = (
            find_in_sentence(f"The {example} was {'word and ' * (length // 9)}the MRI.")
            for length in (NEAR - 40, NEAR + 40)
        )
        assert example in near and example not in far
    [example] = named_in("a spelling without a vowel")
    assert example in find_in_sentence(f"The {example} was {'word and ' * NEAR}the MRI.")
