"""What happens in a worker: one input after the other, each written whole and recorded."""

from __future__ import annotations

import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from .._error import Error
from ._inputs import Item
from ._operations import Operation, content_hash
from ._record import Manifest, Record, _bytes_of, sha256, write_whole


@dataclass
class Assignment:
    """All that a worker is told, once."""

    operation: Operation
    output: Path
    options: str
    version: str

    def to_bytes(self) -> bytes:
        """For another process; functions of a script or notebook go by value if cloudpickle is there."""
        try:
            return pickle.dumps(self) if not _is_local(self.operation) else _by_value(self)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise Error(
                "function", f"one that cannot be sent to another process ({error})", "one of a module, or: pip install cloudpickle"
            ) from error


def _is_local(operation: Operation) -> bool:
    function = getattr(operation, "function", None)
    return function is not None and (function.__module__ == "__main__" or "<" in getattr(function, "__qualname__", ""))


def _by_value(what: Any) -> bytes:
    try:
        import cloudpickle  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return pickle.dumps(what)
    return bytes(cloudpickle.dumps(what))


@dataclass
class Task:
    """Inputs that a worker does in a row, some seconds of work."""

    items: list[Item]
    attempts: list[int]
    finished: set[str] = field(default_factory=set)

    def unfinished(self) -> list[tuple[Item, int]]:
        """Those without a record, with the attempts before."""
        return [(item, n) for item, n in zip(self.items, self.attempts, strict=True) if item.name not in self.finished]


class Worker:
    """Does the inputs of tasks."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._manifest = Manifest(assignment.output, "worker")
        self._count = 0

    def do(self, item: Item, attempts: int) -> Record:
        """One input. What is wrong with it is in the record, never an exception."""
        assignment = self._assignment
        record = Record(item.name, size=item.size, changed=item.changed, options=assignment.options)
        record.version, record.attempts = assignment.version, attempts + 1
        started, began = time.process_time(), time.monotonic()
        try:
            record.content = content_of(item)
            result = assignment.operation(item)
            for name, data in result.files.items():
                self._count += 1
                part = self._manifest.parts / str(self._count)
                record.outputs.append(write_whole(assignment.output, _checked(name), data, part))
            record.values = result.values
        except Exception as error:
            record.outputs = []
            record.error = _described(error)
        record.seconds = round(time.process_time() - started, 6)
        record.elapsed = round(time.monotonic() - began, 6)
        record.finished = time.time()
        # What may pass, such as a full disk, is recorded when the last attempt has failed, by who decides that.
        if record.error is None or record.error["kind"] == "input":
            try:
                self._manifest.add(record)
            except OSError as error:
                record.error = _described(error)
        return record

    def close(self) -> None:
        """Ends its manifest."""
        self._manifest.close()


def content_of(item: Item) -> str:
    """The hash of an input: of the bytes of a file, else of what the value is made of."""
    return content_hash(item) if item.is_file else sha256(_bytes_of(item.value))


def _checked(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.name:
        raise Error("output", f"the name {name!r}", "a name within the output folder")
    return name


def _described(error: Exception) -> dict[str, Any]:
    system = isinstance(error, (OSError, MemoryError)) and not isinstance(error, (FileNotFoundError, IsADirectoryError))
    found: dict[str, Any] = {"kind": "system" if system else "input", "text": str(error) or type(error).__name__}
    if isinstance(error, Error):
        found |= {"where": error.where, "found": error.found, "expected": error.expected, "line": error.line}
    else:
        found["type"] = type(error).__name__
        found["trace"] = traceback.format_exception(error)[-3:]
    return found


# --- Where the executor is not ours: a task is one call of a function.

_workers: dict[str, Worker] = {}
_lock = threading.Lock()


def do_task(assignment: bytes, items: Sequence[Item], attempts: Sequence[int]) -> list[Record]:
    """The items of a task; the worker is kept from call to call."""
    key = f"{os.getpid()}-{threading.get_ident()}-{sha256(assignment)}"
    with _lock:
        worker = _workers.get(key)
        if worker is None:
            _workers.clear()
            worker = _workers[key] = Worker(pickle.loads(assignment))
    return [worker.do(item, n) for item, n in zip(items, attempts, strict=True)]


def limit_threads(set_variable: Callable[[str, str], Any] = os.environ.setdefault) -> None:
    """One thread per worker: there are as many workers as cores."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        set_variable(name, "1")


def processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


__all__ = ["Assignment", "Task", "Worker", "content_of", "do_task", "limit_threads", "processors"]
