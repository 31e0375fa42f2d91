"""Who does the tasks: processes of this machine, Ray, or an executor of somebody else's.

Each gives events: ("record", task, record) when an input is done, ("done", task, None) when all of a task are, and
("lost", task, text) when who did it died. A lost task is not done again here: the driver decides.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from .._error import Error
from ._record import Record
from ._work import Assignment, Task, Worker, do_task, limit_threads, processors

Event = tuple[str, Task, Any]
SECONDS_OF_RESOURCES = 5.0  # between two looks at the processors of a cluster


class Executor(Protocol):
    """What the driver asks of all of them."""

    def slots(self) -> int:
        """How many tasks may be in flight."""

    def submit(self, task: Task) -> None:
        """Begins a task."""

    def events(self, seconds: float) -> Iterator[Event]:
        """What has happened; waits at most that long for the first."""

    def close(self) -> None:
        """Ends at once; what is being done is lost."""


class Here:
    """In this process, one after the other."""

    def __init__(self, assignment: Assignment) -> None:
        self._worker = Worker(assignment)
        self._tasks: list[Task] = []

    def slots(self) -> int:
        return 1

    def submit(self, task: Task) -> None:
        self._tasks.append(task)

    def events(self, seconds: float) -> Iterator[Event]:
        while self._tasks:
            task = self._tasks.pop()
            for item, n in task.unfinished():
                yield "record", task, self._worker.do(item, n)
            yield "done", task, None

    def close(self) -> None:
        self._worker.close()


class _Process:
    """A worker process and its end of the socket."""

    def __init__(self, assignment: bytes) -> None:
        ours, theirs = socket.socketpair()
        environment = dict(os.environ)
        limit_threads(environment.setdefault)
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "limber.jobs._process", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=environment,
        )
        theirs.close()
        self.connection = Connection(ours.detach())
        self.task: Task | None = None
        self.since = time.monotonic()
        self.ready = False
        main = getattr(sys.modules["__main__"], "__file__", None)
        try:
            self.connection.send((assignment, main))
        except OSError:
            pass  # it has died already, which the next look finds

    def end(self) -> str:
        """Kills it, and says how it ended."""
        self.connection.close()
        died_alone = self.process.poll() is not None
        if not died_alone:
            try:
                self.process.wait(0.2)
                died_alone = True
            except subprocess.TimeoutExpired:
                self.process.kill()
        code = self.process.wait()
        if code < 0:
            return f"killed by {signal.Signals(-code).name}" if died_alone else "ended"
        return f"ended with status {code}"


class Processes:
    """A pool of processes of this machine. One that dies is replaced."""

    def __init__(self, assignment: Assignment, count: int, timeout: float | None) -> None:
        self._assignment = assignment.to_bytes()
        self._timeout = timeout
        self._count = max(1, count)
        self._processes: list[_Process] = []
        self._deaths_in_a_row = 0

    def slots(self) -> int:
        return self._count

    def submit(self, task: Task) -> None:
        process = next((p for p in self._processes if p.task is None), None)
        if process is None:
            process = _Process(self._assignment)
            self._processes.append(process)
        process.task, process.since = task, time.monotonic()
        try:
            process.connection.send((task.items, task.attempts))
        except OSError:
            pass  # it has died, which the next look finds

    def events(self, seconds: float) -> Iterator[Event]:
        busy = [p for p in self._processes if p.task is not None]
        ready = wait([p.connection for p in busy], min(seconds, self._timeout or seconds) if busy else 0)
        for process in busy:
            if process.connection in ready:
                yield from self._messages(process)
            elif self._timeout and process.ready and time.monotonic() - process.since > self._timeout:
                process.process.kill()
                yield from self._lost(process, f"it took more than {self._timeout:g} s")

    def _messages(self, process: _Process) -> Iterator[Event]:
        task = process.task
        assert task is not None
        try:
            while process.task is not None and process.connection.poll():
                kind, value = process.connection.recv()
                process.since = time.monotonic()
                if kind == "broken":
                    raise Error("worker", value, "a function and options that another process can load")
                if kind == "ready":
                    process.ready, self._deaths_in_a_row = True, 0
                elif kind == "record":
                    yield "record", task, value
                else:
                    process.task = None
                    yield "done", task, None
        except (EOFError, OSError):
            yield from self._lost(process, "")

    def _lost(self, process: _Process, why: str) -> Iterator[Event]:
        task = process.task
        self._processes.remove(process)
        how = process.end()
        self._deaths_in_a_row += not process.ready
        if self._deaths_in_a_row >= 3:
            raise Error("worker", f"three that {how} before they began", "a Python that can import limber")
        if task is not None:
            yield "lost", task, why or how

    def close(self) -> None:
        for process in self._processes:
            if process.task is not None:
                process.process.kill()
            process.end()
        self._processes = []


class Futures:
    """Any concurrent.futures.Executor, such as that of a Dask client. The output folder must be one for all of them."""

    def __init__(self, assignment: Assignment, executor: concurrent.futures.Executor, slots: int) -> None:
        self._assignment = assignment.to_bytes()
        self._executor = executor
        self._slots = slots
        self._tasks: dict[concurrent.futures.Future[list[Record]], Task] = {}

    def slots(self) -> int:
        return self._slots

    def submit(self, task: Task) -> None:
        try:
            future = self._executor.submit(do_task, self._assignment, task.items, task.attempts)
        except concurrent.futures.BrokenExecutor as error:
            raise Error(
                "executor", f"one that has lost a worker and takes no more tasks ({error})",
                "the same call again, which goes on where this one ended; or executor=None, which replaces workers",
            ) from error
        self._tasks[future] = task

    def events(self, seconds: float) -> Iterator[Event]:
        done, _ = concurrent.futures.wait(self._tasks, seconds, concurrent.futures.FIRST_COMPLETED)
        for future in done:
            task = self._tasks.pop(future)
            error = future.exception()
            if error is not None:
                yield "lost", task, f"{type(error).__name__}: {error}"
                continue
            for record in future.result():
                yield "record", task, record
            yield "done", task, None

    def close(self) -> None:
        for future in self._tasks:
            future.cancel()


class OnRay:
    """A Ray cluster: the one of the address, the one that runs here, or one of this machine's own, on loopback."""

    def __init__(self, assignment: Assignment, address: str, workers: int | None) -> None:
        try:
            import ray
        except ImportError as error:
            raise Error("executor", "no Ray in this environment", "pip install 'limber-ik[ray]'") from error
        self._ray = ray
        if not ray.is_initialized():
            connect(address)
        self._workers = workers
        self._assignment = ray.put(assignment.to_bytes())
        # Whether a task is done again is for the driver to say, which knows how often it has killed its worker.
        self._do = ray.remote(num_cpus=1, max_retries=0)(do_task)
        self._tasks: dict[Any, Task] = {}
        self._cores, self._asked = 1, -SECONDS_OF_RESOURCES

    def slots(self) -> int:
        if self._workers:
            return self._workers
        if time.monotonic() - self._asked > SECONDS_OF_RESOURCES:  # nodes come and go
            self._cores, self._asked = int(self._ray.cluster_resources().get("CPU", 1)), time.monotonic()
        return max(1, 2 * self._cores)  # one waits where each runs, so that no processor does

    def submit(self, task: Task) -> None:
        self._tasks[self._do.remote(self._assignment, task.items, task.attempts)] = task

    def events(self, seconds: float) -> Iterator[Event]:
        if not self._tasks:
            return
        references = list(self._tasks)
        if not self._ray.wait(references, num_returns=1, timeout=seconds)[0]:
            return
        for reference in self._ray.wait(references, num_returns=len(references), timeout=0)[0]:
            task = self._tasks.pop(reference)
            try:
                records = self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:  # not of an input: those are in the records
                raise Error("worker", str(error), "an environment with limber on every node") from error
            except self._ray.exceptions.RayError as error:
                yield "lost", task, f"{type(error).__name__}: {str(error).splitlines()[0]}"
                continue
            for record in records:
                yield "record", task, record
            yield "done", task, None

    def close(self) -> None:
        for reference in self._tasks:
            self._ray.cancel(reference, force=True)


