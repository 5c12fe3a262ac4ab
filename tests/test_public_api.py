"""What `import spacy_gladis` offers."""

import subprocess
import sys

import pytest

import spacy_gladis


def test_every_public_name_is_there():
    assert set(spacy_gladis.__all__) <= set(dir(spacy_gladis))
    for name in spacy_gladis.__all__:
        assert getattr(spacy_gladis, name).__doc__, name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'loda'"):
        spacy_gladis.loda  # noqa: B018


def test_the_public_api_resolves_a_text():
    doc = spacy_gladis.load()("The MRI showed a lesion. World Health Organization (WHO) staff met.")
    record = spacy_gladis.to_record(doc, "a")
    assert [mention["acronym"] for mention in record["acronyms"]] == ["MRI", "WHO"]
    assert isinstance(doc._.acronyms[0]._.resolution, spacy_gladis.Resolution)
    assert spacy_gladis.Dictionary.open().count("MRI")
    with pytest.raises(spacy_gladis.GladisError):
        spacy_gladis.load("no/such/folder")


def test_importing_the_package_loads_nothing_else():
    code = "import sys, spacy_gladis; print('spacy' in sys.modules, 'numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
