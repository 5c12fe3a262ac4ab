"""Search for inputs that break the rules, guided by which code they reach (atheris, libFuzzer).

    python benchmarks/fuzz_guided.py --seconds 60

The checks are those of `tests/support/invariants.py`, each in a process of its own. Exits with 1
where an input broke one; libFuzzer has then written it to a file of its own and shown it.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measuring import RESULTS, write_results

sys.path.insert(0, str(Path(__file__).parents[1]))

RESULT = RESULTS / "fuzz_guided.json"
SUBJECTS = ("Schwartz-Hearst", "definitions", "shapes", "words", "store")
LONGEST = 400  # characters


def main() -> int:
    """Search for each subject in turn; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each subject")
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--subject", choices=SUBJECTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.subject:
        search(options.subject, options.seconds)
    figures = {}
    for name in SUBJECTS:
        call = [sys.executable, __file__, "--subject", name, "--seconds", str(options.seconds)]
        done = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
        inputs = re.search(r"number_of_executed_units:\s+(\d+)", done.stderr)
        figures[name] = {"inputs": int(inputs[1]) if inputs else 0, "failed": done.returncode != 0}
        if done.returncode:
            print(done.stderr[-3000:], file=sys.stderr)
    write_results(options.output, {"seconds_each": options.seconds, "subjects": figures})
    return int(any(row["failed"] for row in figures.values()))


def search(name: str, seconds: int) -> None:
    """Search in this process, which ends with it."""
    try:
        import atheris
    except ImportError:
        sys.exit("This needs atheris: pip install atheris")
    with atheris.instrument_imports(include=["spacy_gladis"]):
        from tests.support.invariants import subjects

    with TemporaryDirectory() as folder:
        check = subjects(Path(folder))[name].check

        def one(data: bytes) -> None:
            check(atheris.FuzzedDataProvider(data).ConsumeUnicodeNoSurrogates(LONGEST))

        limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST * 4}", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={folder}/"], one)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
