"""The publishers' own figures, where their data lie beside the repository."""

import pytest

from tests.support.paths import SHARED

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from spacy_gladis.metrics.disambiguation import score_disambiguation
from spacy_gladis.research.datasets.bioc import read_bioc
from spacy_gladis.research.datasets.sciai import find_sets
from spacy_gladis.research.disambiguation.gladis.run import ask
from spacy_gladis.research.disambiguation.gladis.sets import NO_GOLD, EvaluationSet, read_sets
from spacy_gladis.research.disambiguation.systems.counting import FirstCandidate, Popularity
from spacy_gladis.research.extraction.bioc import evaluate as evaluate_bioc
from spacy_gladis.research.extraction.bioc import make_systems as make_bioc_systems
from spacy_gladis.research.extraction.run import evaluate
from spacy_gladis.research.extraction.systems import make_systems
from spacy_gladis.research.leakage.formats import Item, read_items
from spacy_gladis.research.leakage.similarity import nearest

BENCHMARKS = SHARED / "benchmarks"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason=f"no benchmarks in {BENCHMARKS}"),
]


@pytest.fixture(scope="module")
def bc2gm() -> list[list[Item]]:
    return [read_items(BENCHMARKS / "bc2gm" / f"{side}.tsv") for side in ("train", "test")]


@pytest.mark.parametrize(
    ("what", "n", "paper"),
    # Elangovan et al. 2021, Table 2; on 15,000 training sentences, of which 12,574 are here.
    [
        ("text", 1, 33.19),
        ("text", 2, 13.12),
        ("text", 3, 4.20),
        ("annotation", 1, 70.77),
        ("annotation", 2, 19.55),
        ("annotation", 3, 5.41),
    ],
)
def test_bc2gm_is_near_the_paper_and_below(bc2gm, what: str, n: int, paper: float) -> None:
    train, test = (
        [text for one in items for text in ((one.text,) if what == "text" else one.annotations)]
        for items in bc2gm
    )
    mean = 100 * nearest(test, train, n).similarity.mean()
    assert paper - 1.8 < mean < paper


@pytest.fixture(scope="module")
def sets() -> dict[str, EvaluationSet]:
    return {one.name: one for one in read_sets(BENCHMARKS / "gladis")}


def test_gladis_sets_are_read_whole(sets: dict[str, EvaluationSet]) -> None:
    rows = {name: len(one.samples) for name, one in sets.items()}
    assert rows == {"bio_umls": 1595, "sciad": 2992, "uad": 3449}
    assert {name: dict(one.problems) for name, one in sets.items() if one.problems} == {
        "bio_umls": {NO_GOLD: 52}
    }


def test_counts_of_uad_are_worth_what_its_publisher_says(sets: dict[str, EvaluationSet]) -> None:
    """71.5 % on the whole set; this half of it comes close."""
    answers = ask(sets["uad"], Popularity().predict)
    assert answers.right.mean() == pytest.approx(0.715, abs=0.02)


def test_the_macro_scores_lie_apart_as_known(sets: dict[str, EvaluationSet]) -> None:
    """First candidate on the whole SciAD: .511 (SDU), .271 (GLADIS), .239 (scikit-learn)."""
    sciad = sets["sciad"]
    answers = ask(sciad, FirstCandidate().predict)
    scores = score_disambiguation([one.long_form for one in sciad.samples], answers.predicted)
    assert scores.sdu_macro_f1 == pytest.approx(0.511, abs=0.02)
    assert scores.gladis_macro_f1 == pytest.approx(0.271, abs=0.02)
    assert scores.sklearn_macro_f1 == pytest.approx(0.239, abs=0.02)


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
