import random

import pytest

from spacy_gladis.documents import lines as lines_module
from spacy_gladis.documents.lines import read_lines
from spacy_gladis.problem import ProblemLog
from tests.support.corpora import compressor, write_lines

ENDINGS = ["", ".gz", ".bz2", ".zst"]


def lines_of(path, **arguments):
    problems = ProblemLog()
    return list(read_lines(path, problems, **arguments)), problems


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_compression_gives_the_same_lines(tmp_path, ending):
    generator = random.Random(0)
    wanted = [
        bytes(generator.choices(b"abc \xff", k=generator.randrange(300))) for _ in range(5000)
    ]
    path = write_lines(tmp_path / f"lines.txt{ending}", wanted)
    lines, problems = lines_of(path)
    assert lines == list(enumerate(wanted, 1))
    assert not problems.counts


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_a_truncated_file_gives_its_lines_and_one_problem(tmp_path, ending):
    generator = random.Random(0)
    wanted = [str(generator.random()).encode() for _ in range(20_000)]
    path = write_lines(tmp_path / f"lines.txt{ending}", wanted)
    path.write_bytes(path.read_bytes()[:-1000])
    lines, problems = lines_of(path)
    assert 0 < len(lines) < len(wanted)
    assert lines == list(enumerate(wanted[: len(lines)], 1))
    assert problems.counts == {"damaged file": 1}
    assert f"{path}:{len(lines) + 1}:" in problems.to_json()["examples"][0]
    path.write_bytes(b"this is plain text, whatever its name says\n" * 10)
    lines, problems = lines_of(path)
    assert not lines and problems.counts == {"damaged file": 1}


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_several_compressed_parts_are_one_file(tmp_path, ending):
    compress = compressor(ending)
    path = tmp_path / f"lines.txt{ending}"
    path.write_bytes(compress(b"one\ntw") + compress(b"o\n") + compress(b"three\n"))
    assert lines_of(path)[0] == [(1, b"one"), (2, b"two"), (3, b"three")]


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".zst"])
def test_a_line_too_long_is_left_out_and_the_numbers_stay(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(lines_module, "CHUNK", 64)
    monkeypatch.setattr(lines_module, "MAX_LINE", 1000)
    path = tmp_path / f"lines.txt{ending}"
    written = b"one\n" + b"x" * 5000 + b"\nthree\n" + b"y" * 5000
    path.write_bytes(compressor(ending)(written) if ending else written)
    lines, problems = lines_of(path)
    assert lines == [(1, b"one"), (3, b"three")]
    assert problems.counts == {"line too long": 2}
