"""Maps of reach: one per worker, or one whose waves are solved by all workers, which gives the same map."""

from __future__ import annotations

import concurrent.futures
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _limber
from ._executors import connect
from ._operations import Reach
from ._record import sha256

PART = 256  # points of a part of a wave: milliseconds to a second of work

Solve = Callable[[np.ndarray, np.ndarray, int], tuple[np.ndarray, bytes]]

_subjects: dict[str, Any] = {}


def solve_part(subject: bytes, points: np.ndarray, starts: np.ndarray, restarts: int) -> tuple[np.ndarray, bytes]:
    """In a worker: a part of a wave of the map that `subject` describes."""
    key = sha256(subject)
    if key not in _subjects:
        _subjects.clear()
        _subjects[key] = pickle.loads(subject)
    problem, handle, arguments = _subjects[key]
    poses, answers = _limber._solve_wave(problem, handle, points, starts, restarts, threads=1, **arguments)
    return np.asarray(poses), bytes(answers)


def _parts(points: np.ndarray, starts: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(points[k : k + PART], starts[k : k + PART]) for k in range(0, len(points), PART)]


def _joined(parts: list[tuple[np.ndarray, bytes]]) -> tuple[np.ndarray, bytes]:
    return np.concatenate([poses for poses, _ in parts]), b"".join(answers for _, answers in parts)


@dataclass
class Waves:
    """Solves waves in parts on an executor."""

    subject: bytes
    executor: concurrent.futures.Executor

    def __call__(self, points: np.ndarray, starts: np.ndarray, restarts: int) -> tuple[np.ndarray, bytes]:
        parts = _parts(points, starts)
        if len(parts) == 1:
            return solve_part(self.subject, points, starts, restarts)
        futures = [self.executor.submit(solve_part, self.subject, *part, restarts) for part in parts]
        return _joined([future.result() for future in futures])


@dataclass
class WavesOnRay:
    """Solves waves in parts on a Ray cluster; a part whose worker dies is solved again by Ray."""

    subject: Any
    do: Any

    def __call__(self, points: np.ndarray, starts: np.ndarray, restarts: int) -> tuple[np.ndarray, bytes]:
        import ray

        return _joined(ray.get([self.do.remote(self.subject, *part, restarts) for part in _parts(points, starts)]))


@dataclass
class CutReach(Reach):
    """A map at a time, in this process; its waves elsewhere."""

    executor: Any = None
    workers: int | None = None
    attempts: int = 3

    def __call__(self, item: Any) -> Any:
        problem = self.problem(item)
        handle = problem.figure.point(self.handle)
        shared: dict[str, Any] = {"resolution": self.resolution, "chain_from": self.chain_from, "lanes": self.lanes}
        shared |= {k: v for k, v in self.options_of_reach.items() if k in ("pose", "orientation", "tolerance", "met_degrees")}
        subject = pickle.dumps((problem, handle, shared))
        if isinstance(self.executor, str):
            import ray

            if not ray.is_initialized():
                connect(self.executor)
            self.solve = WavesOnRay(ray.put(subject), ray.remote(num_cpus=1, max_retries=self.attempts)(solve_part))
            return super().__call__(item)
        if self.executor is not None:
            self.solve = Waves(subject, self.executor)
            return super().__call__(item)
        self.threads = self.workers or 0  # of this process: the waves are cut just so
        return super().__call__(item)
