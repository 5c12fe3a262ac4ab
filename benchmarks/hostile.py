"""Feed hostile files to every command and to the service: nothing may stop them.

    python benchmarks/hostile.py --megabytes 600

Files are drawn: runs of markup, damaged and packed files, encodings that are none, names that steer
a terminal. All commands read each batch in this process, the service gets its texts. A failure is
what raised, an answer 500, more than 5 CPU seconds for 100 KB, or 10 where the network reads the
words (at twice that it is stopped), an escape byte among the messages, a gigabyte of memory. Exits
with 1 where there is one. A file counts each time that something reads it.
"""

import argparse
import gc
import gzip
import io
import json
import os
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from multiprocessing import active_children
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from measuring import RESULTS, peak_megabytes, write_results

sys.path.insert(0, str(Path(__file__).parents[1]))

from spacy_gladis.cli import main as command_line
from tests.support.damage import damaged
from tests.support.documents import pdf
from tests.support.invariants import FRAGMENTS

SECONDS, LEAST, MEGABYTES = 5.0, 50_000, 1024  # LEAST: bytes that a file counts as
NETWORK_SECONDS = 10.0  # where the network reads all words
LONGEST, ROWS = 400_000, 20_000  # characters of a text, rows of a table
LINKED = 20_000  # characters of a text where the network runs
MULTIPART = "Content-Type: multipart/mixed; boundary=a\n"
UNITS = {
    "md": ("<a ", "`", "[", "*a_ ", "$a$ ", "|a", "<abbr title ", "![[", "> ", "- AB: a bee\n"),
    "rst": ("`", "`` ` ", ":a", "**a", "`<", "*a\n", ".. [a] b\n", "== ==\na\n", ":abbr:`  "),
    "html": ("<a ", '<a "', "<!--", "</", "<table>", "<dt>AB<dd>a", "<![a[", "&#" + "9" * 5_000),
    "tex": ("\\begin{verbatim}", "\\newcommand\\a", "~", "\\item ", "a & b\\\\", "{", "\\verb"),
    "adoc": ("<", "link:", "link:[", "footnote:[", "[.a", "a::", "*a", "|a", "|===\n"),
    "eml": ("Subject: ", "To: a@b\n", "=?utf-8?q?AB?= ", "--a\n", "\n", f"{MULTIPART}\n--a\n"),
    "csv": (",", '"', '""', '","', "a,\n", ";", "text,a\n", '"AB\n'),
    "txt": ("....", "www.", "AB  a bee\n", "A B\n\n", "ab (AB), ", "!" * 199 + "a", "AB = a "),
}
FORMATS = {"md": "markdown", "rst": "restructuredtext", "tex": "latex", "adoc": "asciidoc"}
FORMATS |= {"html": "html", "txt": "text"}  # what the service reads
ANY = ("(", "AB ", "x", " ", "\n", "\t", "\r", "acronyms: off ", "a (AB) ", "\x1b[2J", "\u0301")
NAMES = ("a", "=1+1", "\x1b[31mred", "n" * 200, "a b", "\u202eb", "%s", "x\ny", "\udcff")
READING = ("lint --diff", "lint --fix", "learn -q")
LINKING = ("glossary -q", "annotate -q --format jsonl")
TABLES = (
    "dictionary import {0} -o {0}.sqlite",
    "concepts build {0} --output {0}.c",
    "lint {1} --glossary {0}",
)


