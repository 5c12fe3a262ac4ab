"""The program `spacy-gladis` itself."""

import subprocess
import sys

import spacy_gladis
from spacy_gladis.cli import GROUPS, RESEARCH


def test_help_lists_the_groups_and_exit_codes(cli):
    code, out, _ = cli("--help")
    assert code == 0
    assert "annotate" in out and "Exit codes" in out
    for name in (*GROUPS, *RESEARCH):
        assert name in out.split("Commands")[1]


def test_an_unknown_command_gets_a_suggestion(cli):
    code, _, err = cli("anotate")
    assert code == 2 and "annotate" in err


def test_every_group_has_help(cli):
    for name in (*GROUPS, *RESEARCH):
        code, out, err = cli(name, "--help")
        assert code == 0, err
        assert "Usage" in out and "--install-completion" not in out


def test_help_imports_no_spacy():
    code = "import sys; from spacy_gladis.cli import app; print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "False\n"


def test_the_module_is_the_program():
    done = subprocess.run(
        [sys.executable, "-m", "spacy_gladis", "--version"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == spacy_gladis.__version__ + "\n"


def test_an_absent_package_is_named_with_its_extra(tmp_path):
    (tmp_path / "a.txt").write_text("one line")
    code = f"""
import sys
sys.modules["scipy"] = sys.modules["scipy.sparse"] = None
sys.argv = ["spacy-gladis", "audit", {str(tmp_path / "a.txt")!r}, {str(tmp_path / "a.txt")!r}]
from spacy_gladis.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "spacy-gladis[evaluation]" in done.stderr and "Traceback" not in done.stderr
