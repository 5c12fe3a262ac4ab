import json

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.problem import ProblemLog
from spacy_gladis.research.mining.readers import Piece, read_documents, read_entities, read_pile
from tests.support.corpora import records, write_lines


def documents_of(path, domain=None):
    problems = ProblemLog()
    return list(read_documents(path, domain, problems)), problems


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".zst"])
def test_pile_shard(tmp_path, ending):
    wanted = records(5)
    documents, problems = documents_of(write_lines(tmp_path / f"00.jsonl{ending}", wanted))
    assert [document.text for document in documents] == [record["text"] for record in wanted]
    assert [document.id for document in documents] == [f"00:{number}" for number in range(1, 6)]
    assert [document.domain for document in documents][:3] == ["Papers", "Reports", "Web"]
    assert not problems.counts


def test_pile_without_a_domain(tmp_path):
    path = write_lines(tmp_path / "notes.jsonl", [{"text": "one"}, {"text": "two", "meta": []}])
    assert {document.domain for document in documents_of(path)[0]} == {"notes"}
    assert {document.domain for document in documents_of(path, "Mail")[0]} == {"Mail"}


def test_bad_records_are_reported_with_file_and_line(tmp_path):
    lines = [
        {"text": "good"},
        b'{"text": "cut off',
        {"text": ""},
        {"title": "no text"},
        {"text": ["no", "string"]},
        b"[1, 2]",
        '{"text": "Größe"}'.encode("latin-1"),
        b"",
        b"[" * 100_000,
        {"text": "good again"},
    ]
    path = write_lines(tmp_path / "bad.jsonl", lines)
    documents, problems = documents_of(path)
    assert [document.id for document in documents] == ["bad:1", "bad:10"]
    assert problems.counts == {"invalid JSON": 2, "no text": 4, "wrong encoding": 1}
    places = [example.split(": ")[0] for example in problems.to_json()["examples"]]
    assert sorted(places) == sorted(f"{path}:{line}" for line in (2, 3, 4, 5, 6, 7, 9))


def test_halves_of_characters_are_replaced(tmp_path):
    line = rb'{"text": "a \ud83d b \uD83D\uDE00 c"}'
    [document] = documents_of(write_lines(tmp_path / "x.jsonl", [line]))[0]
    assert document.text == "a \ufffd b \U0001f600 c"


def test_a_piece_names_its_shard(tmp_path):
    path = write_lines(tmp_path / "00-00003.jsonl.zst", [{"text": "one"}, b"broken"])
    problems = ProblemLog()
    piece = Piece("00-00003", path, "00", tmp_path / "00.jsonl.zst", first_line=501)
    assert [document.id for document in read_pile(piece, problems)] == ["00:501"]
    assert f"{tmp_path / '00.jsonl.zst'}:502:" in problems.to_json()["examples"][0]


def test_folder_of_texts(tmp_path):
    folder = tmp_path / "letters"
    (folder / "deep").mkdir(parents=True)
    (folder / "b.txt").write_text("second", encoding="utf-8")
    (folder / "a.txt").write_text("\ufefffirst", encoding="utf-8")
    (folder / "deep" / "c.txt").write_text("third", encoding="utf-8")
    (folder / "empty.txt").write_text(" \n", encoding="utf-8")
    (folder / "latin.txt").write_bytes("Größe".encode("latin-1"))
    documents, problems = documents_of(folder)
    assert [document.text for document in documents] == ["first", "second", "third"]
    assert {document.domain for document in documents} == {"letters"}
    assert problems.counts == {"no text": 1, "wrong encoding": 1}
    [single] = documents_of(folder / "b.txt")[0]
    assert (single.id, single.domain) == ("b.txt", "b")


def test_docbin(tmp_path):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    path = tmp_path / "docs.spacy"
    texts = ["One text.", "", "Another  text."]
    spacy.tokens.DocBin(docs=[nlp(text) for text in texts]).to_disk(path)
    documents, problems = documents_of(path)
    assert [document.text for document in documents] == ["One text.", "Another  text."]
    assert [document.id for document in documents] == ["docs:1", "docs:3"]
    assert problems.counts == {"no text": 1}
    path.write_bytes(path.read_bytes()[:50])
    documents, problems = documents_of(path)
    assert not documents
    assert problems.counts == {"damaged file": 1}


