"""How long the service takes to answer under load: p50 and p99 at 1, 8 and 32 clients.

    python benchmarks/serve.py

Starts `spacy-gladis serve`, sends paragraphs of the sample document from so many clients at once,
each of which asks again as soon as it is answered, and writes `benchmarks/results/serve.json`.
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
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil

ROOT = Path(__file__).parents[1]
COMMAND = "python benchmarks/serve.py"
HALF_OPEN = 600
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
    times = [one.cpu_times() for one in (service, *service.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def health_beside_half_open(address: str) -> float:
    """Milliseconds of `/health`, the slowest of twenty, beside connections that say nothing."""
    place = urlsplit(address)
    idle = [socket.create_connection((place.hostname, place.port)) for _ in range(HALF_OPEN)]
    taken = []
    for _ in range(20):
        began = time.perf_counter()
        httpx.get(f"{address}health").raise_for_status()
        taken.append(time.perf_counter() - began)
    for one in idle:
        one.close()
    return 1000 * max(taken)


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=320)
    parser.add_argument("--output", type=Path, default=ROOT / "benchmarks/results/serve.json")
    arguments = parser.parse_args()
    serve = [sys.executable, "-m", "spacy_gladis", "serve", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as service:
        try:
            address = service.stdout.readline().split()[0]
            for _ in range(len(PARAGRAPHS)):
                asyncio.run(measure(address, 1, 2))  # long forms' vectors are computed once
            before = cpu_seconds(service.pid)
            rows = [asyncio.run(measure(address, n, arguments.requests)) for n in (1, 8, 32)]
            spent = cpu_seconds(service.pid) - before
            health = health_beside_half_open(address)
        finally:
            service.terminate()
    result = {
        "command": COMMAND,
        "what": "POST /annotate of one paragraph; closed loop, all on one machine",
        "characters": round(statistics.mean(map(len, PARAGRAPHS))),
        "cores": len(os.sched_getaffinity(0)),
        "load_average_while_measured": round(os.getloadavg()[0], 1),
        "cpu_ms_per_request": round(1000 * spent / sum(row["requests"] for row in rows), 1),
        "health_ms_beside_half_open": {"connections": HALF_OPEN, "slowest": round(health, 1)},
        "load": rows,
    }
    arguments.output.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
