"""Whether the wheel works alone: built, installed in an empty environment, without the source.

    python benchmarks/wheel.py --folder build/wheel

Builds the wheel of the last commit, installs it beside its dependencies alone, annotates the sample
document in an empty folder, runs the tests that need no repository against it, and writes
`benchmarks/results/wheel.json`. An environment that is in the folder already is used again.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
TESTS = (
    "output",
    "rules",
    "cli/test_cli_annotate.py",
    "cli/test_cli_glossary.py",
    "cli/test_cli_main.py",
)
LARGEST = 80_000_000
"""Bytes that the wheel may have."""


def run(*command: object, cwd: Path) -> str:
    """A command's output; what fails ends the script. Nothing leads to the source tree."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=cwd, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def build(folder: Path) -> Path:
    """The wheel of the last commit."""
    source, wheels = folder / "source", folder / "wheels"
    for old in (source, wheels):
        shutil.rmtree(old, ignore_errors=True)
    source.mkdir(parents=True)
    archive = folder / "source.tar"
    run("git", "archive", "HEAD", "-o", archive, cwd=ROOT)
    run("tar", "xf", archive, "-C", source, cwd=folder)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
    run(*pip, "--wheel-dir", wheels, source, cwd=folder)
    (wheel,) = wheels.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The folder of programs of an environment that holds the wheel and what it needs."""
    programs = folder / "venv" / "bin"
    pip = [programs / "python", "-m", "pip", "install", "--quiet"]
    if not programs.exists():
        venv.create(folder / "venv", with_pip=True)
        constraints = ("--constraint", ROOT / "constraints.txt")
        run(*pip, *constraints, f"{wheel}[serve]", "pytest", "hypothesis", cwd=folder)
    run(*pip, "--no-deps", "--force-reinstall", wheel, cwd=folder)
    return programs


def main() -> None:
    """Run it all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "wheel")
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/results/wheel.json")
    arguments = parser.parse_args()
    folder = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = build(folder)
    size = wheel.stat().st_size
    assert size < LARGEST, f"the wheel has {size:,} bytes"
    programs = install(wheel, folder)

    empty = folder / "empty"
    shutil.rmtree(empty, ignore_errors=True)
    shutil.copytree(ROOT / "tests", empty / "tests")
    shutil.copy(ROOT / "assets" / "demo" / "notes.txt", empty)
    shutil.copy(ROOT / "pyproject.toml", empty)  # pytest's markers
    where = run(programs / "python", "-c", "import spacy_gladis as s; print(s.__file__)", cwd=empty)
    assert where.startswith(str(folder / "venv")), where
    found = json.loads(run(programs / "spacy-gladis", "annotate", "notes.txt", cwd=empty))
    run(programs / "spacy-gladis", "annotate", "notes.txt", "-o", "page.html", cwd=empty)
    wanted = [f"tests/{name}" for name in TESTS]
    said = run(programs / "pytest", "-q", *wanted, "-p", "no:cacheprovider", "-rN", cwd=empty)
    result = {
        "command": "python benchmarks/wheel.py",
        "wheel": wheel.name,
        "bytes": size,
        "files": len(ZipFile(wheel).namelist()),
        "installed_without_the_source_tree": True,
        "acronyms_found_in_the_sample_document": len(found["acronyms"]),
        "bytes_of_its_page": (empty / "page.html").stat().st_size,
        "tests_against_it": wanted,
        "tests_passed": sum(map(len, re.findall(r"^(\.+)", said, re.MULTILINE))),
    }
    arguments.output.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
