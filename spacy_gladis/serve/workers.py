"""Processes that hold a pipeline each and answer one request after the other.

A request that takes too long ends with its process, and another process takes its place: Python
cannot stop a thread.
"""

import asyncio
import logging
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Empty, Queue
from typing import Any

from spacy.language import Language

from ..errors import GladisError
from .annotator import Annotator
from .limits import Limits

logger = logging.getLogger("spacy_gladis")

_SPAWN = get_context("spawn")


class BusyError(GladisError):
    """Too many requests wait, or this one took too long."""


class FailedError(GladisError):
    """A request failed in a way that is nobody's fault outside."""


class Workers:
    """Processes that answer for an `Annotator`; a context manager.

    load: makes the pipeline in each process; it is sent there, and so has to be a function of a
        module or a `functools.partial` of one.
    Raises what `load` raises where a process cannot begin.
    """

    def __init__(
        self, load: Callable[[], Language], limits: Limits | None = None, processes: int = 1
    ) -> None:
        self.load, self.limits = load, limits or Limits()
        self.waiting = 0
        self._closed = False
        self._free: Queue[_Worker | None] = Queue()  # None: there will be no more
        self._busy: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(self.limits.waiting + processes)
        workers = [_Worker(load, self.limits) for _ in range(processes)]
        for worker in workers:
            self.acronyms = worker.begin()
            self._free.put(worker)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    async def ask(self, call: str, *arguments: Any) -> Any:
        """What a method of `Annotator` gives.

        Raises what it raises, BusyError, and FailedError for anything unforeseen.
        """
        if self.waiting >= self.limits.waiting:
            raise BusyError
        self.waiting += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(self._ask, call, arguments))
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End all processes, whatever they do; what waits is dropped."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for busy in self._busy.copy():
            busy.process.kill()  # its thread, which waits for an answer, ends it
        while not self._free.empty():
            if worker := self._free.get():
                worker.end()
        self._free.put(None)

    def _ask(self, call: str, arguments: tuple[Any, ...]) -> Any:
        until = time.monotonic() + self.limits.seconds
        try:
            worker = self._free.get(timeout=self.limits.seconds)
        except Empty:
            raise BusyError from None
        if worker is None:
            self._free.put(None)  # for the next one that waits
            raise BusyError
        self._busy.add(worker)
        try:
            answer = worker.ask(call, arguments, until - time.monotonic())
        except (EOFError, OSError, BusyError) as error:
            worker.end()
            if not self._closed:
                self._threads.submit(self._replace)
            raise error if isinstance(error, BusyError) else FailedError from None
        finally:
            self._busy.discard(worker)
        self._free.put(worker)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _replace(self) -> None:
        worker = _Worker(self.load, self.limits)
        try:
            worker.begin()
        except GladisError as error:
            logger.error("No process could take the place of one that ended: %s", error)
            return
        if self._closed:
            worker.end()
        else:
            self._free.put(worker)


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, load: Callable[[], Language], limits: Limits) -> None:
        self.pipe, other = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_answer, args=(other, load, limits), daemon=True)
        self.process.start()
        other.close()

    def begin(self) -> int:
        """Wait until it can answer; how many acronyms its dictionary has."""
        try:
            told = self.pipe.recv()
        except EOFError:
            raise FailedError("A process of the service ended before it could answer.") from None
        if isinstance(told, Exception):
            raise told
        return int(told)

    def ask(self, call: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        """The answer, or the error that it ended with. Raises BusyError after the seconds."""
        self.pipe.send((call, arguments))
        if not self.pipe.poll(max(0.0, seconds)):
            raise BusyError
        return self.pipe.recv()

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _answer(pipe: Connection, load: Callable[[], Language], limits: Limits) -> None:
    """What a process does: answer until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the service, which ends this one
    try:
        annotator = Annotator(load(), limits)
        pipe.send(len(annotator.dictionary))
    except GladisError as error:
        pipe.send(error)
        return
    while True:
        try:
            call, arguments = pipe.recv()
        except EOFError:
            return
        try:
            answer = getattr(annotator, call)(*arguments)
        except GladisError as error:
            answer = error
        except Exception as error:  # nothing of the inside goes out
            answer = FailedError(type(error).__name__)
        pipe.send(answer)
