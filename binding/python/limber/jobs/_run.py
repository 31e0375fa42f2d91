"""The driver: gives tasks to workers, and is done when every input has a record."""

from __future__ import annotations

import contextlib
import heapq
import os
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import limber

from .._error import Error
from ._executors import Executor, executor_of
from ._inputs import Item, in_shard, items_of
from ._operations import Operation
from ._progress import Progress
from ._record import FOLDER, Manifest, Record, all_records, latest, options_hash, outputs_are_there, sweep
from ._work import Assignment, Task, content_of

MAX_ITEMS = 1000  # of a task
SLOTS_PER_SECOND = 400  # of a task: with more slots, tasks are longer
MAX_ERRORS = 1000  # that a summary lists; all of them are in the manifests


@dataclass
class Summary:
    """How a run ended."""

    output: Path
    done: int = 0
    """Inputs that this run has done."""
    kept: int = 0
    """Inputs that were done before."""
    failed: int = 0
    """Inputs without a result, of this run or before."""
    seconds: float = 0.0
    """Processor time of the workers."""
    elapsed: float = 0.0
    """Seconds that the run took."""
    lost: int = 0
    """Workers that died."""
    errors: list[tuple[str, str]] = field(default_factory=list)
    """The first thousand failed inputs, with the reason."""
    worst: list[Record] = field(default_factory=list)
    """The ten with the largest distance, the worst first."""
    report: Path | None = None
    """The page, if it was asked for."""

    @property
    def ok(self) -> bool:
        """Whether every input has its result."""
        return self.failed == 0

    def __str__(self) -> str:
        text = f"{self.done} done, {self.kept} were done before, {self.failed} failed, in {self.elapsed:.1f} s"
        if self.lost:
            text += f"; {self.lost} workers died and were replaced"
        for name, why in self.errors[:20]:
            text += f"\n  {name}: {why}"
        if len(self.errors) > 20:
            text += f"\n  and {self.failed - 20} more, in {self.output / FOLDER}"
        return text


class _Costs:
    """Time by size, as measured: tasks should take seconds, whatever the inputs are."""

    def __init__(self, seconds_per_task: float, slots: int = 1) -> None:
        # The driver should see at most some hundreds per second.
        self._target = max(seconds_per_task, slots / SLOTS_PER_SECOND) if seconds_per_task > 0 else 0.0
        self._seconds = self._bytes = 0.0
        self._count = 0

    def add(self, record: Record) -> None:
        self._seconds += record.elapsed
        self._bytes += record.size
        self._count += 1

    def of(self, item: Item) -> float:
        if self._count == 0:
            return self._target
        if item.size and self._bytes:
            return item.size * self._seconds / self._bytes
        return self._seconds / self._count

    def fill(self, items: Iterator[Item]) -> Task | None:
        """The next inputs, about as many as the time of a task; nothing where there are no more."""
        task = Task([], [])
        cost = 0.0
        for item in items:
            task.items.append(item)
            task.attempts.append(0)
            cost += self.of(item)
            if cost >= self._target or len(task.items) == MAX_ITEMS:
                break
        return task if task.items else None


