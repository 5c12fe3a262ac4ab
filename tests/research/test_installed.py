"""Whether the packages of an extra are installed."""

from importlib.metadata import PackageNotFoundError

import pytest

from spacy_gladis.errors import InputError, MissingExtraError
from spacy_gladis.research import installed


def test_what_is_missing_is_named_with_the_extra(monkeypatch):
    lines = [
        "numpy>=1",
        "pyarrow>=16; extra == 'corpus'",
        "spacy-gladis[corpus,train]; extra == 'research'",
        "Torch>=2; extra == 'train'",
        "distributed; python_version < '3' and extra == 'train'",
    ]
    monkeypatch.setattr(installed, "requires", lambda name: lines)
    there = {"pyarrow", "Torch"}

    def version(name):
        if name not in there:
            raise PackageNotFoundError(name)

    monkeypatch.setattr(installed, "version", version)
    installed.check_extra("research")
    there.clear()
    with pytest.raises(MissingExtraError) as failure:
        installed.check_extra("research")
    assert str(failure.value) == (
        "Missing packages: Torch, pyarrow. "
        "Install the extra with: pip install 'spacy-gladis[research]'"
    )
    with pytest.raises(InputError, match="no extra 'nosuch'"):
        installed.check_extra("nosuch")
