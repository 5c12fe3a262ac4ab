"""`spacy-gladis lint` as people run it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from spacy_gladis.lint.registry import BUILT_IN

TEXT = "A QBR card. A HTML page.\n"


def test_findings_and_exit_codes(cli):
    Path("a.md").write_text(TEXT)
    given = ("lint", "a.md", "--select", "AC001,AC009")
    code, out, err = cli(*given)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "a.md:1:3: AC001 'QBR' is used but never defined",
        "a.md:1:13: AC009 Use 'An HTML' instead of 'A HTML'",
        "2 findings: 1 AC001, 1 AC009.",
        "1 fixable with --fix.",
    ]
    assert cli(*given, "--ignore", "AC001,AC009")[0] == 0
    assert cli("lint", "a.md")[1].splitlines()[:2] == [out.splitlines()[1], "1 finding: 1 AC009."]
    Path("known.txt").write_text("QBR\n")
    assert cli(*given, "--ignore", "AC009", "--known-file", "known.txt")[0] == 0
    assert cli("lint", "a.md", "--select", "AC999")[0] == 2
    assert cli("lint", "missing.md")[0] == 2


def test_notes_alone_do_not_fail(cli):
    Path("a.md").write_text("A QBR card.\n")
    Path(".spacy-gladis.toml").write_text('select = ["AC001"]\n[severity]\nAC001 = "note"\n')
    code, out, _ = cli("lint", "a.md")
    assert code == 0
    assert out.startswith("a.md:1:3: note AC001 'QBR' is used but never defined")


@pytest.mark.parametrize("option", ["-B", "-OO"])
def test_the_rules_are_explained_without_docstrings_too(option):
    given = [sys.executable, option, "-m", "spacy_gladis", "lint", "--rules"]
    done = subprocess.run(given, capture_output=True, text=True, check=True)
    for rule in BUILT_IN:
        assert f"\n## {rule.code} {rule.name}\n\n{rule.summary}. " in done.stdout
        assert f"\n\n{rule.why}\n\n" in done.stdout
    assert "None" not in done.stdout


def test_a_folder_with_its_settings(cli):
    Path("docs").mkdir()
    Path("docs/a.md").write_text(TEXT)
    Path("docs/b.rst").write_text("A QBR game.\n")
    Path("docs/c.py").write_text("QBR = 1\n")
    Path(".spacy-gladis.toml").write_text('select = ["AC001"]\nexclude = ["a.md"]\n')
    code, out, _ = cli("lint", "docs", "--format", "json")
    (finding,) = json.loads(out)
    assert code == 1 and (finding["path"], finding["column"]) == ("docs/b.rst", 3)


def test_fix_and_diff(cli):
    Path("a.md").write_text("A HTML page, an HTML page.\n")
    before = Path("a.md").read_bytes()
    given = ("lint", "a.md", "--select", "AC009")
    code, out, _ = cli(*given, "--diff")
    assert code == 1 and "+An HTML page, an HTML page." in out
    assert Path("a.md").read_bytes() == before
    code, out, err = cli(*given, "--fix")
    assert code == 0 and Path("a.md").read_text() == "An HTML page, an HTML page.\n"
    assert err == "Fixed 1 finding in 1 file.\n"
    assert cli(*given, "--diff")[:2] == (0, "")


def test_documents_of_one_file_are_all_told_under_fix(cli):
    Path("a.jsonl").write_text('{"text": "A QBR."}\n{"text": "A ZQT."}\n')
    Path("b.csv").write_text("id,text\n1,The first XQB of them all\n2,The last ZQX of them all\n")
    for name, acronyms in {"a.jsonl": ("QBR", "ZQT"), "b.csv": ("XQB", "ZQX")}.items():
        given = ("lint", name, "--select", "AC001")
        answer = cli(*given)[:2]
        assert answer[0] == 1 and all(acronym in answer[1] for acronym in acronyms)
        assert cli(*given, "--fix")[:2] == answer


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a right")
def test_a_file_that_changes_meanwhile_stays_and_the_others_are_put_right(cli):
    """By its second name it is put right already."""
    for name in ("a.md", "c.md"):
        Path(name).write_text("A HTML page.\n")
    Path("b.md").symlink_to("a.md")
    code, out, err = cli("lint", ".", "--select", "AC009", "--fix")
    assert code == 1 and "b.md: not fixed" in err and "b.md:1:1: AC009" in out
    assert {Path(name).read_text() for name in ("a.md", "c.md")} == {"An HTML page.\n"}


def test_what_cannot_be_fixed_is_refused(cli):
    Path("a.md").write_text("A HTML page.\n")
    for given in (["-", "--fix"], ["-", "--diff"], ["a.md", "--fix", "--diff"]):
        code, out, err = cli("lint", *given, stdin="A HTML page.\n")
        assert (code, out) == (2, "") and "--diff" in err
    assert Path("a.md").read_text() == "A HTML page.\n"


def test_another_encoding_is_read_and_written(cli):
    Path("a.txt").write_bytes("A HTML page in a caf\u00e9.\n".encode("latin-1"))
    given = ("lint", "a.txt", "--select", "AC009")
    assert cli(*given)[0] == 2
    assert cli(*given, "--encoding", "latin-1", "--fix")[0] == 0
    assert Path("a.txt").read_bytes() == "An HTML page in a caf\u00e9.\n".encode("latin-1")


def test_codes_add_up_and_an_empty_one_is_refused(cli):
    Path("a.md").write_text("A HTML page of the QBR.\n")
    given = ("lint", "a.md", "--select", "AC001")
    codes = ("AC001", "AC009")
    assert [code in cli(*given)[1] for code in codes] == [True, False]
    assert [code in cli(*given, "--select", "AC009")[1] for code in codes] == [True, True]
    ignored = ("--ignore", "AC009", "--ignore", "AC001")
    assert cli(*given, "--select", "AC009", *ignored)[0] == 0
    for option in ("--select", "--ignore"):
        code, _, err = cli("lint", "a.md", option, "")
        assert code == 2 and "AC001" in err


@pytest.mark.parametrize("pattern", ["deep", "deep/", "deep/*.txt", "docs/deep"])
def test_excluded_folders_and_the_allowed_list_are_not_read(pattern, cli):
    Path("docs/deep").mkdir(parents=True)
    for name in ("docs/a.mdx", "docs/deep/b.txt"):
        Path(name).write_text("A QBR game.\n")
    Path("docs/allowed.txt").write_text("QBX\nQBY\n")
    Path(".spacy-gladis.toml").write_text(
        f'select = ["AC001"]\nexclude = ["{pattern}"]\nknown-file = "docs/allowed.txt"\n'
    )
    for folder in ("docs", ".", Path("docs").absolute()):
        _, out, _ = cli("lint", folder, "--format", "json")
        assert [Path(finding["path"]).name for finding in json.loads(out)] == ["a.mdx"]
    assert cli("lint", "docs/deep/b.txt")[0] == 1
    assert cli("lint", "docs/deep/b.txt", "--force-exclude")[:2] == (0, "")
    options = ("--force-exclude", "--format", "json")
    assert cli("lint", "docs/deep/b.txt", *options)[:2] == (0, "[]\n")
    assert cli("lint", "docs/deep/b.txt", "--force-exclude", "--diff")[:2] == (0, "")
    _, out, _ = cli("lint", "docs/deep/b.txt", "docs/a.mdx", *options)
    assert [Path(finding["path"]).name for finding in json.loads(out)] == ["a.mdx"]
    Path(".spacy-gladis.toml").write_text('select = ["AC001"]\n')
    for given in ((), ("--known-file", "docs/allowed.txt")):
        _, out, _ = cli("lint", ".", "--format", "json", *given)
        names = {Path(finding["path"]).name for finding in json.loads(out)}
        assert names == {"a.mdx", "b.txt"} | ({"allowed.txt"} if not given else set())


def test_nothing_is_in_order_where_nothing_could_be_read(cli):
    Path("b.ipynb").write_bytes(b"{")
    code, out, err = cli("lint", "b.ipynb")
    assert (code, out) == (2, "")
    assert "b.ipynb: damaged file: not a notebook, because its JSON is invalid: Expecting" in err
    Path("b.ipynb").write_bytes(b"[1]")
    assert "no list of cells" in cli("lint", "b.ipynb")[2]


def test_entries_of_an_organisation_count_as_defined(cli):
    Path("a.md").write_text(
        "The DPO told us of the QBR. The quarterly board review (QBR) is short.\n"
    )
    Path("own.tsv").write_text("QBR\tquarterly business review\nDPO\tdata protection officer\n")
    given = ("lint", "a.md", "--select", "ALL", "--ignore", "AC005")
    assert "AC001" in cli(*given)[1]
    for option in ("--overlay", "--glossary"):
        code, out, _ = cli(*given, option, "own.tsv")
        assert code == 1
        assert [line.split()[1] for line in out.splitlines()[:-1]] == ["AC014"]
    Path("own.tsv").write_text("DPO\n")
    code, _, err = cli("lint", "a.md", "--glossary", "own.tsv")
    assert code == 2 and "own.tsv" in err


@pytest.mark.skipif(os.name != "posix", reason="a pipe with a name tells that the others are read")
def test_a_hundred_edits_while_files_are_put_right_are_kept(cli):
    paths = [Path(f"{number}.md") for number in range(100)]
    for path in paths:
        path.write_text("A HTML page.\n")
    os.mkfifo("last.md")

    def edit():
        with Path("last.md").open("w") as pipe:  # opens as soon as somebody reads it
            for number, path in enumerate(paths):
                if number % 2:
                    path.write_text(f"A HTML page.\nAn edit, {number}.\n")
                else:
                    Path("new").write_text(f"A HTML page.\nAn edit, {number}.\n")
                    Path("new").replace(path)
            pipe.write("A page.\n")

    editor = Thread(target=edit)
    editor.start()
    code, _, err = cli("lint", "--fix", "--select", "AC009", *paths, "last.md")
    editor.join()
    for number, path in enumerate(paths):
        assert path.read_text() == f"A HTML page.\nAn edit, {number}.\n"
    assert code == 1 and "100 x not fixed" in err


def test_what_documents_define_counts_once_it_is_learnt(cli):
    Path("docs").mkdir()
    Path("docs/a.md").write_text("The quarterly business review (QBR) is short. A QBR is short.\n")
    Path("docs/b.md").write_text("The QBR of a DPO. A QBR is an hour.\n")
    assert cli("learn", "docs", "-o", "house.tsv")[0] == 0
    before, after = (
        json.loads(cli("lint", "docs", "--select", "AC001", "--format", "json", *given)[1])
        for given in ((), ("--overlay", "house.tsv"))
    )
    assert [finding["acronym"] for finding in before] == ["QBR", "DPO"]
    assert after == before[1:]


def test_an_editor_pipes_a_text_in_and_names_its_file(cli):
    Path(".spacy-gladis.toml").write_text(
        'select = ["AC001", "AC009"]\n[per-file-ignores]\n"*.rst" = ["AC001"]\n'
    )
    text = "``QBX`` is a HTML page of the QBR.\n"
    given = ("lint", "-", "--format", "json", "--stdin-filename")
    code, out, _ = cli(*given, "docs/a.rst", stdin=text)
    (finding,) = json.loads(out)
    assert code == 1 and (finding["path"], finding["code"]) == ("docs/a.rst", "AC009")
    assert finding["fix"] == [{"start": 11, "end": 12, "text": "an"}]
    assert len(json.loads(cli(*given, "docs/a.txt", stdin=text)[1])) == 3
    assert cli("lint", "--stdin-filename", "a.rst", stdin=text)[0] == 1
    for wrong in (["-", "--stdin-filename", "a.docx"], ["a.md", "--stdin-filename", "a.md"]):
        code, out, err = cli("lint", *wrong, stdin=text)
        assert (code, out) == (2, "") and "standard input" in err


def test_a_baseline_passes_over_what_was_told_before(cli):
    Path("a.md").write_text("A QBR.\n\nA HTML page.\n")
    select = ("--select", "AC001,AC009")
    Path("told.json").write_text(cli("lint", "a.md", *select, "--format", "json")[1])
    given = ("lint", Path("a.md").absolute(), *select, "--baseline", "told.json")
    assert cli(*given)[0] == 0
    Path("a.md").write_text("A new line.\n\nA QBR.\n\nA HTML page and an DPO.\n")
    code, out, _ = cli(*given, "--format", "json")
    assert code == 1
    findings = [(finding["code"], finding["acronym"]) for finding in json.loads(out)]
    assert findings == [("AC009", "DPO"), ("AC001", "DPO")]
    assert "\n+A HTML page and a DPO.\n" in cli(*given, "--diff")[1]
    for text in ("", '["x"]', '{"version": "2.1.0", "runs": []}'):
        Path("other.json").write_text(text)
        code, out, err = cli("lint", "a.md", "--baseline", "other.json")
        assert (code, out) == (2, "") and "--format json" in err
    assert "missing.json" in cli("lint", "a.md", "--baseline", "missing.json")[2]


def test_proposals_have_the_requested_precision(cli, tiny_weights, tiny_dictionary):
    shutil.copytree(tiny_weights, "model")
    path = Path("model/acrobert.json")
    record = {**json.loads(path.read_text()), "precisions": [[0.0, 0.5], [1.0, 0.9]]}
    path.write_text(json.dumps(record))
    Path("a.md").write_text("The UFO landed. An AI answered.\n")
    Path(".spacy-gladis.toml").write_text('select = ["AC001"]\nknown = []\n')
    given = ("--propose", "--model", "model", "--dictionary", tiny_dictionary)
    for precision, is_proposed in (("0.5", True), ("0.9", False)):
        code, out, err = cli("lint", "a.md", *given, "--precision", precision)
        assert code == 1 and "'AI' is used but never defined" in out, err
        assert ("possibly" in out) == is_proposed
