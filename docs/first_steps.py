"""Writes docs/first_steps.md: a first session of ten minutes, from commands that are run.

    python docs/first_steps.py

Run it from a checkout in the environment that has the package; it works in a folder of its own.
"""

import io
import os
import runpy
import shlex
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from spacy_gladis.cli import main as spacy_gladis_command

PAGE = Path(__file__).absolute().with_suffix(".md")
NOTES = """\
58 yo male, PMH HTN, HLD. MRI of the head on Tuesday, CT before.
The World Health Organization (WHO) asks for the form; the WHO has 194 members.
The QBR of the ward is at EOD.
"""
HOUSE = "acronym,long_form\nQBR,quality board review\n"
SCRIPT = """\
import spacy

nlp = spacy.blank("en")
nlp.add_pipe("acronym_detector")
nlp.add_pipe("acrobert_linker")
for span in nlp("The product's first true AI version runs on a GPU.")._.acronyms:
    print(span.text, "->", span._.long_form, span._.resolution.source)
"""
WIDTH = 100


class Step(NamedTuple):
    """A section: its heading, its text, its command and the expected exit code, `ends_with`."""

    heading: str
    words: str
    command: str
    ends_with: int = 0


STEPS = (
    Step("Check the installation", "", "spacy-gladis --version"),
    Step(
        "Annotate a file",
        "On a terminal, `annotate` prints a table. Into a pipe or a file, it prints JSON lines.",
        "spacy-gladis annotate --format table notes.txt",
    ),
    Step(
        "Expand the text",
        "",
        "spacy-gladis annotate notes.txt --expand first",
    ),
    Step(
        "Add your own entries",
        "Save a table with the columns `acronym` and `long_form` as `house.csv`. "
        "This one has the row `QBR,quality board review`.",
        'spacy-gladis annotate --format table --overlay house.csv "The QBR of the ward is at EOD."',
    ),
    Step(
        "Make a glossary",
        "This command writes the format that MkDocs reads. "
        "The default format is Markdown, which also lists the acronyms that are never defined.",
        "spacy-gladis glossary --overlay house.csv --format mkdocs notes.txt",
    ),
    Step(
        "Find undefined acronyms",
        "Rule AC001 is off by default, so select it. "
        "The exit code is 1 if the linter finds anything.",
        "spacy-gladis lint notes.txt --select AC001",
        1,
    ),
    Step(
        "Use Python", f"Save this script as `first.py`:\n\n```text\n{SCRIPT}```", "python first.py"
    ),
    Step(
        "Read error messages",
        "An error is a message of one line. The exit code is 2 if the command could do nothing.",
        "spacy-gladis annotate gone.txt",
        2,
    ),
)
BEGINNING = """\
# A first session

In ten minutes at a terminal, you annotate a text, expand it, make a glossary and lint it.
You need the installed package and three small files, which this page shows.
The script `docs/first_steps.py` ran all commands of this page.
To build a pipeline of your own afterwards, continue with [Twenty minutes](tutorial.md).

Save this text as `notes.txt`:

```text
"""


def main(page: Path = PAGE) -> None:
    """Run the steps in a folder of their own, which stays the current one, and write the page."""
    parts = [f"{BEGINNING}{NOTES}```\n"]
    os.environ["COLUMNS"] = str(WIDTH)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, content in (("notes.txt", NOTES), ("house.csv", HOUSE), ("first.py", SCRIPT)):
            Path(name).write_text(content, "utf-8")
        for step in STEPS:
            shown = "\n".join(line.rstrip() for line in run(step).rstrip().splitlines())
            words = f"\n{step.words}\n" if step.words else ""
            parts.append(
                f"\n## {step.heading}\n{words}\n```console\n$ {step.command}\n{shown}\n```\n"
            )
    page.write_text("".join(parts), "utf-8")


def run(step: Step) -> str:
    """What a command prints in this process, its messages after its output.

    Raises SystemExit for another exit code than the step's.
    """
    program, *arguments = shlex.split(step.command)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    sys.argv = [program, *arguments]
    with redirect_stdout(out), redirect_stderr(err):
        code = python(arguments[0]) if program == "python" else command_line()
    shown = "".join(_read(one) for one in (out, err))
    if code != step.ends_with:
        raise SystemExit(f"{step.command} ended with {code}:\n{shown}")
    return shown


def python(script: str) -> int:
    """Run a script; 0."""
    runpy.run_path(script)
    return 0


def command_line() -> int:
    """Run our command with `sys.argv`; its exit code."""
    try:
        spacy_gladis_command()
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def _read(stream: io.TextIOWrapper) -> str:
    stream.flush()
    content = stream.buffer
    assert isinstance(content, io.BytesIO)
    return content.getvalue().decode()


if __name__ == "__main__":
    main()
