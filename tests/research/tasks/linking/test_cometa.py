"""Linking phrases to concepts: the data sets' layouts, the splits, the protocol."""

import json

import numpy as np
import pytest

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory, write_inventory
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog
from spacy_gladis.research.datasets.linked_phrases import read_cometa, read_pubtator
from spacy_gladis.research.tasks.linking.data import (
    Gold,
    LinkedPhrases,
    Training,
    completed,
    phrase_groups,
)
from spacy_gladis.research.tasks.linking.splits import (
    Split,
    phrases_apart,
    read_sets,
    stratified,
    zero_shot,
)
from spacy_gladis.research.tasks.linking.task import measure
from spacy_gladis.research.tasks.task import DataSet
from tests.support.tasks import make

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
    articles = list(read_pubtator(tmp_path / "x.txt", problems))
    assert [(mention.phrase, mention.concepts, mention.start) for mention in articles] == [
        ("Sore toes", ("D1",), 0),
        ("ache", ("D2", "D3"), 16),
        ("Itch", ("D4", "D5"), -1),
    ]
    assert articles[0].text == "Sore toes. They ache and itch."
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
    everything = [mention for part in sets["UMLS stratified"] for mention in part]
    assert len(everything) == 40
    assert [mention[2:] for mention in everything if mention.phrase == "word3"] == [
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


def test_unknown_splits_and_folders_are_refused(tmp_path):
    with pytest.raises(InputError, match="Unknown split 'random'"):
        list(read_sets(tmp_path, ["random"]))
    with pytest.raises(InputError, match="no data set in a known layout"):
        list(read_sets(tmp_path))
    with pytest.raises(InputError, match="does not exist"):
        list(read_sets(tmp_path / "none"))


MENTIONS = [
    ConceptMention(f"{word} {concept}", (f"C{concept}",))
    for concept in range(9)
    for word in ("sore", "Sore", "aching", "hurting", "bad", "stiff", "red")[: 7 - concept % 5]
]


def concepts_of(part):
    return {concept for mention in part for concept in mention.concepts}


def test_stratified_parts_know_the_concepts():
    mentions = [mention._replace(document=f"{n}") for n, mention in enumerate(MENTIONS * 3)]
    split = stratified(mentions)
    assert sorted(mention for part in split for mention in part) == sorted(mentions)
    assert [len(part) / len(mentions) for part in split] == pytest.approx(
        [0.67, 0.11, 0.22], abs=0.02
    )
    for part in (split.dev, split.test):
        assert concepts_of(part) <= concepts_of(split.train)
    assert {mention.phrase for mention in split.test} & {mention.phrase for mention in split.train}
    assert split == stratified(mentions) != stratified(mentions, seed=1)
    with pytest.raises(InputError, match="too few phrases"):
        stratified(mentions[:1])


def test_phrases_go_apart():
    split = phrases_apart(MENTIONS)
    assert sum(map(len, split)) == len(MENTIONS)
    for part in (split.dev, split.test):
        assert part and concepts_of(part) <= concepts_of(split.train)
        assert not {m.phrase.lower() for m in part} & {m.phrase.lower() for m in split.train}
    assert split == phrases_apart(MENTIONS) != phrases_apart(MENTIONS, seed=1)


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
        ConceptMention("Little Piggy", ("D1",), kind="body"),
        ConceptMention("Ache", ("OTHER", "D2"), kind="body"),
        ConceptMention("gout", ("OUTSIDE",)),
        ConceptMention("drug", ("NEW",)),
    ],
)


def answered(name, inventory=INVENTORY):
    """The measured answers of a system to the test part."""
    gold = [inventory.find_all(mention.concepts) for mention in SPLIT.test]
    groups = phrase_groups(inventory, SPLIT, gold)
    data = DataSet("x", Training(inventory, *SPLIT[:2]), SPLIT.test, Gold(inventory, gold, groups))
    system = make("cometa", name)
    system.fit(data.training)
    return measure(data, system.predict(data.questions))


def test_ids_outside_the_inventory_count_and_are_no_hit():
    exact, seen = answered("s.2 exact"), answered("s.1 dictionary")
    assert exact.statistic(np.arange(4)) == {
        "accuracy_at_1": 0.25,
        "accuracy_at_10": 0.25,
        "mrr": 0.25,
    }
    groups = {
        name: group.metrics["accuracy_at_1"] for name, group in exact.groups["phrases"].items()
    }
    assert groups["in inventory"] == groups["body"] == 0.5
    phrases = seen.groups["phrases"]
    assert [phrases[name].metrics["accuracy_at_1"] for name in ("seen", "unseen")] == [1.0, 0.0]
    assert exact.answers[1] == {"prediction": "D2", "rank": 1}


def test_concepts_without_names_may_take_those_of_training():
    train = [*SPLIT.train, *SPLIT.dev]
    inventory = completed(INVENTORY, train)
    assert answered("s.2 exact", inventory).statistic(np.arange(4))["accuracy_at_1"] == 0.5
    assert len(completed(None, train)) == 2


def test_the_command(tmp_path, cometa):
    from typer.testing import CliRunner

    from spacy_gladis.cli import app

    write_inventory([Concept("10", ("pain of the toe",))], tmp_path / "x.concepts")
    arguments = ["evaluate", "cometa", str(cometa), "--inventory", str(tmp_path / "x.concepts")]
    arguments += ["--system", "s", "--only", "general", "--output", str(tmp_path / "out.jsonl")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    written = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    by_system = {result["system"]: result for result in written}
    assert sorted(name[:3] for name in by_system) == ["s.1", "s.2", "s.3", "s.4", "s.6"]
    assert by_system["s.4 stoilos"]["metrics"]["accuracy_at_1"]["value"] == 1.0
    assert by_system["s.4 stoilos"]["details"]["no id"] == 3


def test_phrases_without_a_concept_may_be_left_out(tmp_path, cometa):
    write_inventory([Concept("10", ("pain",)), Concept("22", ("ache",))], tmp_path / "x.concepts")
    reader = LinkedPhrases(tmp_path / "x.concepts", without_nil=True)
    general, specific = reader.read([cometa])
    assert general.details["train"] == general.details["test"] == 1
    assert (specific.details["train"], specific.details["test"]) == (0, 1)
    write_inventory([Concept("10", ("pain",))], tmp_path / "y.concepts")
    with pytest.raises(InputError, match="no test part"):
        list(LinkedPhrases(tmp_path / "y.concepts", without_nil=True).read([cometa]))
