"""How far a run is: with tqdm if it is there, else as a line."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any


class Progress:
    """Shown in terminals and notebooks, unless `shown` says otherwise."""

    def __init__(self, title: str, count: int | None, shown: bool | None) -> None:
        self._title, self._count = title, count
        self._started = self._last = time.monotonic()
        self._bar: Any = None
        self._on = sys.stderr.isatty() or "ipykernel" in sys.modules if shown is None else shown
        if self._on:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]

                self._bar = tqdm(total=count, desc=title, unit="take", dynamic_ncols=True)
            except ImportError:
                pass

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._on:
            print(file=sys.stderr)

    def show(self, summary: Any, last: bool = False) -> None:
        """At most five times per second."""
        now = time.monotonic()
        if not self._on or (now - self._last < 0.2 and not last):
            return
        self._last = now
        finished = summary.done + summary.kept + summary.failed
        if self._bar is not None:
            self._bar.set_postfix(failed=summary.failed, refresh=False)
            self._bar.update(finished - self._bar.n)
            return
        rate = summary.done / max(1e-9, now - self._started)
        text = f"{self._title}: {finished}" + (f" of {self._count}" if self._count else "")
        text += f", {rate:.1f} per second, {summary.failed} failed"
        if self._count and rate > 0:
            text += f", {(self._count - finished) / rate:.0f} s to go"
        print("\r" + text.ljust(78), end="", file=sys.stderr, flush=True)
