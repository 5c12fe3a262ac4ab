"""Two wordings of one meaning are no two meanings."""

import pytest

from spacy_gladis.lint.wording import is_wording

SAME = [
    ("position-specific scoring matrix", "Position specific score matrices"),
    ("effective PSF", "effective Point Spread Function"),
    ("SpatioTemporal Asset Catalog", "SpatialTemporal Asset Catalogs"),
    ("time series model", "timeseries model"),
    ("the World Bank", "World Bank Group"),
    ("centre for colour", "Center of Color"),
    ("application programming interface", "application program interface"),
    ("natural langauge processing", "natural language processing"),
    ("Ontology Access Kit", "Ontology Access Toolkit"),
    ("Tabular Access Protocol", "Table Access Protocol"),
    ("unique dual indices", "unique dual indexing"),
    ("database admin", "database administrator"),
]
DIFFERENT = [
    ("artificial intelligence", "adequate intake"),
    ("European Union", "ejection unit"),
    ("wide area network", "wireless access node"),
    ("convolutional neural network", "cellular neural network"),
    ("probability density function", "portable document format"),
    ("random access memory", "random access machine"),
    ("level 1 cache", "level 2 cache"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_wordings_of_one_meaning(one, other):
    assert is_wording(one, other) and is_wording(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_meanings(one, other):
    assert not is_wording(one, other) and not is_wording(other, one)
