"""Linking phrases to concepts: the data sets' layouts, the splits, the protocol."""

import json

import pytest

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory, write_inventory
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog
from spacy_gladis.research.datasets.linked_phrases import read_cometa, read_pubtator
from spacy_gladis.research.leakage.formats import read_items
from spacy_gladis.research.leakage.predictions import score_predictions
from spacy_gladis.research.leakage.run import audit
from spacy_gladis.research.linking.registry import make_systems
from spacy_gladis.research.linking.run import evaluate, tables
from spacy_gladis.research.linking.sets import Split, read_sets, stratified, zero_shot

ARTICLE = """7|t|Sore toes.
7|a|They ache and itch.
7\t0\t9\tSore toes\tDisease\t D1
7\t16\t20\tache\tDisease\tD2|D3
7\t25\t29\tItch\tDisease\tD4+D5
7\t16\t20\tache\tDisease\t-1
7\tCID\tD1\tD2
7\tnonsense here

7|t|Again.
7\t0\t5\tAgain\tDisease\tD1
"""


def test_pubtator(tmp_path):
    (tmp_path / "x.txt").write_text(ARTICLE)
    problems = ProblemLog()
    found = list(read_pubtator(tmp_path / "x.txt", problems))
    assert [(one.phrase, one.concepts, one.start) for one in found] == [
        ("Sore toes", ("D1",), 0),
        ("ache", ("D2", "D3"), 16),
        ("Itch", ("D4", "D5"), -1),
    ]
    assert found[0].text == "Sore toes. They ache and itch."
    assert problems.counts == {
        "wrong offsets": 1,
        "no id": 1,
        "no annotation": 1,
        "document again": 1,
    }


@pytest.fixture
def cometa(tmp_path):
    for folder in ("stratified_general", "zeroshot_specific"):
        for number, part in enumerate(("train", "dev", "test")):
            path = tmp_path / folder / f"{part}.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text(
                "ID\tTerm\tGeneral SNOMED ID\tSpecific SNOMED ID\tExample\n"
                f"{number}\ttoe pain\t10\t2{number}\tI have Toe pain, too\n"
                f"{number}\tno id\t\t\tnothing\n"
            )
    return tmp_path


def test_cometa_s_folders_give_general_and_specific_concepts(cometa):
    problems = ProblemLog()
    sets = dict(read_sets(cometa, None, problems))
    assert list(sets) == ["stratified_general published", "zeroshot_specific published"]
    general, specific = sets.values()
    assert general.test == [ConceptMention("toe pain", ("10",), "I have Toe pain, too", 7, "2")]
    assert [part[0].concepts for part in specific] == [("20",), ("21",), ("22",)]
    assert problems.counts == {"no id": 6}
    (cometa / "x.csv").write_text("ID,Term,Example\n1,toe,x\n")
    with pytest.raises(FormatError, match="General SNOMED ID"):
        list(read_cometa(cometa / "x.csv"))


def test_psytar_is_split_in_both_ways_for_both_vocabularies(tmp_path):
    head = "id\tdrug\tsentence\tADRs\tUMLS1\tSNOMED-CT\tUMLS2\tSNOMED-CT\n"
    rows = [
        f"{n}\tx.1\t{n}\tword{n}\tC000000{n % 4} / c{n % 4} / F\tc{n % 4} (finding) "
        f"[A1/SNOMEDCT_US/FN/{n % 4}]\t\t\n"
        for n in range(40)
    ]
    (tmp_path / "ADR_Mapped.tsv").write_text(head + "".join(rows) + "1\tx\t1\tno\tNo code\t\t\t\n")
    (tmp_path / "Sentence_Labeling.tsv").write_text(
        "id\tdrug_id\tsentence_index\tsentences\n1\tx.1\t3\tMy Word3, it is.\n"
    )
    problems = ProblemLog()
    sets = dict(read_sets(tmp_path, None, problems))
    assert list(sets) == [
        f"{v} {s}" for v in ("UMLS", "SNOMEDCT") for s in ("stratified", "zeroshot")
    ]
    everything = [one for part in sets["UMLS stratified"] for one in part]
    assert len(everything) == 40
    assert [one[2:] for one in everything if one.phrase == "word3"] == [
        ("My Word3, it is.", 3, "x.1", "ADR")
    ]
    assert problems.counts["phrase not in its sentence"] == 78
    with pytest.raises(InputError, match="no published split"):
        list(read_sets(tmp_path, ["published"], problems))


def test_a_published_split_without_test_is_tested_on_dev(tmp_path):
    fold = tmp_path / "0"
    fold.mkdir()
    (fold / "train.tsv").write_text("".join(f"phrase {n}\t{n % 3}\n" for n in range(20)))
    (fold / "dev.tsv").write_text("other\t1\nbare\n")
    ((name, split),) = read_sets(tmp_path, None, ProblemLog())
    assert name == "fold 0 published"
    assert [len(part) for part in split] == [16, 4, 1]


def test_unknown_splits_folders_and_systems_are_refused(tmp_path):
    with pytest.raises(InputError, match="No split 'random'"):
        list(read_sets(tmp_path, ["random"]))
    with pytest.raises(InputError, match="no data set of a known layout"):
        list(read_sets(tmp_path))
    with pytest.raises(InputError, match="no file or folder"):
        list(read_sets(tmp_path / "none"))
    with pytest.raises(InputError, match=r"Did you mean 's\.4 stoilos'"):
        make_systems(["stoilos"])


