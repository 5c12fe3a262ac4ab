"""Write the tutorial `first_steps.md` with the output of its commands.

    python docs/tutorials/first_steps.py

Run it from a checkout, in an environment that has the package. It works in a temporary folder.
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
    """A section of the tutorial, which explains one command and shows its output.

    Attributes:
        heading: Heading of the section.
        words: Markdown text before the command. Empty for no text.
        command: Command to run, whose output the tutorial shows.
        exit_code: Exit code that the command must have.
    """

    heading: str
    words: str
    command: str
    exit_code: int = 0


STEPS = (
    Step("Check the installation", "", "spacy-gladis --version"),
    Step(
        "Annotate a file",
        "On a terminal, `annotate` prints a table. Into a pipe or a file, it prints JSON lines.",
        "spacy-gladis annotate --format table notes.txt",
    ),
    Step(
        "Expand the text",
        "Insert the long forms into the text, at the first mention of each acronym:",
        "spacy-gladis annotate notes.txt --expand first",
    ),
    Step(
        "Add your own entries",
        "The dictionary's answer for QBR is wrong in this hospital. "
        "Save the right meaning as `house.csv`:\n\n"
        f"```text\n{HOUSE}```\n\nPass the file as an overlay:",
        'spacy-gladis annotate --format table --overlay house.csv "The QBR of the ward is at EOD."',
    ),
    Step(
        "Make a glossary",
        "With `--format mkdocs`, `glossary` writes the format that MkDocs reads. "
        "The default format, Markdown, also lists the acronyms that are never defined.",
        "spacy-gladis glossary --overlay house.csv --format mkdocs notes.txt",
    ),
    Step(
        "Find undefined acronyms",
        "Rule AC001 reports undefined acronyms. It is off by default, so select it. "
        "The exit code is 1 if there are findings.",
        "spacy-gladis lint notes.txt --select AC001",
        1,
    ),
    Step(
        "Use Python", f"Save this script as `first.py`:\n\n```text\n{SCRIPT}```", "python first.py"
    ),
    Step(
        "Read error messages",
        "If a command fails, it prints an error message of one line. "
        "The exit code is 2 if the command could do nothing.",
        "spacy-gladis annotate gone.txt",
        2,
    ),
)
END = """
## Next steps

Build [a pipeline of your own](pipeline.md) in Python, or look up a task in the how-to guides, such
as [adding your own acronyms](../how-to/own_dictionary.md) or
[linting documentation](../how-to/lint.md).
"""
BEGINNING = """\
# First steps

In this tutorial, you use the command line for ten minutes. You annotate a text, expand it, add your
own entries, make a glossary and lint the text. You need the installed package
(`pip install spacy-gladis`) and an empty folder.

Save this text as `notes.txt`:

```text
"""


def main(page: Path = PAGE) -> None:
    """Run the tutorial's commands in a temporary folder, and write the page with their output.

    The temporary folder stays the current directory.

    Args:
        page: Path of the Markdown file to write.
    """
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
    page.write_text("".join([*parts, END]), "utf-8")


def run(step: Step) -> str:
    """Run the command of a section in this process, and return what it prints.

    Args:
        step: Section of the tutorial with the command.

    Returns:
        Standard output of the command, followed by its standard error.

    Raises:
        SystemExit: If the command doesn't end with the expected exit code.
    """
    program, *arguments = shlex.split(step.command)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    sys.argv = [program, *arguments]
    with redirect_stdout(out), redirect_stderr(err):
        code = python(arguments[0]) if program == "python" else command_line()
    shown = "".join(_read(stream) for stream in (out, err))
    if code != step.exit_code:
        raise SystemExit(f"{step.command} ended with {code}:\n{shown}")
    return shown


def python(script: str) -> int:
    """Run a Python script in this process.

    Args:
        script: Path of the script.

    Returns:
        Exit code 0. Exceptions of the script are not caught.
    """
    runpy.run_path(script)
    return 0


def command_line() -> int:
    """Run the command ``spacy-gladis`` in this process, with the arguments in `sys.argv`.

    Returns:
        Exit code of the command.
    """
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
