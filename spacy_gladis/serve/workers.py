"""Worker processes, each of which loads a pipeline and answers one request at a time.

If a request takes too long, its process is killed and replaced, because Python can't stop a thread.
"""

import asyncio
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from ..errors import GladisError
from .limits import Limits

if TYPE_CHECKING:  # only the processes need spaCy
    from spacy.language import Language

logger = logging.getLogger("spacy_gladis")

_SPAWN = get_context("spawn")
_starting = threading.RLock()

Call = str | Callable[..., Any]
"""Name of a method of `Annotator`, or a module-level function that takes the `Annotator` first."""


class BusyError(GladisError):
    """Raised when too many requests are in progress, or when a request takes too long."""

    def __str__(self) -> str:
        """Return the error message for users."""
        return "The service is busy, or the text takes too long. Try again, or send less text."


class FailedError(GladisError):
    """Raised when a worker fails unexpectedly, for a reason other than the request."""

    def __str__(self) -> str:
        """Return the error message for users."""
        return f"An internal error occurred. {super().__str__()}".strip()


class Workers:
    """A pool of processes that answer requests with an `Annotator`.

    Use the pool as a context manager, which ends the processes.

    Attributes:
        load: Function that loads the pipeline.
        limits: Limits of requests.
        waiting: Number of requests in progress.
        acronyms: Number of acronyms in the dictionary.
    """

    def __init__(
        self,
        load: Callable[[], "Language"],
        limits: Limits | None = None,
        processes: int = 1,
    ) -> None:
        """Start the processes.

        Args:
            load: Function that loads the pipeline in each process. It must be picklable: a
                module-level function, or a `functools.partial` of one.
            limits: Limits of requests.
            processes: Number of processes.

        Raises:
            FailedError: If a process ends before it has loaded the pipeline.
            GladisError: If `load` raises one.
        """
        self.load, self.limits = load, limits or Limits()
        self.waiting = 0
        self._closed = False
        self._free: Queue[_Worker | None] = Queue()  # None marks a closed pool
        self._busy: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(self.limits.waiting + processes)
        workers = [_Worker(load, self.limits) for _ in range(processes)]
        for worker in workers:
            self.acronyms = worker.wait_until_ready()
            self._free.put(worker)

    def __enter__(self) -> "Workers":
        """Return the pool itself, whose processes have started."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the processes."""
        self.close()

    async def ask(self, call: Call, *arguments: Any) -> Any:
        """Call a method of the `Annotator`, or a function that uses it, in a free process.

        Args:
            call: Name of the method, or a module-level function, which receives the `Annotator` as
                its first argument.
            *arguments: The other arguments of the method or function.

        Returns:
            The result of the method or function.

        Raises:
            BusyError: If too many requests are in progress, or this request takes too long.
            FailedError: If the method or its process fails unexpectedly.
            GladisError: If the method raises one.
        """
        if self.waiting >= self.limits.waiting:
            raise BusyError
        self.waiting += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(self._ask, call, arguments))
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End all processes and drop the requests in progress."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._busy.copy():
            worker.process.kill()  # the thread that waits for its answer cleans up
        while not self._free.empty():
            if free_worker := self._free.get():
                free_worker.end()
        self._free.put(None)

    def _ask(self, call: Call, arguments: tuple[Any, ...]) -> Any:
        deadline = time.monotonic() + self.limits.seconds
        try:
            worker = self._free.get(timeout=self.limits.seconds)
        except Empty:
            raise BusyError from None
        if worker is None:
            self._free.put(None)  # for other threads that wait
            raise BusyError
        self._busy.add(worker)
        try:
            answer = worker.ask(call, arguments, deadline - time.monotonic())
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
            worker.wait_until_ready()
        except GladisError as error:
            logger.error("A worker process ended and could not be replaced: %s", error)
            return
        if self._closed:
            worker.end()
        else:
            self._free.put(worker)


class BackgroundWorkers:
    """A pool of processes that starts in the background.

    Calls wait until the pool has started.
    """

    def __init__(self, start: Callable[[], Workers]) -> None:
        """Store the function that starts the pool; `running` calls it in a thread.

        Args:
            start: Function that starts the pool.
        """
        self._start = start
        self._pool: Future[Workers] = Future()

    @asynccontextmanager
    async def running(self, app: object = None) -> AsyncIterator[None]:
        """Start the pool, and end its processes when the context ends.

        Args:
            app: Ignored. Applications pass themselves to their lifespan.
        """
        threading.Thread(target=self._run, daemon=True).start()
        try:
            yield
        finally:  # the processes of a pool that hasn't started end with this process
            if self._pool.done() and not self._pool.exception():
                self._pool.result().close()

    async def ask(self, call: Call, *arguments: Any) -> Any:
        """Call a method or a function, as `Workers.ask` does.

        Args:
            call: Name of the method, or a module-level function, which receives the `Annotator` as
                its first argument.
            *arguments: The other arguments of the method or function.

        Returns:
            The result of the method or function.

        Raises:
            GladisError: If the pool couldn't start, or if `Workers.ask` raises one.
        """
        # A cancelled call must not cancel the start.
        pool = await asyncio.shield(asyncio.wrap_future(self._pool))
        return await pool.ask(call, *arguments)

    def _run(self) -> None:
        try:
            self._pool.set_result(self._start())
        except Exception as error:
            logger.error("The pipeline could not be loaded: %s", error)
            self._pool.set_exception(error)


def kill_workers() -> None:
    """Kill all worker processes and let no more start, before this process exits at once.

    A process that is starting is killed, too: otherwise it would print a traceback when it finds
    that this process is gone.
    """
    _starting.acquire()
    for process in active_children():
        process.kill()


class _Worker:
    """A worker process, and the pipe that connects it to this process."""

    def __init__(self, load: Callable[[], "Language"], limits: Limits) -> None:
        """Start the process, which loads the pipeline."""
        self.pipe, worker_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(
            target=_run_worker, args=(worker_end, load, limits), daemon=True
        )
        with _starting:
            self.process.start()
        worker_end.close()

    def wait_until_ready(self) -> int:
        """Wait until the pipeline is loaded. Return the number of acronyms in its dictionary."""
        try:
            message = self.pipe.recv()
        except EOFError:
            raise FailedError("A worker process ended before it had loaded the pipeline.") from None
        if isinstance(message, Exception):
            raise message
        return int(message)

    def ask(self, call: Call, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Return the result of a call, or its error. Raise BusyError if it takes too long."""
        self.pipe.send((call, arguments))
        if not self.pipe.poll(max(0.0, seconds)):
            raise BusyError
        return self.pipe.recv()

    def end(self) -> None:
        """Kill the process and close the pipe to it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _run_worker(pipe: Connection, load: Callable[[], "Language"], limits: Limits) -> None:
    """Answer calls until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl+C
    from .annotator import Annotator

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
            if isinstance(call, str):
                answer = getattr(annotator, call)(*arguments)
            else:
                answer = call(annotator, *arguments)
        except GladisError as error:
            answer = error
        except Exception as error:  # the message may contain text of the request
            answer = FailedError(type(error).__name__)
        pipe.send(answer)