def documents(draw: random.Random) -> Iterator[tuple[str, bytes]]:
    """Endings and contents of texts in each format, of packed files and files of many documents."""
    from docx import Document
    from spacy.lang.en import English
    from spacy.tokens import DocBin

    for ending, units in UNITS.items():
        unit = draw.choice(units + ANY) + draw.choice(("", "", draw.choice(FRAGMENTS)))
        run = unit * (draw.randrange(1_000, LONGEST) // len(unit)) + draw.choice(
            (">x", "", ">x", "", "\0")
        )
        mixed = "".join(draw.choices(units + ANY + FRAGMENTS, k=draw.randrange(LONGEST // 4)))
        if draw.random() < 0.8:  # a file with zeros is none of text, and read no further
            mixed = mixed.replace("\0", "")
        for text in (run, mixed):
            encoding = draw.choice(("utf-8",) * 6 + ("utf-16", "utf-32", "latin-1"))
            yield ending, text.encode(encoding, "replace")
    number = "9" * 5_000
    values = (f"{number}}}", "[" * draw.randrange(1, 100_000), '"\\ud800 AB"}', "}", "null}")
    lines = [f'{{"text": {value}' for value in draw.choices(values, k=20)]
    yield "jsonl", "\n".join(lines).encode()
    yield "jsonl.gz", gzip.compress(b'{"text": "' + b"AB " * draw.choice((9, 10**5)))
    source: object = draw.choice((["AB"], "AB " * 9_999, {}, 1, number))
    document, file = Document(), io.BytesIO()
    document.add_paragraph("The World Health Organization (WHO).")
    document.add_table(9, 9).cell(0, 0).merge(document.tables[0].cell(8, 8))
    document.save(file)
    binned = DocBin(docs=[English()("The WHO met.")], store_user_data=True).to_bytes()
    notebook = json.dumps({"cells": [{"cell_type": "markdown", "source": source}]}).encode()
    pages = [draw.choice((*ANY[:-1], "The WHO met.\n")) * draw.randrange(300) for _ in range(4)]
    packed = {"ipynb": notebook, "docx": file.getvalue(), "spacy": binned, "pdf": pdf(*pages)}
    for ending, data in packed.items():
        yield ending, draw.choice([data, *(content for _, content in damaged(data, draw, 2))])


def tables(draw: random.Random) -> Iterator[tuple[str, bytes]]:
    """The same of dictionaries, own entries and vocabularies."""
    cells = ("AI", "", "adequate intake", "=1+1", "\x1b[2J", '"', "9" * 5_000, "\0", "e\u0301")
    for ending, sign in (("csv", ","), ("tsv", "\t"), ("obo", ": "), ("sssom.tsv", "\t")):
        number = draw.randrange(ROWS)
        rows = (sign.join(draw.choices(cells, k=draw.randrange(1, 6))) for _ in range(number))
        head = draw.choice((f"acronym{sign}long_form{sign}count\n", "[Term]\n", ""))
        table = head + "\n".join(rows)
        yield ending, table.replace(draw.choice(("\0", '"', '\0"')), "").encode()
    entry = draw.choice(('[["a", 1]]', "[" * 99_999, "9" * 5_000, '{"a": NaN}', '[["a", 1e999]]'))
    yield "json", f'{{"AI": {entry}}}'.encode()


def put(folder: Path, drawn: Iterator[tuple[str, bytes]], draw: random.Random) -> list[Path]:
    """Write the files drawn."""
    folder.mkdir()
    paths = []
    for number, (ending, data) in enumerate(drawn):
        paths.append(folder / f"{draw.choice(NAMES)}{number}.{ending}")
        paths[-1].write_bytes(data)
    return paths


class HangError(BaseException):
    """A command takes too long; nothing that lets one bad record pass may catch it."""


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Raise HangError after so many CPU seconds."""

    def stop(*_: object) -> None:
        raise HangError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def seconds_of(name: str) -> float:
    """CPU seconds that something may take for 100 KB."""
    return NETWORK_SECONDS if name in (*LINKING, "REST") else SECONDS


def workers_seconds() -> float:
    """CPU seconds that the service's processes have taken so far (Linux)."""
    ticks = 0
    for child in active_children():
        fields = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Trial:
    """What was fed, and what came of it."""

    def __init__(self) -> None:
        """Start an empty trial."""
        self.counts: dict[str, Counter[str]] = {}
        self.slowest: dict[str, float] = {}
        self.cpu_seconds: defaultdict[str, float] = defaultdict(float)
        self.failures: list[str] = []
        self.peak_megabytes: dict[str, int] = {}

    def command(self, name: str, arguments: list[str], size: int) -> None:
        """Run a command in this process."""
        out, err = io.TextIOWrapper(io.BytesIO(), errors="backslashreplace"), io.StringIO()
        began, code = time.process_time(), "exit 0"
        given = mock.patch("sys.argv", ["spacy-gladis", *arguments])
        gc.collect()  # the pipeline of the command before
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        try:
            limit = stopped_after(2 * seconds_of(name) * max(size, LEAST) / 100_000)
            with given, redirect_stdout(out), redirect_stderr(err), limit:
                command_line()
        except SystemExit as stopped:
            code = f"exit {stopped.code or 0}"
        except (Exception, HangError) as error:
            code = "raised"
            self.failures.append(f"{name}: {error!r}: {arguments[-1]!r}"[:300])
        self.count(name, code, size, time.process_time() - began, arguments[-1])
        self.peak(name, peak_megabytes())
        if "\x1b" in err.getvalue():
            self.failures.append(f"{name}: an escape byte: {arguments[-1]!r}"[:300])

    def peak(self, name: str, megabytes: int) -> None:
        """Take in the most memory that was held while something ran."""
        self.peak_megabytes[name] = max(self.peak_megabytes.get(name, 0), megabytes)

    def count(self, name: str, code: str, size: int, seconds: float, read: str) -> None:
        """Take in what one run gave, which has read so much."""
        self.counts.setdefault(name, Counter()).update({code: 1, "bytes": size})
        self.cpu_seconds[name] += seconds
        rate = seconds / max(size, LEAST) * 100_000
        self.slowest[name] = max(self.slowest.get(name, 0.0), round(rate, 2))
        if rate > seconds_of(name):
            self.failures.append(
                f"{name}: {rate:.1f} s for 100 KB, of {size} bytes: {read!r}"[:300]
            )

    def batch(self, folder: Path, draw: random.Random, client: Any) -> None:
        """Feed one batch to all; of texts the network reads the beginning."""
        paths = put(folder / "documents", documents(draw), draw)
        for path in paths:
            size = path.stat().st_size
            self.command("lint, one file", ["lint", "--select", "ALL", str(path)], size)
            if format := FORMATS.get(path.suffix[1:]):
                text = path.read_bytes().decode("utf-8", "replace")[:LINKED]
                body = {"text": text, "format": format}
                began, answer = workers_seconds(), client.post("/annotate", json=body)
                seconds = max(0.0, workers_seconds() - began)  # one that was replaced takes its own
                code = f"answer {answer.status_code}"
                self.count("REST", code, len(text.encode()), seconds, str(path))
                if answer.status_code == 500:
                    self.failures.append(f"REST: 500 for {text[:200]!r}")
        most = max((peak_megabytes(child.pid) for child in active_children()), default=0)
        self.peak("REST", most)
        self.folder(READING, folder / "documents")
        for path in paths:
            if path.suffix[1:] in (*UNITS, "jsonl"):
                path.write_bytes(path.read_bytes()[:LINKED])
        self.folder(LINKING, folder / "documents")
        (plain := folder / "text.txt").write_text("The WHO had an AI.\n")
        for path in put(folder / "tables", tables(draw), draw):
            for given in TABLES:
                arguments = [part.format(path, plain) for part in given.split()]
                self.command(given, arguments, path.stat().st_size)

    def folder(self, commands: Iterable[str], folder: Path) -> None:
        """Give the same folder to commands."""
        for given in commands:
            size = sum(path.stat().st_size for path in folder.iterdir())
            self.command(given, [*given.split(), str(folder)], size)

    def figures(self) -> dict[str, Any]:
        """What a results file holds."""
        peaks, seconds = self.peak_megabytes, self.cpu_seconds
        return {
            "megabytes": round(sum(figures["bytes"] for figures in self.counts.values()) / 1e6, 1),
            "failures": len(self.failures) + (max(peaks.values(), default=0) > MEGABYTES),
            "peak_megabytes": peaks,
            "seconds": {name: round(seconds[name], 1) for name in seconds},
            "slowest_seconds_per_100_kb": self.slowest,
            "counts": self.counts,
            "first_failures": self.failures[:20],
        }


def main() -> int:
    """Print and write what came of it; returns the exit code."""
    from fastapi.testclient import TestClient

    from spacy_gladis.pipeline.load import load_pipeline
    from spacy_gladis.serve.app import create_app
    from spacy_gladis.serve.workers import Workers

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=600)
    parser.add_argument("--output", type=Path, default=RESULTS / "hostile.json")
    options = parser.parse_args()
    trial, number = Trial(), 0
    with Workers(load_pipeline) as workers:
        app = create_app(workers)
        with TestClient(app, "http://localhost", raise_server_exceptions=False) as client:
            client.post("/annotate", json={"text": "The WHO met."})  # the pipeline is loaded
            while trial.figures()["megabytes"] < options.megabytes:
                with TemporaryDirectory() as name:
                    trial.batch(Path(name), random.Random(number), client)
                number += 1
                write_results(options.output, {"batches": number, **trial.figures()})
    return int(trial.figures()["failures"] > 0)


if __name__ == "__main__":
    sys.exit(main())
