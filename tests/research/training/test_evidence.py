from pathlib import Path

import pytest

from spacy_gladis.errors import FormatError
from spacy_gladis.research.training.export import read_evidence
from tests.support.paths import CONFIGS


def test_evidence_not_named_has_no_weight(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    path.write_text('{"cosine": 0.5, "unseen": 3}')
    found = read_evidence(path)
    assert (found.cosine, found.unseen, found.overlap) == (0.5, 3.0, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[1]", "no JSON"),
        ('{"cosin": 1}', "cosin"),
        ('{"cosine": "x"}', "no JSON"),
    ],
)
def test_what_is_no_evidence_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "evidence.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=said):
        read_evidence(path)


def test_the_packaged_evidence_can_be_read() -> None:
    assert read_evidence(CONFIGS / "evidence.json").cosine > 0
