"""Readers of vocabularies: small files in each publisher's form."""

import json

import pytest

from spacy_gladis.concepts import Concept
from spacy_gladis.concepts.readers import read_concepts
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog

OBO = """format-version: 1.2

[Term]
id: X:1
name: sore toe
alt_id: X:9
def: "A toe that \\"hurts\\"." [me]
synonym: "toe pain." EXACT []
synonym: "foot pain" BROAD []
xref: MESH:D001
xref: SNOMEDCT_US_2016_03_01:77 "toe"
is_a: X:0 ! pain

[Term]
id: X:2
name: gone
is_obsolete: true

[Term]
name: nameless one's id is missing

[Typedef]
id: part_of
name: part of
"""
SSSOM = """# curie_map: {}
subject_id	subject_label	predicate_id	object_id
M:1	sore toe	skos:exactMatch	mesh:D001
M:2	toe	skos:broadMatch	mesh:D002
M:3	sore toe	skos:exactMatch	SCTID:77
M:4	cut off
"""
CTD = """# Fields:
# DiseaseName	DiseaseID	AltDiseaseIDs	Definition	ParentIDs	Synonyms
#
Sore Toe	MESH:D001	OMIM:1|MESH:D009	Hurts.	MESH:C1|MESH:C2	Toe Pain|Aching Toe
short	line
"""


@pytest.fixture
def read(tmp_path):
    def read(name, content, vocabulary=None):
        (tmp_path / name).write_text(content, "utf8")
        problems = ProblemLog()
        return list(read_concepts(tmp_path / name, problems, vocabulary)), dict(problems.counts)

    return read


def test_obo(read):
    definition = 'A toe that "hurts".'
    expected = Concept("X:1", ("sore toe", "toe pain"), ("X:9",), "", definition, ("X:0",))
    assert read("x.obo", OBO) == ([expected], {"wrong term": 1})


@pytest.mark.parametrize(("vocabulary", "id"), [("MESH", "D001"), ("SNOMEDCT", "77")])
def test_obo_under_another_vocabulary_s_ids(read, vocabulary, id):
    assert read("x.obo", OBO, vocabulary)[0] == [Concept(id, ("sore toe", "toe pain"), ("X:1",))]


def test_obo_s_parents_without_an_id_of_the_vocabulary_are_passed_over(read):
    chain = [("A", "", ""), ("B", "D1", "A"), ("C", "", "B"), ("D", "D2", "C"), ("E", "D1", "D")]
    content = "".join(
        f"[Term]\nid: X:{id}\nname: {id}\n"
        + f"xref: MESH:{mapped}\n" * bool(mapped)
        + f"is_a: X:{parent} ! over\n" * bool(parent)
        for id, mapped, parent in chain
    )
    concepts = read("x.obo", content, "MESH")[0]
    assert [(concept.id, concept.alternates, concept.parents) for concept in concepts] == [
        ("D1", ("X:B",), ()),
        ("D2", ("X:D",), ("D1",)),
        ("D1", ("X:E",), ("D2",)),
    ]


def test_sssom(read):
    concepts, problems = read("m.sssom.tsv", SSSOM)
    assert [(concept.id, concept.names[0], concept.alternates) for concept in concepts] == [
        ("D001", "sore toe", ("M:1",)),
        ("77", "sore toe", ("M:3",)),
    ]
    assert problems == {"wrong columns": 1}
    assert [concept.id for concept in read("m.sssom.tsv", SSSOM, "SCTID")[0]] == ["77"]
    with pytest.raises(FormatError, match="object_id"):
        read("n.sssom.tsv", SSSOM.replace("object_id", "object"))


def test_medic_as_biosyn_has_it(read):
    lines = "D001|143100||Sore Toe|Mario&apos;s toe\nD002||Gout\nno id here\n"
    concepts, problems = read("medic.txt", lines)
    assert concepts == [
        Concept("D001", ("Sore Toe", "Mario's toe"), ("143100",), "Disease"),
        Concept("D002", ("Gout",), (), "Disease"),
    ]
    assert problems == {"wrong columns": 1}


def test_ctd(read):
    names = ("Sore Toe", "Toe Pain", "Aching Toe")
    expected = Concept("D001", names, ("OMIM:1", "D009"), "Disease", "Hurts.", ("C1", "C2"))
    assert read("CTD_diseases.tsv", CTD) == ([expected], {"wrong columns": 1})


