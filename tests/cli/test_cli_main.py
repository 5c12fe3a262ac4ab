"""The program `spacy-gladis` itself: help, modules, and what says how far a command is."""

import io
import subprocess
import sys

import spacy_gladis
from spacy_gladis import progress
from spacy_gladis.cli import ADDED, GROUPS, group_names, load_group
from tests.support.plugins import write_package


def test_help_lists_the_groups_and_exit_codes(cli):
    code, out, _ = cli("--help")
    assert code == 0
    assert "annotate" in out and "Exit codes" in out
    assert cli("--version")[1] == f"{spacy_gladis.__version__}\n"
    for name in group_names():
        assert name in out.split("Commands")[1]


def test_another_package_adds_a_command(cli, tmp_path, monkeypatch):
    source = """
        import typer

        app = typer.Typer()

        @app.command()
        def greet(name: str) -> None:
            "Greet somebody."
            typer.echo(f"Hello, {name}.")
    """
    write_package(tmp_path, "acme_commands", source, {ADDED: {"greet": "app"}})
    monkeypatch.syspath_prepend(tmp_path)
    assert cli("greet", "Ann") == (0, "Hello, Ann.\n", "")
    assert "Greet somebody." in cli("--help")[1]


def test_an_unknown_command_gets_a_suggestion(cli):
    code, _, err = cli("anotate")
    assert code == 2 and "annotate" in err


def test_every_group_has_help(cli):
    for name in group_names():
        code, out, err = cli(name, "--help")
        assert code == 0, err
        assert "Usage" in out and "--install-completion" not in out


def test_every_option_has_help():
    def check(name, command):
        missing = [
            parameter.name for parameter in command.params if not getattr(parameter, "help", None)
        ]
        assert missing == [], name
        for child, made in getattr(command, "commands", {}).items():
            check(f"{name} {child}", made)

    for name in GROUPS:
        check(name, load_group(name))


def test_help_imports_no_spacy():
    code = "import sys; from spacy_gladis.cli import app; print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "False\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_with_a_total_on_a_terminal_that_makes_way_for_what_is_written(monkeypatch):
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(sys, stream, screen)
    seen = []
    for document in progress.with_progress("abc", lambda: 3):
        assert screen.getvalue().endswith(("\x1b[2K", "\x1b[?25h"))  # the line is free
        seen.append(document)
    assert seen == ["a", "b", "c"]
    assert "0/3" in screen.getvalue() and "documents" in screen.getvalue()


def test_lines_elsewhere_now_and_then(capsys):
    times = iter([0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0])
    documents = progress.with_lines(range(4), lambda: 1200, times.__next__)
    assert list(documents) == [0, 1, 2, 3]
    assert capsys.readouterr().err == "2 of 1,200 documents\n4 of 1,200 documents\n"
    list(progress.with_lines("a", lambda: None, iter([0.0, 40.0, 40.0]).__next__))
    assert capsys.readouterr().err == "1 documents\n"


def test_quiet_says_nothing_and_counts_nothing(capsys):
    assert list(progress.with_progress("ab", lambda: 1 // 0, quiet=True)) == ["a", "b"]
    assert capsys.readouterr() == ("", "")
