"""The texts a user names."""

import gzip
import io
import os
from threading import Thread

import pytest

from spacy_gladis.documents.sources import NamedSources
from spacy_gladis.errors import InputError
from spacy_gladis.problem import ProblemLog


def read(*given):
    problems = ProblemLog()
    sources = list(NamedSources([str(path) for path in given]).read(problems))
    return [(source.name, source.text) for source in sources], dict(problems.counts)


@pytest.mark.parametrize(
    "text", ["the AI for potassium", "NASA", "a\nb", "x" * 5000 + " y", "\0 AI", "AI. Or not?"]
)
def test_a_text_is_itself(text):
    assert read(text) == ([("text", text)], {})


def test_files_and_folders_are_read_in_order(tmp_path):
    (tmp_path / "b.txt").write_text("second AI")
    (tmp_path / "a.md").write_text("\ufefffirst AI", "utf8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c").write_text("third")
    (tmp_path / ".hidden").write_text("no")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("no")
    texts, problems = read(tmp_path)
    assert [text for _, text in texts] == ["first AI", "second AI", "third"]
    assert not problems
    assert read(tmp_path / "b.txt", tmp_path / "a.md")[0][0][1] == "second AI"


def test_a_folder_without_documents_is_a_problem(tmp_path):
    (tmp_path / "data.bin").write_text("no")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.txt").write_text("AI")
    assert read(tmp_path)[1] == {}
    (tmp_path / "deep" / "a.txt").unlink()
    assert read(tmp_path) == ([], {"empty folder": 1})


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.txt").write_bytes(bytes(range(256)))
    (tmp_path / "b.txt").write_bytes("café".encode("latin-1"))
    assert read(tmp_path)[1] == {"unknown format": 1, "wrong encoding": 1}


def test_documents_are_counted_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "x.jsonl").write_text('{"text": "two"}\n{"text": "three"}\n')
    assert [NamedSources([name]).count() for name in ("the AI", "-", "a.txt")] == [1, 1, 1]
    assert NamedSources(["."]).count() == 3
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(b"")[:10] + b"\xff" * 9)
    for name in ("gone.jsonl", "b.jsonl.gz"):
        assert NamedSources([name, "a.txt"]).count() is None
    (tmp_path / "x.spacy").write_bytes(b"")
    assert NamedSources(["."]).count() is None


def test_encodings_by_mark_by_name_and_of_standard_input(tmp_path, monkeypatch):
    (tmp_path / "marked.txt").write_bytes("caf\xe9".encode("utf-16"))
    (tmp_path / "latin.txt").write_bytes("caf\xe9".encode("latin-1"))
    assert read(tmp_path / "marked.txt")[0][0][1] == "caf\xe9"
    assert read(tmp_path / "latin.txt")[1] == {"wrong encoding": 1}
    (source,) = NamedSources([str(tmp_path / "latin.txt")], "latin-1").read(ProblemLog())
    assert source.text == "caf\xe9"
    for data, encoding, text in (
        ("caf\xe9".encode("utf-16"), None, ["caf\xe9"]),
        (b"caf\xe9", "latin-1", ["caf\xe9"]),
        (b"caf\xe9", None, []),
    ):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert [source.text for source in NamedSources(["-"], encoding).read(ProblemLog())] == text


def test_lone_surrogates_are_replaced(monkeypatch):
    assert read("an \udc80 AI")[0] == [("text", "an \ufffd AI")]
    monkeypatch.setattr("sys.stdin", io.StringIO("an \udc80 AI"))
    assert read("-")[0] == [("standard input", "an \ufffd AI")]


class Endless(io.RawIOBase):
    """Gives the same bytes for ever."""

    def __init__(self, part):
        self.part = part

    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = self.part * len(buffer)
        return len(buffer)


@pytest.mark.parametrize(
    ("part", "said"), [(b"\0", "binary"), (b"a", "more than 268,435,456 bytes")]
)
def test_standard_input_without_end(monkeypatch, part, said):
    given = io.TextIOWrapper(io.BufferedReader(Endless(part)))
    monkeypatch.setattr("sys.stdin", given)
    problems = ProblemLog()
    assert not list(NamedSources(["-"]).read(problems))
    assert said in problems.to_json()["examples"][0]


@pytest.mark.parametrize("given", [(), ("missing.txt",), ("some/folder",), ("a.txt", "b.txt")])
def test_nothing_to_read_is_an_error_at_once(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        NamedSources(given).read(ProblemLog())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("a.md", "The CPU.\n", ["The CPU."]),
        ("a.eml", "Subject: CPU\n\nThe CPU.\n", ["CPU\n\nThe CPU.\n"]),
        ("a.csv", "", []),
        ("a.jsonl", "", []),
        ("a.docx", "", []),
    ],
)
def test_a_pipe_is_read_once(tmp_path, name, written, read):
    pipe, problems = tmp_path / name, ProblemLog()
    os.mkfifo(pipe)
    given = NamedSources([str(pipe)])
    assert given.count() in (None, 1) and not given.guessed_columns()
    writer = Thread(target=pipe.write_text, args=[written], daemon=True)
    if written:
        writer.start()
    assert [source.text for source in given.read(problems)] == read
    examples = problems.to_json()["examples"]
    assert len(examples) == (not read) and all("from a pipe" in example for example in examples)