@pytest.mark.parametrize("lines", [True, False])
def test_scispacy(read, lines):
    records = [
        {"concept_id": "C1", "canonical_name": "toe", "aliases": ["toes"], "types": ["T1"]},
        {"concept_id": "C2"},
        {"concept_id": "C3", "canonical_name": "gout", "definition": None, "aliases": [3]},
    ]
    content = "\n".join(map(json.dumps, records)) + "\n{" if lines else json.dumps(records)
    concepts, problems = read("kb.jsonl" if lines else "kb.json", content)
    assert concepts == [Concept("C1", ("toe", "toes"), domain="T1")]
    assert problems == {"no concept": 2 + lines}


def test_tables(read):
    assert read("a.tsv", "D1\tone\tuno\nD2\ttwo\n\nbare\n") == (
        [Concept("D1", ("one", "uno")), Concept("D2", ("two",))],
        {"wrong columns": 1},
    )
    header = "?term\t?term_label\tin_use\t?layperson\n"
    row = '<http://purl.obolibrary.org/obo/HP_0001>\t"Toe"\t1\t"little piggy"\n'
    assert read("b.tsv", header + row)[0] == [Concept("HP:0001", ("Toe", "little piggy"))]


def test_mrconso(read):
    def atom(id, name, ts="P", language="ENG", suppressed="N"):
        return f"{id}|{language}|{ts}|L|PF|S|Y|A||||S|PT|1|{name}|0|{suppressed}||"

    rows = [atom("C1", "Toes", "S"), atom("C1", "Toe"), atom("C1", "Zeh", language="GER")]
    rows += [atom("C2", "old", suppressed="O"), "C3|ENG"]
    concepts, problems = read("MRCONSO.RRF", "\n".join(rows))
    assert concepts == [Concept("C1", ("Toe", "Toes"))]
    assert problems == {"wrong columns": 1}


def test_snomed_release(tmp_path):
    def write(name, rows):
        path = tmp_path / "Snapshot" / "Terminology" / f"{name}_INT_20200101.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join("\t".join(row.split()) for row in rows).replace("~", " ") + "\n")

    full, synonym, is_a = "900000000000003001", "900000000000013009", "116680003"
    write("sct2_Concept_Snapshot", ["id t active m d", "1 0 1 m d", "2 0 1 m d", "3 0 0 m d"])
    write(
        "sct2_Description_Snapshot-en",
        [
            "id t active m conceptId lang typeId term case",
            f"11 0 1 m 1 en {synonym} Aching~toe c",
            f"12 0 1 m 1 en {full} Sore~toe~(finding) c",
            f"13 0 1 m 1 de {synonym} Zeh c",
            f"14 0 0 m 1 en {synonym} old c",
            f"15 0 1 m 3 en {full} inactive c",
            "16 0 1 m",
        ],
    )
    write(
        "sct2_Relationship_Snapshot", [f"9 0 1 m 1 2 0 {is_a} c m", "9 0 1 m 1 3 0 363698007 c m"]
    )
    write("der2_cRefset_AssociationSnapshot", ["9 0 1 m 900000000000527005 3 1"])
    problems = ProblemLog()
    assert list(read_concepts(tmp_path, problems)) == [
        Concept("1", ("Sore toe", "Aching toe"), ("3",), "finding", "", ("2",)),
        Concept("2", ()),
    ]
    assert problems.counts == {"wrong columns": 1}
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="Release Format 2"):
        list(read_concepts(tmp_path / "empty", problems))


def test_psytar_names_its_concepts(tmp_path):
    head = "id\tdrug\tsentence\tADRs\tUMLS1\tSNOMED-CT\tUMLS2\tSNOMED-CT\n"
    row = "1\tx.1\t1\tmy toe hurts\tC0000001 / Sore toe / Finding\tSore toe (finding) "
    row += "[A1/SNOMEDCT_US/FN/77]\tc0000002/gout/disease\t\n"
    (tmp_path / "ADR_Mapped.tsv").write_text(head + row)
    problems = ProblemLog()
    assert [concept[:2] for concept in read_concepts(tmp_path, problems)] == [
        ("C0000001", ("Sore toe",)),
        ("C0000002", ("gout",)),
    ]
    assert list(read_concepts(tmp_path, problems, "SNOMEDCT")) == [
        Concept("77", ("Sore toe",), domain="finding")
    ]
    assert problems.counts == {"no sheet": 6}


def test_inventories_are_sources_too(tmp_path):
    from spacy_gladis.concepts import write_inventory

    write_inventory([Concept("A", ("a", "b"), ("C",))], tmp_path / "x.concepts")
    assert list(read_concepts(tmp_path / "x.concepts")) == [Concept("A", ("a", "b"), ("C",))]


def test_unknown_sources_are_refused_before_work(tmp_path):
    with pytest.raises(InputError, match="no file or folder"):
        read_concepts(tmp_path / "none.obo")
    (tmp_path / "x.pdf").touch()
    with pytest.raises(InputError, match="unknown format"):
        read_concepts(tmp_path / "x.pdf")