def entity(number, label, aliases, **more):
    return {
        "id": f"Q{number}",
        "labels": {"en": {"language": "en", "value": label}} if label else [],
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]}
        if aliases
        else [],
        **more,
    }


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2"])
def test_wikidata_dump(tmp_path, ending):
    entities = [
        entity(1, "European Space Agency", ["ESA", "the agency (Paris)"]),
        entity(2, "no aliases", []),
        entity(3, "", ["ABC"]),
        entity(4, "ECB", ["European Central Bank"]),
    ]
    lines = [
        b"[",
        *(json.dumps(entity).encode() + b"," for entity in entities),
        b'{"id": "Q5"',
        b"]",
    ]
    documents, problems = documents_of(write_lines(tmp_path / f"dump.json{ending}", lines))
    assert [(document.id, document.text) for document in documents] == [
        ("Q1", "European Space Agency (ESA)"),
        ("Q4", "European Central Bank (ECB)"),
    ]
    assert {document.domain for document in documents} == {"Wikidata"}
    assert problems.counts == {"invalid JSON": 1}


def test_wikidata_titles_and_classes(tmp_path):
    claims = {
        name: [{"mainsnak": {"datavalue": {"value": {"id": id}}}}]
        for name, id in (("P31", "Q79913"), ("P279", "Q43229"))
    }
    unknown = {"P31": [{"mainsnak": {"snaktype": "somevalue"}}]}
    sitelinks = {"enwiki": {"title": "European Space Agency"}}
    entities = [
        entity(1, "European Space Agency", ["ESA"], claims=claims, sitelinks=sitelinks),
        entity(2, "nameless class", [], claims=unknown, sitelinks=[]),
        {"id": "Q3", "labels": "no object"},
    ]
    path = write_lines(tmp_path / "dump.json", entities)
    problems = ProblemLog()
    first, second = read_entities(Piece.whole(path), problems)
    assert (first.alternates, first.domain) == (("European Space Agency",), "class")
    assert first.parents == ("Q79913", "Q43229")
    assert (second.alternates, second.domain, second.parents) == ((), "", ())
    assert problems.counts == {"no entity": 1}


def atom(concept, name, language="ENG", preferred=False, suppress="N"):
    term, string, atom_preferred = ("P", "PF", "Y") if preferred else ("S", "VO", "N")
    fields = [concept, language, term, "L1", string, "S1", atom_preferred, "A1", "", "", "", "MSH"]
    return "|".join([*fields, "MH", "D1", name, "0", suppress, "", ""]).encode()


def test_umls_names(tmp_path):
    lines = [
        atom("C1", "CSF"),
        atom("C1", "Cerebrospinal Fluid", preferred=True),
        atom("C1", "Liquor cerebrospinalis", language="LAT"),
        atom("C1", "old name", suppress="O"),
        atom("C2", "Heart", preferred=True),
        b"C3|ENG|too few",
        atom("C4", "Größe").decode().encode("latin-1"),
        atom("C5", "Nuclear Magnetic Resonance", preferred=True),
        atom("C5", "NMR"),
        atom("C5", "NMR"),
    ]
    documents, problems = documents_of(write_lines(tmp_path / "MRCONSO.RRF.gz", lines))
    assert [(document.id, document.text, document.domain) for document in documents] == [
        ("C1", "Cerebrospinal Fluid (CSF)", "UMLS"),
        ("C5", "Nuclear Magnetic Resonance (NMR)", "UMLS"),
    ]
    assert problems.counts == {"wrong columns": 1, "wrong encoding": 1}


def test_what_is_missing_or_unknown_stops_at_once(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_documents(tmp_path / "nowhere.jsonl")
    path = tmp_path / "data.parquet"
    path.write_bytes(b"")
    with pytest.raises(InputError, match="unknown format"):
        read_documents(path)
