"""A disk that is full or may not be written, and two writers of one file: see docs/faults.md."""

import errno
import os
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest

from spacy_gladis import cli
from spacy_gladis.cli.documents import UNUSABLE
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.files import advice_on, writing
from tests.support.paths import UNRESTRICTED

TABLE = "acronym,long_form,count\nAI,adequate intake,3\n"


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "may not be read or written"),
        (errno.EACCES, "may not be read or written"),
    ],
)
def test_a_disk_that_takes_nothing_is_told_in_a_line(number, advice, tmp_path, monkeypatch, capsys):
    table, made = tmp_path / "table.csv", tmp_path / "made.sqlite"
    table.write_text(TABLE, "utf8")
    made.write_bytes(b"what was there")

    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("spacy_gladis.files.os.fsync", refuse)
    arguments = ["spacy-gladis", "dictionary", "import", str(table), "-o", str(made)]
    monkeypatch.setattr(sys, "argv", [*arguments, "--overwrite"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == UNUSABLE
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("Error: ") and advice in last
    assert made.read_bytes() == b"what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.sqlite", "table.csv"]


@pytest.mark.skipif(UNRESTRICTED, reason="this user may write into every folder")
def test_a_read_only_folder(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError), writing(tmp_path / "file"):
        pass


def test_other_errors_are_not_explained_away():
    assert advice_on(FileNotFoundError(errno.ENOENT, "No such file")) is None


def test_two_writers_of_one_file(tmp_path):
    """The last to end wins; the file is one of the two, whole."""
    path, together = tmp_path / "file", Barrier(2)

    def write(letter: bytes) -> None:
        with writing(path) as temporary:
            together.wait()
            temporary.write_bytes(letter * 100_000)
            together.wait()

    writers = [Thread(target=write, args=(letter,)) for letter in (b"a", b"b")]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert path.read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_an_open_dictionary_outlives_its_replacement(tmp_path):
    """A reader keeps the file that it opened, whoever writes another one in its place."""
    from spacy_gladis.dictionary import build_dictionary

    path = tmp_path / "ours.sqlite"
    build_dictionary([("AI", "adequate intake", "", 1)], path)
    opened = Dictionary.open(path)
    build_dictionary([("AI", "artificial intelligence", "", 1)], path)
    assert [one.long_form for one in opened.candidates("AI")] == ["adequate intake"]
    new = Dictionary.open(path)
    assert [one.long_form for one in new.candidates("AI")] == ["artificial intelligence"]


def test_no_result_depends_on_the_time_of_day():
    """Durations come from clocks that never go back; nothing reads the date."""
    package = Path(cli.__file__).parents[1]
    sources = {path: path.read_text("utf8") for path in package.rglob("*.py")}
    assert len(sources) > 100
    for path, source in sources.items():
        assert "time.time(" not in source and "datetime.now" not in source, path
