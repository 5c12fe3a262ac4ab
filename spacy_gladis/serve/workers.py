"""A pool of worker processes, each of which loads a pipeline and answers one request at a time.

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

if TYPE_CHECKING:  # only the worker processes import spaCy
    from spacy.language import Language

logger = logging.getLogger("spacy_gladis")

_SPAWN = get_context("spawn")
_starting = threading.RLock()
_is_ending = threading.Event()

Call = str | Callable[..., Any]
"""A task for a worker process.

It is the name of a method of `Annotator`, or a module-level function whose first argument is the
`Annotator`.
"""


class BusyError(GladisError):
    """Raised if too many requests are in progress, or if a request takes too long."""

    def __str__(self) -> str:
        """Return the error message for the user, which doesn't depend on the request."""
        return "The service is busy, or the text takes too long. Try again, or send less text."


class FailedError(GladisError):
    """Raised if a worker process fails for a reason that has nothing to do with the request."""

    def __str__(self) -> str:
        """Return the error message for the user, which ends with the details of the failure."""
        return f"An internal error occurred. {super().__str__()}".strip()


class Workers:
    """A pool of worker processes that answer requests, each with a pipeline of its own.

    Use the pool in a ``with`` statement, which ends the processes when it is left.

    Attributes:
        load: Function that loads the pipeline.
        limits: Limits on the requests.
        waiting: Number of requests in progress.
        acronyms: Number of acronyms in the dictionary of the pipeline.
    """

    def __init__(
        self,
        load: Callable[[], "Language"],
        limits: Limits | None = None,
        processes: int = 1,
    ) -> None:
        """Start the worker processes, and wait until all have loaded the pipeline.

        Args:
            load: Function that loads the pipeline in each process. It must be picklable, which
                means that it is a module-level function or a `functools.partial` of one.
            limits: Limits on the requests. None uses the default limits.
            processes: Number of processes, which is also the number of requests that are answered
                at the same time.

        Raises:
            FailedError: If a process ends before it has loaded the pipeline.
            GladisError: If `load` raises such an error.
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
        """Return the pool itself. Its processes have started already."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the worker processes when the ``with`` statement is left."""
        self.close()

    async def ask(self, call: Call, *arguments: Any) -> Any:
        """Run a task in the next free worker process, and return its result.

        Args:
            call: Name of a method of `Annotator`, or a module-level function whose first argument
                is the `Annotator`.
            *arguments: Other arguments of the method or function.

        Returns:
            The result of the method or function.

        Raises:
            BusyError: If too many requests are in progress, or this request takes too long.
            FailedError: If the method or its process fails unexpectedly.
            GladisError: If the method raises such an error.
        """
        if self.waiting >= self.limits.waiting:
            raise BusyError
        self.waiting += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(self._ask, call, arguments))
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End all worker processes, and drop the requests in progress."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._busy.copy():
            worker.process.kill()  # the thread that waits for the answer cleans up
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
            self._free.put(None)  # other waiting threads need it, too
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
    """A pool of worker processes that starts in the background.

    A server can answer its client at once while the pipeline is being loaded. Requests wait until
    the pool has started.
    """

    def __init__(self, start: Callable[[], Workers]) -> None:
        """Prepare a pool, which starts when the context manager `running` is entered.

        Args:
            start: Function that starts the pool and returns it. It is called in a thread.
        """
        self._start = start
        self._pool: Future[Workers] = Future()

    @asynccontextmanager
    async def running(self, app: object = None) -> AsyncIterator[None]:
        """Start the pool of worker processes in the background, and end it when the context ends.

        Args:
            app: Ignored. Frameworks pass the application to their lifespan function.
        """
        threading.Thread(target=self._run, daemon=True).start()
        try:
            yield
        finally:  # the processes of a pool that hasn't started end with this process
            if self._pool.done() and not self._pool.exception():
                self._pool.result().close()

    async def ask(self, call: Call, *arguments: Any) -> Any:
        """Run a task in a worker process as soon as the pool has started, and return its result.

        Args:
            call: Name of a method of `Annotator`, or a module-level function whose first argument
                is the `Annotator`.
            *arguments: Other arguments of the method or function.

        Returns:
            The result of the method or function.

        Raises:
            GladisError: If the pool couldn't start, or if `Workers.ask` raises such an error.
        """
        # A cancelled call must not cancel the start.
        pool = await asyncio.shield(asyncio.wrap_future(self._pool))
        return await pool.ask(call, *arguments)

    def _run(self) -> None:
        try:
            self._pool.set_result(self._start())
        except Exception as error:
            if not _is_ending.is_set():
                logger.error("The pipeline could not be loaded: %s", error)
            self._pool.set_exception(error)


def kill_workers() -> None:
    """Kill all worker processes and prevent new ones, before this process exits.

    A process that is starting is killed as well. Otherwise, it would print a traceback when it
    finds that this process no longer exists.
    """
    _is_ending.set()
    with _starting:
        for process in active_children():
            process.kill()


class _Worker:
    """A worker process, with the pipe that connects it to the main process."""

    def __init__(self, load: Callable[[], "Language"], limits: Limits) -> None:
        """Start the worker process, which begins to load the pipeline."""
        self.pipe, worker_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(
            target=_run_worker, args=(worker_end, load, limits), daemon=True
        )
        with _starting:
            if _is_ending.is_set():
                raise FailedError("This process is about to end.")
            self.process.start()
        worker_end.close()

    def wait_until_ready(self) -> int:
        """Wait until the worker has loaded the pipeline.

        Returns:
            The number of acronyms in the pipeline's dictionary.

        Raises:
            FailedError: If the process ends before the pipeline is loaded.
        """
        try:
            message = self.pipe.recv()
        except EOFError:
            raise FailedError(
                "A worker process ended before it had loaded the pipeline. Check that the machine "
                "has enough memory."
            ) from None
        if isinstance(message, Exception):
            raise message
        return int(message)

    def ask(self, call: Call, arguments: tuple[Any, ...], seconds: float) -> Any:
        """Run a task in the worker process, and return its result or the error that it raised.

        Args:
            call: Name of a method of `Annotator`, or a function.
            arguments: Arguments of the method or function.
            seconds: Number of seconds to wait for the result.

        Raises:
            BusyError: If the task takes too long.
        """
        self.pipe.send((call, arguments))
        if not self.pipe.poll(max(0.0, seconds)):
            raise BusyError
        return self.pipe.recv()

    def end(self) -> None:
        """Kill the worker process, and close the pipe to it."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _run_worker(pipe: Connection, load: Callable[[], "Language"], limits: Limits) -> None:
    """Load a pipeline, and run tasks that arrive through a pipe until it is closed."""
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
