"""What a run has done: one line of JSON per input, in manifests that only ever grow.

Every process that writes outputs has a manifest of its own, OUTPUT/.limber-jobs/manifest-NAME.jsonl, and writes the line
of an input right after its outputs have their names. So whatever dies, a next start knows what is done; a line that was
cut off is ignored. Outputs are written under a temporary name, forced to the disk, and renamed.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FOLDER = ".limber-jobs"


@dataclass
class Output:
    """A file that was written: its name in the output folder, its size and the SHA-256 of its content."""

    name: str
    size: int
    sha256: str


@dataclass
class Record:
    """What became of an input."""

    name: str
    """The input: its path relative to the folder that was given, or its name."""
    content: str = ""
    """SHA-256 of everything that was read for it."""
    size: int = 0
    """Of the input file, in bytes."""
    changed: int = 0
    """When the input file was changed last, in nanoseconds: where it and the size are the same, it is not read again."""
    options: str = ""
    """A hash of what was done, its options and the version."""
    version: str = ""
    outputs: list[Output] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    """Numbers about the result: frames, distances."""
    seconds: float = 0.0
    """Processor time."""
    elapsed: float = 0.0
    """Time, with what it waited for files and others."""
    attempts: int = 1
    error: dict[str, Any] | None = None
    """Why there is no result: its kind ("input", "system" or "killed"), text, and the parts of a limber.Error."""
    finished: float = 0.0
    """Seconds since 1970."""

    @property
    def ok(self) -> bool:
        """Whether its outputs are there."""
        return self.error is None

    def line(self) -> str:
        """As a line of a manifest."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"

    @staticmethod
    def of(line: str) -> Record | None:
        """The record of a line; nothing for one that was cut off."""
        try:
            data = json.loads(line)
            data["outputs"] = [Output(**output) for output in data["outputs"]]
            return Record(**data)
        except (ValueError, TypeError, KeyError):
            return None


def sha256(data: bytes) -> str:
    """The SHA-256 of bytes, as it is written in manifests."""
    return hashlib.sha256(data).hexdigest()


def options_hash(operation: str, options: Mapping[str, Any], version: str) -> str:
    """Of what is done to each input: the same for two runs that must give the same outputs."""
    digest = hashlib.sha256(f"{operation}\0{version}".encode())
    for key in sorted(options):
        digest.update(f"\0{key}\0".encode())
        digest.update(_bytes_of(options[key]))
    return digest.hexdigest()


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, Mapping):
        return b"{" + b",".join(repr(key).encode() + b":" + _bytes_of(value[key]) for key in sorted(value)) + b"}"
    if isinstance(value, (list, tuple)):
        return b"[" + b",".join(map(_bytes_of, value)) + b"]"
    if isinstance(value, (str, int, float, bool, type(None))):
        return repr(value).encode()
    try:
        return pickle.dumps(value, protocol=4)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError):
        return repr(value).encode()


def write_whole(folder: Path, name: str, data: bytes, part: Path) -> Output:
    """Writes a file of the output folder: the old one or the new one is there, never half of it."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return Output(name, len(data), sha256(data))


class Manifest:
    """The manifest of one process, and the folder of its temporary files."""

    def __init__(self, output: Path, owner: str) -> None:
        self.output = output
        self.name = f"{owner}-{socket.gethostname()}-{os.getpid()}-{time.time_ns():x}"
        self.parts = output / FOLDER / "part" / self.name
        self._path = output / FOLDER / f"manifest-{self.name}.jsonl"
        self._file: int | None = None

    def add(self, record: Record) -> None:
        """Adds a line; it is with the system when this returns, so that a killed process loses none."""
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        line = record.line().encode()
        written = os.write(self._file, line)
        if written < len(line):  # a full disk: what was cut off is no line
            os.write(self._file, b"\n")
            raise OSError(28, "No space left on device", str(self._path))

    def close(self) -> None:
        """Closes the file, and removes what is temporary."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        shutil.rmtree(self.parts, ignore_errors=True)


def sweep(output: Path) -> None:
    """Removes what processes of this machine have left that were killed while they wrote."""
    for parts in (output / FOLDER / "part").glob("*"):
        owner, _, rest = parts.name.partition("-")
        host, pid, _ = (*rest.rsplit("-", 2), "", "")[:3]
        if not owner or host != socket.gethostname() or not pid.isdecimal():
            continue
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(parts, ignore_errors=True)
        except OSError:
            continue


def all_records(output: Path) -> Iterator[Record]:
    """All lines of all manifests of an output folder."""
    for path in sorted((output / FOLDER).glob("manifest-*.jsonl")):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                record = Record.of(line)
                if record:
                    yield record


def latest(output: Path) -> dict[str, Record]:
    """The last record of every input."""
    last: dict[str, Record] = {}
    for record in all_records(output):
        known = last.get(record.name)
        if known is None or record.finished >= known.finished:
            last[record.name] = record
    return last


def outputs_are_there(output: Path, record: Record, *, read: bool = False) -> bool:
    """Whether the outputs of a record are as they were written: by their sizes, or `read` and compared."""
    for file in record.outputs:
        path = output / file.name
        try:
            if path.stat().st_size != file.size or (read and sha256(path.read_bytes()) != file.sha256):
                return False
        except OSError:
            return False
    return True
