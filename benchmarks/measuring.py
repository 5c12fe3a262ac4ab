"""What the benchmarks measure with: CPU seconds, memory, a process of its own, a results file."""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from spacy_gladis.files import writing

RESULTS = Path(__file__).parent / "results"


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process that a call takes: other work on the machine matters less."""
    began = time.process_time()
    work()
    return time.process_time() - began


def peak_megabytes(process: int | str | None = "self") -> int:
    """The most memory that a process, this one by default, has held so far (Linux)."""
    # Not ru_maxrss, which a child has from the process that started it.
    [line] = [x for x in Path(f"/proc/{process}/status").read_text().splitlines() if "VmHWM" in x]
    return int(line.split()[1]) // 1024


def sample_texts(corpus: Path, count: int) -> list[str]:
    """The first documents of every shard, as many of each."""
    from spacy_gladis.research.mining.readers import read_documents

    shards = sorted(corpus.glob("*.jsonl.zst"))
    each = -(-count // len(shards))
    return [doc.text for shard in shards for doc in islice(read_documents(shard), each)][:count]


def in_process(script: str, *arguments: object) -> Any:
    """Run a script in a process of its own; what it printed last, as JSON."""
    call = [sys.executable, script, *map(str, arguments)]
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def command() -> str:
    """The command line that a results file names."""
    script = Path(sys.argv[0]).name
    return shlex.join(["python", f"benchmarks/{script}", *sys.argv[1:]])


def write_results(path: Path, figures: dict[str, Any]) -> None:
    """Write and print a results file that names its command."""
    content = json.dumps({"command": command(), **figures}, indent=1)
    with writing(path) as temporary:
        temporary.write_text(content + "\n", encoding="utf8")
    print(content)
