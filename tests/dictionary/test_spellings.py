"""When two long forms are spellings of one meaning."""

import pytest

from spacy_gladis.dictionary.spellings import same_meaning


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("virtual machine", "Virtual Machines", True),
        ("computed tomography", "computed tomographic scan", True),
        ("centre of mass", "center of mass", True),
        ("artificial intelligence", "adequate intake", False),
        ("hypertension", "hypotension", False),
        ("local area network", "local area networking", True),
        ("wide area network", "local area network", False),
        ("virtual machine", "", False),
    ],
)
def test_same_meaning(one, other, same):
    assert same_meaning(one, other) is same
