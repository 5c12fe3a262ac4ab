"""What people can give a command by chance or on purpose: it is told in a line, or done."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

DEEP = "[" * 50_000
LONG = "9" * 5_000


@pytest.mark.parametrize("encoding", ["rot13", "hex", "undefined", "x\0y", ""])
def test_an_encoding_that_is_none_of_text(cli, encoding):
    Path("a.txt").write_text("A QBR.\n")
    code, out, err = cli("lint", "a.txt", "--encoding", encoding)
    assert (code, out) == (2, "") and "not an encoding" in err


def test_a_name_as_long_as_names_may_be(cli):
    path = Path("n" * 236 + ".txt")
    path.write_text("A HTML page.\n")
    assert cli("lint", path, "--fix")[0] == 0
    assert path.read_text() == "An HTML page.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="paths are shorter elsewhere")
def test_folders_in_folders(cli):
    here, depth = Path.cwd(), 1_500
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.txt").write_text("A QBR.\n")
    os.chdir(here)
    code, out, _ = cli("lint", "d", "--select", "AC001")
    for _ in range(depth):  # what removes a test's folder calls itself for each level
        os.chdir("d")
    Path("a.txt").unlink()
    for _ in range(depth):
        os.chdir("..")
        Path("d").rmdir()
    assert code == 1 and "AC001 'QBR'" in out


def test_a_mark_at_the_beginning_of_json_lines(cli):
    Path("a.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "A QBR."}\n')
    assert cli("lint", "a.jsonl", "--select", "AC001")[1].startswith("a.jsonl:1:13: AC001 'QBR'")


@pytest.mark.parametrize("value", [LONG, DEEP])
def test_numbers_and_lists_without_end(cli, value):
    Path("a.txt").write_text("A QBR.\n")
    Path("a.jsonl").write_text(f'{{"text": {value}}}\n')
    code, _, err = cli("lint", "a.jsonl", "a.txt")
    assert code == 1 and "a.jsonl:1: invalid JSON" in err
    Path("a.json").write_text(f'{{"AI": [["adequate intake", {value}]]}}')
    code, _, err = cli("lint", "a.txt", "--glossary", "a.json")
    assert code == 2 and err.startswith("Error: a.json")
    Path(".spacy-gladis.toml").write_text(f"least-uses = {value}")
    code, _, err = cli("lint", "a.txt")
    assert code == 2 and "is not TOML" in err


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX alone")
@pytest.mark.parametrize("format", ["text", "json", "sarif", "github"])
def test_names_that_steer_a_terminal_or_are_no_text(cli, format):
    for name in (b"\x1b[31m\x9b\r.txt", b"\xff.txt"):
        Path(os.fsdecode(name)).write_text("A QBR, \x1b[2J a HTML page.\n")
    code, out, err = cli(
        "lint", ".", "missing\x1b[2J", "--select", "AC001,AC009", "--format", format
    )
    assert code == 1 and "QBR" in out and "missing" in err
    assert "\x1b" not in out + err and "\r" not in out


def test_an_import_of_bad_rows_alone_names_them(cli):
    Path("own.csv").write_text('AI,"adequate\nXX,extra\n')
    code, _, err = cli("dictionary", "import", "own.csv", "-o", "own.sqlite")
    assert code == 2 and "nothing to write" in err
    assert "own.csv:1: bad row: a quotation mark is not closed" in err


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX alone")
def test_a_table_with_a_name_that_is_no_text(cli):
    path = Path(os.fsdecode(b"\xff.tsv"))
    path.write_text("AI\tadequate intake\n")
    assert cli("dictionary", "import", path, "-o", "a.sqlite")[0] == 0


def test_concepts_nested_without_end(cli):
    Path("a.json").write_text(f"[{DEEP}")
    code, _, err = cli("concepts", "build", "a.json", "--output", "a.concepts")
    assert code == 2 and err.splitlines()[-1].startswith("Error: ")


def test_cells_that_a_spreadsheet_would_run(cli):
    Path("a.tsv").write_text("acronym\tlong_form\nAI\t=1+1\n@home\tat home\n")
    cli("dictionary", "import", "a.tsv", "-o", "a.sqlite")
    assert cli("dictionary", "export", "b.csv", "--dictionary", "a.sqlite")[0] == 0
    assert "'@home,at home," in Path("b.csv").read_text()
    assert "AI,'=1+1," in Path("b.csv").read_text()
    cli("dictionary", "import", "b.csv", "-o", "b.sqlite")
    out = cli("dictionary", "lookup", "AI", "--json", "--dictionary", "b.sqlite")[1]
    assert [candidate["long_form"] for candidate in json.loads(out)["candidates"]] == ["=1+1"]


@pytest.mark.skipif(os.name != "posix", reason="terminals are those of POSIX")
def test_what_steers_a_terminal_is_shown(tmp_path):
    import pty

    calls = (
        ("annotate", "--definitions-only", "--expand", "first"),
        ("annotate", "--definitions-only", "--format", "jsonl"),
        ("glossary", "--no-resolve"),
        ("learn", "--quiet"),
        ("lint", "--select", "AC009", "--diff"),
    )
    text = "A HTML \x1b[2Jpage\x9b of the \x1b[31m World Health Organization (WHO).\r\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    program = (  # a single process, since each one loads spaCy
        "import sys\nfrom spacy_gladis.cli import main\n"
        f"for call in {calls}:\n"
        "    sys.argv = ['spacy-gladis', *call, 'a.txt']\n"
        "    print('call:', *call)\n"
        "    try:\n        main()\n"
        "    except SystemExit as ended:\n        assert ended.code in (None, 0, 1), ended.code\n"
    )
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs) as running:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 1 << 16):
                shown += part
    os.close(ours)
    assert running.returncode == 0
    outputs = shown.decode().split("call: ")[1:]
    assert len(outputs) == len(calls)
    for output in outputs:
        assert "World" in output
        assert "\x1b" not in output and "\x9b" not in output