def connect(address: str) -> None:
    """To the cluster of an address; for "ray" or "auto" to the one that runs here, else to one that begins here."""
    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address not in ("ray", "auto", "local"):
        with _loopback_as_it_is(address.rpartition("//")[2].partition(":")[0]):
            ray.init(address=address, **quiet)
        return
    if address != "local":
        try:
            ray.init(address="auto", **quiet)
            return
        except ConnectionError:
            pass
    with _loopback_as_it_is("127.0.0.1"):
        ray.init(address="local", include_dashboard=False, _node_ip_address="127.0.0.1", **quiet)


@contextlib.contextmanager
def _loopback_as_it_is(host: str) -> Iterator[None]:
    """Ray replaces a loopback address by that of the machine: a cluster on loopback does not listen there, and one that
    begins here would listen on all of its networks."""
    import ray._private.ray_constants as constants

    before = getattr(constants, "ENABLE_RAY_CLUSTER", None)
    if host not in ("127.0.0.1", "localhost", "::1") or before is None:
        yield
        return
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


def executor_of(given: Any, assignment: Assignment, workers: int | None, timeout: float | None) -> Executor:
    """What the argument `executor` says."""
    if given is None:
        if workers == 0:
            return Here(assignment)
        return Processes(assignment, workers or processors(), timeout)
    if isinstance(given, str):
        return OnRay(assignment, given, workers)
    if isinstance(given, concurrent.futures.Executor):
        known = getattr(given, "_max_workers", None)
        return Futures(assignment, given, workers or 2 * (known if isinstance(known, int) else processors()))
    raise Error("executor", repr(given), "None, 'ray', the address of a Ray cluster, or a concurrent.futures.Executor")