MENTIONS = [
    ConceptMention(f"{word} {concept}", (f"C{concept}",))
    for concept in range(9)
    for word in ("sore", "Sore", "aching", "hurting", "bad", "stiff", "red")[: 7 - concept % 5]
]


def concepts_of(part):
    return {concept for one in part for concept in one.concepts}


def test_stratified_parts_know_the_concepts_but_not_the_phrases():
    split = stratified(MENTIONS)
    assert sum(map(len, split)) == len(MENTIONS)
    with pytest.raises(InputError, match="Too few phrases"):
        stratified(MENTIONS[:1])
    for part in (split.dev, split.test):
        assert part and concepts_of(part) <= concepts_of(split.train)
        assert not {m.phrase.lower() for m in part} & {m.phrase.lower() for m in split.train}
    assert split == stratified(MENTIONS) != stratified(MENTIONS, seed=1)


def test_zero_shot_parts_share_no_concept():
    joined = [*MENTIONS, ConceptMention("both", ("C1", "C2")), ConceptMention("all", ("C2", "C3"))]
    split = zero_shot(joined)
    train, dev, test = map(concepts_of, split)
    assert not train & dev and not train & test and not dev & test
    assert sum({"C1", "C2", "C3"} <= part for part in (train, dev, test)) == 1


INVENTORY = build_inventory([Concept("D1", ("sore toe",)), Concept("D2", ("gout", "ache"))])
SPLIT = Split(
    train=[ConceptMention("little piggy", ("D1",)), ConceptMention("drug", ("NEW",))],
    dev=[],
    test=[
        ConceptMention("little piggies", ("D1",), kind="body"),
        ConceptMention("Ache", ("OTHER", "D2"), kind="body"),
        ConceptMention("gout", ("OUTSIDE",)),
        ConceptMention("drug", ("NEW",)),
    ],
)


def test_ids_outside_the_inventory_count_and_are_no_hit():
    results = evaluate([("x", SPLIT)], INVENTORY, make_systems(["s.1", "s.2"]), resamples=20)
    found = results["sets"]["x"]
    assert (found["not in the inventory"], found["several concepts"]) == (2, 1)
    exact, seen = found["systems"]["s.2 exact"], found["systems"]["s.1 dictionary"]
    keys = ("accuracy_at_1", "accuracy_at_10", "mrr", "mentions")
    assert [exact[key] for key in keys] == [0.25, 0.25, 0.25, 4]
    groups = exact["groups"]
    assert groups["in inventory"]["accuracy_at_1"] == groups["body"]["accuracy_at_1"] == 0.5
    assert [seen["groups"][one]["accuracy_at_1"] for one in ("seen", "unseen")] == [1.0, 0.0]
    low, high = exact["intervals"]["accuracy_at_1"]
    assert low <= 0.25 <= high
    assert len([table.markdown() for table in tables(results)]) == 2


def test_kept_answers_are_what_an_audit_reads(tmp_path):
    evaluate([("x y", SPLIT)], INVENTORY, make_systems(["s.1"]), resamples=0, predictions=tmp_path)
    train, test = (read_items(tmp_path / f"x-y-{part}.jsonl") for part in ("train", "test"))
    assert [one.text for one in train] == ["little piggy", "drug"]
    score = score_predictions(tmp_path / "x-y-test.jsonl", tmp_path / "x-y-s.1-dictionary.jsonl")
    scores = audit(train, test, score)["metrics"]["1"]
    assert scores["all"]["scores"]["accuracy_at_1"] == 0.25
    assert scores["intervals"]["[.75, 1]"]["scores"]["accuracy_at_1"] == 0.0  # outside, though seen


def test_a_system_that_cannot_learn_here_is_left_out():
    results = evaluate([("x", SPLIT)], INVENTORY, make_systems(["n.5", "s.2"]), resamples=0)
    systems = results["sets"]["x"]["systems"]
    assert "no graph" in systems["n.5 bert to node2vec"]["left out"]
    assert [len(table.rows) for table in tables(results)] == [1, 1]


def test_concepts_without_names_may_take_those_of_training():
    results = evaluate([("x", SPLIT)], INVENTORY, make_systems(["s.2"]), complete=True, resamples=0)
    assert results["sets"]["x"]["systems"]["s.2 exact"]["accuracy_at_1"] == 0.5
    assert (
        evaluate([("x", SPLIT)], None, make_systems(["s.2"]), resamples=0)["sets"]["x"]["concepts"]
        == 2
    )


def test_the_command(tmp_path, cometa):
    from typer.testing import CliRunner

    from spacy_gladis.cli import app

    write_inventory([Concept("10", ("pain of the toe",))], tmp_path / "x.concepts")
    arguments = ["evaluate", "cometa", str(cometa), "--inventory", str(tmp_path / "x.concepts")]
    arguments += ["--system", "s", "--only", "general", "--output", str(tmp_path / "out.json")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    written = json.loads((tmp_path / "out.json").read_text())
    (found,) = written["sets"].values()
    assert found["systems"]["s.5 scispacy"]["accuracy_at_1"] == 1.0
    assert written["problems"] == {"no id": 6}
