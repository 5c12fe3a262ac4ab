"""The command line, run in this process: as users run it, without their wait for imports."""

import io
import sys
from functools import partial

import pytest

from spacy_gladis.cli import main


@pytest.fixture
def cli(tmp_path, monkeypatch, capfdbinary):
    """Run `spacy-gladis` in an empty folder; returns exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "argv", ["spacy-gladis", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf8"))
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
            sys.exit(0)
        out, err = (part.decode("utf8", "replace") for part in capfdbinary.readouterr())
        return stopped.value.code or 0, out, err

    return run


@pytest.fixture
def tiny(cli, tiny_weights, tiny_dictionary):
    """Run a command with the tiny model."""

    def run(command, *arguments, stdin=""):
        model = ("--model", tiny_weights, "--dictionary", tiny_dictionary, "--threshold", "0")
        return cli(command, *arguments, *model, stdin=stdin)

    return run


@pytest.fixture
def annotate(tiny):
    """Run `annotate` with the tiny model."""
    return partial(tiny, "annotate")
