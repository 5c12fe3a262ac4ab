"""How long the service takes to answer under load: p50 and p99 at 1, 8 and 32 clients.

    python benchmarks/serve.py
    python benchmarks/serve.py --hostile

Starts `spacy-gladis serve`, sends paragraphs of the sample document from so many clients at once,
each of which asks again as soon as it is answered, and writes `benchmarks/results/serve.json`. With
--hostile it asks `/health` alone, beside half-open connections and beside requests made to cost
most, and writes `serve_hostile.json`.
"""

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
from measuring import RESULTS, write_results

ROOT = Path(__file__).parents[1]
HALF_OPEN = 600
HOSTILE, LONGEST = 20, 100_000  # requests at once, characters of a text that the service takes
PAUSE = 0.02  # seconds between two questions
UNITS = ("(", "AB ", "a (AB) ", "a (AB), ", "!" * 199 + "a", "A B\n\n", "<a ", "AB = a ", "\u0301")
TEXT = (ROOT / "assets" / "demo" / "notes.txt").read_text("utf8")
PARAGRAPHS = [part for part in TEXT.split("\n\n") if len(part) > 100]


async def one_client(http: httpx.AsyncClient, requests: int, offset: int) -> list[float]:
    """The seconds that each of a client's requests took."""
    seconds = []
    for number in range(requests):
        started = time.perf_counter()
        body = {"text": PARAGRAPHS[(offset + number) % len(PARAGRAPHS)]}
        answer = await http.post("/annotate", json=body)
        answer.raise_for_status()
        seconds.append(time.perf_counter() - started)
    return seconds


async def measure(address: str, clients: int, requests: int) -> dict[str, float]:
    """Milliseconds and requests a second with so many clients; `requests` in all."""
    limits = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as http:
        await one_client(http, 1, 0)
        started = time.perf_counter()
        each = requests // clients
        rows = await asyncio.gather(*(one_client(http, each, n) for n in range(clients)))
        elapsed = time.perf_counter() - started
    taken = sorted(1000 * seconds for row in rows for seconds in row)
    cuts = statistics.quantiles(taken, n=100, method="inclusive")
    return {
        "clients": clients,
        "requests": len(taken),
        "p50_ms": round(cuts[49], 1),
        "p99_ms": round(cuts[98], 1),
        "requests_per_second": round(len(taken) / elapsed, 1),
    }


def cpu_seconds(process: int) -> float:
    """Processor time that a process and those that it began have used."""
    service = psutil.Process(process)
    times = [process.cpu_times() for process in (service, *service.children(recursive=True))]
    return float(sum(cpu.user + cpu.system for cpu in times))


def health(address: str, ticks: Iterable[object]) -> dict[str, float]:
    """Milliseconds of `/health`, asked so many times on one connection."""
    taken = []
    with httpx.Client(base_url=address) as http:
        for _ in ticks:
            began = time.perf_counter()
            http.get("/health").raise_for_status()
            taken.append(1000 * (time.perf_counter() - began))
            time.sleep(PAUSE)
    median = statistics.median(taken)
    return {"asked": len(taken), "median": round(median, 1), "slowest": round(max(taken), 1)}


def health_beside_half_open(address: str) -> dict[str, float]:
    """The same beside connections of which half say nothing, half a part of a header."""
    host, _, port = urlsplit(address).netloc.partition(":")
    idle = [socket.create_connection((host, int(port))) for _ in range(HALF_OPEN)]
    for connection in idle[::2]:
        connection.send(b"GET /health HTTP/1.1\r\nHost: local")
    result = health(address, range(20))
    for connection in idle:
        connection.close()
    return {"connections": HALF_OPEN, **result}


def health_beside_hostile(address: str) -> dict[str, Any]:
    """The same while texts made to cost most, and bodies that are too long, are answered."""
    texts = [unit * (LONGEST // len(unit)) for unit in UNITS]
    bodies = [*(json.dumps({"text": text}) for text in texts), '{"text": ' + "[" * 2_000_000]
    bodies += [json.dumps({"text": "A" * 2_000_000}), *bodies][: HOSTILE - len(bodies)]
    kind = {"content-type": "application/json"}

    def send(body: str) -> int:
        return httpx.post(f"{address}annotate", content=body, headers=kind, timeout=120).status_code

    with ThreadPoolExecutor(HOSTILE) as threads:
        sent = [threads.submit(send, body) for body in bodies]
        result = health(address, iter(lambda: all(reply.done() for reply in sent), True))
    codes = Counter(reply.result() for reply in sent)
    return {"requests": HOSTILE, **result, "answers": {str(code): codes[code] for code in codes}}


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=320)
    parser.add_argument("--hostile", action="store_true", help="ask /health beside what may block")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    serve = [sys.executable, "-m", "spacy_gladis", "serve", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout
        try:
            address = service.stdout.readline().split()[0]
            if options.hostile:
                figures = {
                    "what": "GET /health, milliseconds",
                    "alone": health(address, range(20)),
                    "beside_half_open": health_beside_half_open(address),
                    "beside_hostile_requests": health_beside_hostile(address),
                }
            else:
                figures = under_load(address, service.pid, options.requests)
        finally:
            service.terminate()
    machine = {"cores": len(os.sched_getaffinity(0)), "load_average": round(os.getloadavg()[0], 1)}
    name = "serve_hostile.json" if options.hostile else "serve.json"
    write_results(options.output or RESULTS / name, {**machine, **figures})


def under_load(address: str, process: int, requests: int) -> dict[str, Any]:
    """What answers take with 1, 8 and 32 clients."""
    for _ in range(len(PARAGRAPHS)):
        asyncio.run(measure(address, 1, 2))  # long forms' vectors are computed once
    before = cpu_seconds(process)
    rows = [asyncio.run(measure(address, number, requests)) for number in (1, 8, 32)]
    spent = cpu_seconds(process) - before
    return {
        "what": "POST /annotate of one paragraph; closed loop, all on one machine",
        "characters": round(statistics.mean(map(len, PARAGRAPHS))),
        "cpu_ms_per_request": round(1000 * spent / sum(row["requests"] for row in rows), 1),
        "load": rows,
    }


if __name__ == "__main__":
    main()