class _Run:
    def __init__(
        self, assignment: Assignment, executor: Executor, summary: Summary, attempts: int, costs: _Costs, progress: Progress
    ) -> None:
        self._assignment = assignment
        self._executor = executor
        self._summary = summary
        self._attempts = attempts
        self._costs = costs
        self._progress = progress
        self._manifest = Manifest(assignment.output, "driver")
        self._again: deque[Task] = deque()
        self._in_flight = 0
        self._worst: list[tuple[float, str, Record]] = []  # a heap, the least bad first
        self._began = time.time()

    def run(self, items: Iterator[Item]) -> None:
        try:
            while True:
                while self._in_flight < self._executor.slots():
                    task = self._again.popleft() if self._again else self._costs.fill(items)
                    if task is None:
                        break
                    self._executor.submit(task)
                    self._in_flight += 1
                if self._in_flight == 0:
                    break
                for kind, task, value in self._executor.events(0.5):
                    self._take(kind, task, value)
                self._progress.show(self._summary)
        finally:
            self._executor.close()
            self._manifest.close()
            self._summary.worst = [record for _, _, record in sorted(self._worst, key=lambda entry: (-entry[0], entry[1]))]

    def _take(self, kind: str, task: Task, value: Any) -> None:
        if kind == "record":
            self._record(task, value)
            return
        self._in_flight -= 1
        if kind == "lost":
            self._summary.lost += 1
            self._lost(task, value)

    def _record(self, task: Task, record: Record) -> None:
        task.finished.add(record.name)
        self._costs.add(record)
        if record.error is not None and record.error["kind"] != "input":
            if record.attempts < self._attempts:
                item = next(item for item in task.items if item.name == record.name)
                self._again.append(Task([item], [record.attempts]))
                return
            self._manifest.add(record)
        self.count(record)

    def count(self, record: Record) -> None:
        """Adds it to the summary."""
        self._summary.seconds += record.seconds
        if record.error is not None:
            self.fail(record)
            return
        self._summary.done += 1
        self.rank(record)

    def fail(self, record: Record) -> None:
        """Adds a failed input to the summary."""
        self._summary.failed += 1
        if len(self._summary.errors) < MAX_ERRORS and record.error is not None:
            self._summary.errors.append((record.name, record.error["text"]))

    def rank(self, record: Record) -> None:
        """Keeps it if it is among the worst ten."""
        measure = self._assignment.operation.measure
        worst = record.values.get(measure[0]) if measure else None
        if isinstance(worst, (int, float)):
            heapq.heappush(self._worst, (float(worst), record.name, record))
            if len(self._worst) > 10:
                heapq.heappop(self._worst)

    def _lost(self, task: Task, why: str) -> None:
        """A worker died. What it had finished is in its manifest; the first that is not there is the suspect."""
        names = {item.name for item, _ in task.unfinished()}
        for record in all_records(self._assignment.output):
            if record.name in names and record.options == self._assignment.options and record.finished >= self._began:
                names.discard(record.name)
                self._record(task, record)
        left = task.unfinished()
        if not left:
            return
        (suspect, n), others = left[0], left[1:]
        if others:
            self._again.append(Task([item for item, _ in others], [k for _, k in others]))
        if n + 1 < self._attempts:
            self._again.append(Task([suspect], [n + 1]))
            return
        record = Record(suspect.name, size=suspect.size, changed=suspect.changed, options=self._assignment.options)
        with contextlib.suppress(Exception):
            record.content = content_of(suspect)
        record.version, record.attempts, record.finished = self._assignment.version, n + 1, time.time()
        record.error = {"kind": "killed", "text": f"its worker died in each of {n + 1} attempts; the last: {why}"}
        self._manifest.add(record)
        self.count(record)


def _is_done(item: Item, known: Record | None, assignment: Assignment, failed_again: bool) -> bool:
    """Whether an earlier run has done exactly this."""
    if known is None or known.options != assignment.options:
        return False
    if known.error is not None and (failed_again or known.error["kind"] != "input"):
        return False
    same = item.is_file and item.changed != 0 and (item.size, item.changed) == (known.size, known.changed)
    try:
        if not same and content_of(item) != known.content:
            return False
    except (OSError, Error):
        return False
    return known.error is not None or outputs_are_there(assignment.output, known)


def _todo(items: Iterator[Item], known: dict[str, Record], run: _Run, assignment: Assignment, summary: Summary,
          shard: tuple[int, int] | None, failed_again: bool) -> Iterator[Item]:
    """Those that are not done; the others are counted."""
    seen: set[str] = set()
    for item in items:
        if not in_shard(item, shard):
            continue
        if item.name in seen:
            raise Error("inputs", f"two with the name {item.name!r}",
                        "different names, after which outputs are named: a folder, or a mapping from names to paths")
        seen.add(item.name)
        record = known.get(item.name)
        if not _is_done(item, record, assignment, failed_again):
            yield item
        elif record is not None and record.error is not None:
            run.fail(record)
        elif record is not None:
            summary.kept += 1
            run.rank(record)


def run_operation(
    operation: Operation,
    inputs: Any,
    output: str | os.PathLike[str],
    *,
    executor: Any = None,
    workers: int | None = None,
    shard: tuple[int, int] | None = None,
    attempts: int = 3,
    timeout: float | None = None,
    failed_again: bool = False,
    task_seconds: float = 2.0,
    progress: bool | None = None,
    report: bool = True,
) -> Summary:
    """Does an operation to all inputs; see limber.jobs."""
    if os.environ.get("LIMBER_JOBS_WORKER"):
        raise Error("limber.jobs", "a call from a worker, while it loads the script",
                    'the call within if __name__ == "__main__":')
    if shard is not None and not (len(shard) == 2 and 0 <= shard[0] < shard[1]):
        raise Error("shard", repr(shard), "(i, n) with 0 <= i < n")
    if attempts < 1:
        raise Error("attempts", str(attempts), "1 or more")
    folder = Path(output).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    version = limber.__version__
    assignment = Assignment(operation, folder, options_hash(operation.name, operation.options(), version), version)
    items, count = items_of(inputs, operation.suffixes)
    summary = Summary(folder)
    started = time.monotonic()
    with Progress(operation.name, count if shard is None else None, progress) as shown:
        who = executor_of(executor, assignment, workers, timeout)
        run = _Run(assignment, who, summary, attempts, _Costs(task_seconds, who.slots()), shown)
        run.run(_todo(items, latest(folder), run, assignment, summary, shard, failed_again))
        shown.show(summary, last=True)
    summary.elapsed = time.monotonic() - started
    if report:
        from ._report import write_report

        summary.report = write_report(folder, summary, operation)
    return summary


