"""The rules on the published sets: they may get better, not worse."""

import pytest

from spacy_gladis.research.datasets.bioc import read_bioc
from spacy_gladis.research.datasets.sciai import find_sets
from spacy_gladis.research.extraction.bioc import evaluate as evaluate_bioc
from spacy_gladis.research.extraction.bioc import make_systems as make_bioc_systems
from spacy_gladis.research.extraction.run import evaluate
from spacy_gladis.research.extraction.systems import make_systems
from tests.support.paths import SHARED

BENCHMARKS = SHARED
BENCHMARKS /= "benchmarks"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason=f"no benchmark data in {BENCHMARKS}"),
]


def test_ab3p() -> None:
    documents = read_bioc(BENCHMARKS / "bioc")
    assert (len(documents), sum(len(one.definitions) for one in documents)) == (1250, 1205)
    systems = make_bioc_systems(["find_definitions", "schwartz_hearst"])
    results = evaluate_bioc(documents, systems, folds=5)["systems"]
    assert results["find_definitions"]["f1"] > 0.915
    assert results["find_definitions"]["precision"] > 0.96
    assert results["find_definitions, 5-fold"]["f1"] > 0.905
    assert results["schwartz_hearst"]["f1"] > 0.853


def test_sciai() -> None:
    sets = find_sets(BENCHMARKS / "sciai", ["dev"])
    (found,) = evaluate("sciai", sets, make_systems(["rules"]))["sets"].values()
    assert found["texts"] == 1717
    assert found["systems"]["rules"]["macro"]["f1"] > 0.925


@pytest.mark.parametrize(
    ("name", "least"), [("english/scientific", 0.83), ("french", 0.815), ("danish", 0.82)]
)
def test_sdu22(name: str, least: float) -> None:
    sets = find_sets(BENCHMARKS / "sdu22-ae", [f"{name}/dev"])
    (found,) = evaluate("sdu22-ae", sets, make_systems(["rules"]))["sets"].values()
    assert found["systems"]["rules"]["macro"]["f1"] > least
