"""A full or read-only disk, and two writers of one file: see docs/reference/faults.md."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest

from spacy_gladis.cli.documents import UNUSABLE
from spacy_gladis.dictionary import Dictionary, build_dictionary
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.files import explain_os_error, writing
from tests.support.paths import UNRESTRICTED


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "Permission denied"),
        (errno.ENOENT, "None"),
    ],
)
def test_a_disk_that_takes_nothing_has_its_advice(number, advice):
    assert advice in str(explain_os_error(OSError(number, os.strerror(number))))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_told_in_a_line():
    call = ["annotate", "The WHO met.", "--definitions-only", "--format", "json", "-o", "/dev/full"]
    command = [sys.executable, "-m", "spacy_gladis", *call]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == UNUSABLE
    assert done.stderr.startswith("Error: The disk is full") and done.stderr.count("\n") == 1


def test_two_writers_of_one_file(tmp_path):
    """The last to end wins; the file is one of the two, whole."""
    path, together = tmp_path / "file", Barrier(2)

    def write(letter: bytes) -> None:
        with writing(path) as temporary:
            together.wait()
            temporary.write_bytes(letter * 100_000)
            together.wait()

    writers = [Thread(target=write, args=(letter,)) for letter in (b"a", b"b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_edit_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"read")
    with (
        pytest.raises(InputError, match="changed by another program"),
        writing(path, b"read") as temporary,
    ):
        temporary.write_bytes(b"ours")
        path.write_bytes(b"somebody's edit")
    assert path.read_bytes() == b"somebody's edit"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes are those of POSIX")
def test_links_are_followed_modes_stay_and_pipes_are_written_to(tmp_path):
    path, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    path.touch(0o640)
    link.symlink_to(path)
    with writing(link) as temporary:
        temporary.write_bytes(b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for stream in (pipe, Path("/dev/fd", str(os.open(pipe, os.O_WRONLY)))):
        with writing(stream) as temporary:
            temporary.write_bytes(b"new")
        assert os.read(reader, 10) == b"new" and pipe.is_fifo()
    os.close(reader)


@pytest.mark.skipif(not hasattr(os, "chown") or not UNRESTRICTED, reason="root alone gives away")
def test_the_owner_of_a_file_stays(tmp_path):
    path = tmp_path / "file"
    path.touch()
    os.chown(path, 1, 2)
    with writing(path) as temporary:
        temporary.write_bytes(b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, path.read_bytes()) == (1, 2, b"new")


@pytest.mark.skipif(UNRESTRICTED, reason="this user may write every file")
def test_a_read_only_file_stays_and_so_does_a_folder(tmp_path):
    path = tmp_path / "file"
    path.touch(0o400)
    with pytest.raises(PermissionError), writing(path):
        pass
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError), writing(tmp_path / "other") as temporary:
        temporary.touch()


def test_what_killed_writers_left_goes(tmp_path):
    left, new = tmp_path / ".file.1-2.tmp", tmp_path / ".file.1-3.tmp"
    for folder in (left, new):
        folder.touch()
    os.utime(left, (0, 0))
    with writing(tmp_path / ("n" * 240)) as temporary:
        temporary.touch()
    assert not left.exists() and new.exists()


@pytest.fixture
def opened(tmp_path):
    """A dictionary that is open, and another one."""
    for name, meaning in (("ours", "adequate intake"), ("other", "artificial intelligence")):
        build_dictionary([("AI", meaning, "", 1)], tmp_path / f"{name}.sqlite")
    return Dictionary.open(tmp_path / "ours.sqlite")


def meanings(dictionary):
    return [candidate.long_form for candidate in dictionary.candidates("AI")]


def test_an_open_dictionary_outlives_its_replacement(opened, tmp_path):
    """A reader keeps the file that it opened, whoever writes another one in its place."""
    (tmp_path / "other.sqlite").replace(tmp_path / "ours.sqlite")
    assert meanings(opened) == ["adequate intake"]
    assert meanings(Dictionary.open(tmp_path / "ours.sqlite")) == ["artificial intelligence"]


def test_a_dictionary_that_is_written_over_while_it_is_open_is_told(opened, tmp_path):
    """A whole one, so that nothing else would tell."""
    assert meanings(opened)
    (tmp_path / "ours.sqlite").write_bytes((tmp_path / "other.sqlite").read_bytes())
    with pytest.raises(FormatError, match="was overwritten"):
        opened.candidates("CT")
    assert meanings(Dictionary.open(tmp_path / "ours.sqlite")) == ["artificial intelligence"]
