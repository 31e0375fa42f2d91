"""A worker of the process pool: reads tasks from a socket and sends a record for each input.

    python -m limber.jobs._process FILE_DESCRIPTOR
"""

from __future__ import annotations

import os
import pickle
import runpy
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection

from ._work import Worker


def _end_with(parent: int) -> None:
    """Ends this process when its parent is gone, also in the middle of a solve: outputs are whole or not there."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _loads(data: bytes, main: str | None) -> object:
    try:
        return pickle.loads(data)
    except AttributeError:
        if main is None:
            raise
        # A function of the script that was started.
        names = runpy.run_path(main, run_name="__mp_main__")
        sys.modules["__main__"].__dict__.update(names)
        return pickle.loads(data)


def main() -> None:
    """Until the driver closes the socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver's terminal sends it to all
    connection: Connection = Connection(int(sys.argv[1]))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    os.environ["LIMBER_JOBS_WORKER"] = "1"
    worker = None
    try:
        data, script = connection.recv()
        try:
            worker = Worker(_loads(data, script))  # type: ignore[arg-type]
        except BaseException as error:
            connection.send(("broken", f"{type(error).__name__}: {error}"))
            return
        connection.send(("ready", None))
        while True:
            items, attempts = connection.recv()
            for item, n in zip(items, attempts, strict=True):
                connection.send(("record", worker.do(item, n)))
            connection.send(("done", None))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    finally:
        if worker:
            worker.close()


if __name__ == "__main__":
    main()
