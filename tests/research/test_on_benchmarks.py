"""The publishers' own figures, where their data lie beside the repository."""

import pytest

from tests.support.paths import ROOT, SHARED

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from spacy_gladis.research.leakage.formats import read_items
from spacy_gladis.research.leakage.readers import Item
from spacy_gladis.research.leakage.similarity import nearest
from spacy_gladis.research.tasks.disambiguation.sets import NO_GOLD
from spacy_gladis.research.tasks.results import Result, read_results
from tests.support.tasks import run, values

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
        [text for item in items for text in ((item.text,) if what == "text" else item.annotations)]
        for items in bc2gm
    )
    mean = 100 * nearest(test, train, n).similarity.mean()
    assert paper - 1.8 < mean < paper


@pytest.fixture(scope="module")
def gladis() -> dict[str, Result]:
    return run("gladis", [BENCHMARKS / "gladis" / "evaluation"], ["first", "popularity"])


def test_gladis_sets_are_read_whole(gladis: dict[str, Result]) -> None:
    details = {result.data: result.details for result in gladis.values()}
    assert {name: detail["rows"] for name, detail in details.items()} == {
        "bio_umls": 1595,
        "sciad": 2992,
        "uad": 3449,
    }
    assert {name: detail[NO_GOLD] for name, detail in details.items() if NO_GOLD in detail} == {
        "bio_umls": 52
    }


def test_counts_of_uad_are_worth_what_its_publisher_says() -> None:
    """71.5 % on the whole set; this half of it comes close."""
    sets = [BENCHMARKS / "gladis" / "evaluation"]
    result = run("gladis", sets, ["popularity"], reader={"counts": "own"}, only=["uad"])
    assert values(result["uad: popularity"])["accuracy"] == pytest.approx(0.715, abs=0.02)


@pytest.mark.parametrize("data", ["uad", "sciad", "bio_umls"])
def test_defaults_give_the_figures_of_the_page(gladis: dict[str, Result], data: str) -> None:
    for system in ("first", "popularity"):
        (published,) = (
            result
            for result in read_results(ROOT / "benchmarks" / "results" / "gladis.jsonl")
            if (result.data, result.system) == (data, system)
        )
        result = gladis[f"{data}: {system}"]
        assert result.details["counts"] == published.details["counts"] == "dictionary"
        accuracy = values(published)["accuracy"]  # of an earlier dictionary, perhaps
        assert values(result)["accuracy"] == pytest.approx(accuracy, abs=0.02)


def test_the_macro_scores_lie_apart_as_known(gladis: dict[str, Result]) -> None:
    """First candidate on the whole SciAD: .511 (SDU), .271 (GLADIS), .239 (scikit-learn)."""
    scores = values(gladis["sciad: first"])
    assert scores["sdu_macro_f1"] == pytest.approx(0.511, abs=0.02)
    assert scores["gladis_macro_f1"] == pytest.approx(0.271, abs=0.02)
    assert scores["sklearn_macro_f1"] == pytest.approx(0.239, abs=0.02)


def test_ab3p() -> None:
    names = ["find_definitions", "schwartz_hearst", "cross-validated"]
    results = run("bioc", [BENCHMARKS / "bioc"], names)
    ours, theirs, folded = map(values, results.values())
    details = results["bioc: find_definitions"].details
    assert (details["documents"], details["pairs"]) == (1250, 1205)
    assert ours["f1"] > 0.915 and ours["precision"] > 0.96
    assert folded["f1"] > 0.905
    assert theirs["f1"] > 0.853


def test_sciai() -> None:
    (result,) = run("sciai", [BENCHMARKS / "sciai/dataset/dev.json"], ["rules"]).values()
    assert result.details["texts"] == 1717
    assert values(result)["macro_f1"] > 0.925


@pytest.mark.parametrize(
    ("name", "least"), [("english/scientific", 0.83), ("french", 0.815), ("danish", 0.82)]
)
def test_sdu22(name: str, least: float) -> None:
    path = BENCHMARKS / "sdu22-ae/data" / name / "dev.json"
    (result,) = run("sdu22-ae", [path], ["rules"]).values()
    assert values(result)["macro_f1"] > least
