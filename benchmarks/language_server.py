"""How long the language server takes to explain an acronym and to check a document.

    python benchmarks/language_server.py

Starts `spacy-gladis lsp`, opens documents of 2,000 words, and edits them as a writer does. Measures
the time until the findings of an edit are shown, with the 150 ms that the server waits for further
edits, and the time of a hover: in an unchanged document, after an edit elsewhere, and in an edited
paragraph. The document `prose` is the README with the changelog, `dense` a clinical note with an
acronym in every sixth word, several times. Writes `benchmarks/results/language_server.json`, with
the CPU time of the server beside each time, as other work on the machine matters less to it.
"""

import argparse
import asyncio
import os
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from lsprotocol import types
from measuring import RESULTS, write_results
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parents[1]
WORDS = 2000
SETTINGS = 'select = ["ALL"]\n'


def first_words(text: str) -> str:
    """Return the first words of a text, as many as a document has."""
    words = list(re.finditer(r"\S+", text))
    return text[: words[WORDS - 1].end()] + "\n"


def make_documents() -> dict[str, str]:
    """Return the texts of the documents by name."""
    prose = "".join((ROOT / name).read_text("utf8") for name in ("README.md", "CHANGELOG.md"))
    note = (ROOT / "assets" / "demo" / "notes.txt").read_text("utf8")
    return {"prose": first_words(prose), "dense": first_words(f"{note}\n\n" * 20)}


class Editor:
    """A client with one open document."""

    def __init__(self, client: LanguageClient, server: int, uri: str, text: str) -> None:
        """Remember the client and its document.

        Args:
            client: The client of the server.
            server: Number of the server's process.
            uri: Address of the document.
            text: Its text.
        """
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        self._server = psutil.Process(server)
        item = types.TextDocumentItem(uri, "markdown", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def measure(self, work: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
        """Return the milliseconds of some work and those of the server's processor."""
        before, began = self._server.cpu_times(), time.perf_counter()
        await work()
        elapsed, after = time.perf_counter() - began, self._server.cpu_times()
        used = after.user + after.system - before.user - before.system
        return 1000 * elapsed, 1000 * used

    def edit(self, text: str) -> None:
        """Replace the text."""
        self.text, self.version = text, self.version + 1
        identifier = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    async def hover(self, offset: int) -> types.Hover | None:
        """Return the explanation at an offset of an ASCII line."""
        before = self.text[:offset]
        place = types.Position(before.count("\n"), len(before.rpartition("\n")[2]))
        params = types.HoverParams(types.TextDocumentIdentifier(self.uri), place)
        return await self.client.text_document_hover_async(params)


async def measure_document(editor: Editor, shown: "asyncio.Queue[Any]", runs: int) -> Any:
    """Return the times of hovers and checks of a document."""
    places = [match.start() for match in re.finditer(r"\b[A-Z]{3,4}\b", editor.text)]
    for place in places[:50]:
        await editor.hover(place)  # long forms' vectors are computed once
    explained = [place for place in places if await editor.hover(place)]
    place, other = explained[len(explained) // 2], editor.text
    times: dict[str, list[tuple[float, float]]] = {
        name: [] for name in ("hover", "hover_after_edit", "hover_in_edit", "diagnostics")
    }

    async def wait_for_findings() -> None:
        while (await shown.get()).version != editor.version:
            pass

    for number in range(runs):
        work = partial(editor.hover, explained[number % len(explained)])
        times["hover"].append(await editor.measure(work))
        editor.edit(f"{other}\nIt rained on {number} days.\n")
        times["diagnostics"].append(await editor.measure(wait_for_findings))
        await editor.hover(len(editor.text) - 3)  # the linker reads the edit
        editor.edit(f"{other}\nIt snowed on {number} days.\n")
        times["hover_after_edit"].append(await editor.measure(lambda: editor.hover(place)))
        await editor.hover(len(editor.text) - 3)
        editor.edit(f"{other[:place]}new {other[place:]}")
        times["hover_in_edit"].append(await editor.measure(lambda: editor.hover(place + 4)))
    summaries = {name: summarize(values) for name, values in times.items()}
    return {"words": WORDS, "acronyms": len(explained), **summaries}


def summarize(times: list[tuple[float, float]]) -> dict[str, float]:
    """Return quantiles of times, and the mean of the server's CPU times."""
    elapsed = [wall for wall, _ in times]
    cuts = statistics.quantiles(elapsed, n=20, method="inclusive")
    return {
        "count": len(times),
        "fastest_ms": round(min(elapsed), 1),
        "p50_ms": round(cuts[9], 1),
        "p95_ms": round(cuts[18], 1),
        "server_cpu_ms": round(statistics.mean(used for _, used in times), 1),
    }


async def run(folder: Path, runs: int) -> dict[str, Any]:
    """Run the server and measure each document."""
    client: LanguageClient = LanguageClient("benchmark", "1")
    shown: asyncio.Queue[Any] = asyncio.Queue()
    loaded = asyncio.Event()
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: shown.put_nowait(params))
    client.feature(types.WINDOW_LOG_MESSAGE)(lambda params: loaded.set())
    began = time.perf_counter()
    await client.start_io(sys.executable, "-m", "spacy_gladis", "lsp")
    params = types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri())
    await client.initialize_async(params)
    client.initialized(types.InitializedParams())
    await loaded.wait()
    figures: dict[str, Any] = {"load_s": round(time.perf_counter() - began, 1)}
    [server] = psutil.Process().children()
    for name, text in make_documents().items():
        editor = Editor(client, server.pid, (folder / f"{name}.md").as_uri(), text)
        figures[name] = await measure_document(editor, shown, runs)
    figures["server_mb"] = server.memory_info().rss >> 20
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return figures


def main() -> None:
    """Run the measurement."""
    from tempfile import TemporaryDirectory

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="times that each is measured")
    parser.add_argument("--output", type=Path, default=RESULTS / "language_server.json")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        (Path(folder) / ".spacy-gladis.toml").write_text(SETTINGS, "utf8")
        figures = asyncio.run(run(Path(folder), options.runs))
    machine = {"cores": len(os.sched_getaffinity(0)), "load_average": round(before, 1)}
    write_results(options.output, {**machine, **figures})


if __name__ == "__main__":
    main()
