"""Runs `python -m MODULE ...` in forks of one process that has imported the slow libraries.

A fresh process takes seconds to import them, and a workflow runs some 70 commands.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LIBRARIES = (
    *("torch", "torch._dynamo", "transformers", "accelerate", "spacy_transformers", "spacy.cli"),
    *("sklearn.linear_model", "gensim.models", "networkx", "duckdb"),
)
"""What is imported once. Nothing of this repository is, so that commands import what they run."""


class Forks:
    """A process that forks itself for each command."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def run(self, command: Sequence[str], **settings: object) -> None:
        """Run a command in the current folder. It fails as `weasel.util.run_command` does."""
        assert self.process.stdin and self.process.stdout
        print(json.dumps([str(Path.cwd()), *command]), file=self.process.stdin, flush=True)
        if code := int(self.process.stdout.readline()):
            sys.exit(code)


@contextmanager
def forking(folder: Path) -> Iterator[Forks]:
    """Start the process.

    Args:
        folder: Folder that modules are imported from.
    """
    process = subprocess.Popen(
        [sys.executable, __file__, *LIBRARIES],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Forks(process)
        assert process.stdin
        process.stdin.close()


def _serve(libraries: Sequence[str]) -> None:
    from importlib import import_module

    del sys.path[0]  # the folder of this file
    for library in libraries:
        import_module(library)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(_run(*json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(abs(os.waitstatus_to_exitcode(status)), flush=True)


def _run(folder: str, python: str, option: str, target: str, *arguments: str) -> int:
    import runpy
    import traceback
    from io import StringIO

    os.chdir(folder)
    os.dup2(2, 1)  # standard output is for exit codes
    sys.stdin = StringIO()
    sys.argv = [target if option == "-m" else "-c", *arguments]
    code = 0
    try:
        if option == "-m":
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            exec(target, {"__name__": "__main__"})
    except SystemExit as stopped:
        code = stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    _serve(sys.argv[1:])
