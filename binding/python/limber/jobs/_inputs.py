"""What a run works on: files of folders, globs and lists, or anything that an iterator gives."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _limber
from .._error import Error

# Files with motions; skeletons (ASF) and buffers (BIN) belong to others.
MOTIONS = (".amc", ".bvh", ".glb", ".gltf", ".trc", ".c3d", ".vrm")


@dataclass(frozen=True)
class Item:
    """One input."""

    name: str
    """Unique, and the same on every machine: outputs are named after it."""
    value: Any
    """A path, or what the iterator gave."""
    size: int = 0
    changed: int = 0

    @property
    def is_file(self) -> bool:
        """Whether its value is the path of a file."""
        return isinstance(self.value, Path)


def _file(path: Path, name: str) -> Item:
    try:
        path = path.absolute()  # workers may have another current folder
        status = path.stat()
    except OSError:
        return Item(name, path)  # reading it says what is wrong
    return Item(name, path, status.st_size, status.st_mtime_ns)


def _in_folder(folder: Path, suffixes: Sequence[str]) -> Iterator[Item]:
    """In the order of their names, without those that begin with a dot."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in suffixes:
                path = Path(root) / name
                yield _file(path, path.relative_to(folder).as_posix())


def _fixed_part(pattern: str) -> Path:
    parts = Path(pattern).parts
    fixed = [part for part in parts[: next((k for k, part in enumerate(parts) if glob.has_magic(part)), len(parts))]]
    return Path(*fixed) if fixed else Path(".")


def _of_one(given: Any, suffixes: Sequence[str]) -> Iterator[Item]:
    if isinstance(given, Item):
        yield given
        return
    if isinstance(given, _limber.Figure):
        yield Item(given.name, given)
        return
    if not isinstance(given, (str, os.PathLike)):
        yield Item(_name_of(given), given)
        return
    text = os.fspath(given)
    path = Path(text)
    if path.is_dir():
        yield from _in_folder(path, suffixes)
    elif glob.has_magic(text) and not path.exists():
        root = _fixed_part(text)
        for found in sorted(glob.glob(text, recursive=True)):
            if Path(found).is_file():
                yield _file(Path(found), Path(found).relative_to(root).as_posix())
    else:
        yield _file(path, path.name)


def _name_of(value: Any) -> str:
    """Of an object that is no file: its name if it has one, or a hash of what it prints."""
    name = getattr(value, "name", None)
    if isinstance(name, str) and name:
        return name
    if isinstance(value, (int, float)):
        return str(value)
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _named(name: str, value: Any) -> Item:
    return _file(Path(value), name) if isinstance(value, (str, os.PathLike)) else Item(name, value)


def items_of(inputs: Any, suffixes: Sequence[str]) -> tuple[Iterator[Item], int | None]:
    """The inputs, and how many there are if that is known: lists and folders are sorted by size, the largest first, so
    that no long one is begun last; what an iterator gives is taken as it comes."""
    if isinstance(inputs, (str, os.PathLike, _limber.Figure)):
        inputs = [inputs]
    if not isinstance(inputs, Iterable):
        raise Error("inputs", repr(inputs), "a folder, a pattern, a list or an iterator")
    if isinstance(inputs, dict):
        inputs = [_named(str(name), value) for name, value in inputs.items()]
    if isinstance(inputs, (Sequence, set, frozenset)):
        items = [item for given in inputs for item in _of_one(given, suffixes)]
        items.sort(key=lambda item: (-item.size, item.name))
        return iter(items), len(items)
    return (item for given in inputs for item in _of_one(given, suffixes)), None


def in_shard(item: Item, shard: tuple[int, int] | None) -> bool:
    """By the name alone, so that all members of a job array agree, whatever the others have added meanwhile."""
    if shard is None or shard[1] == 1:
        return True
    return int.from_bytes(hashlib.sha256(item.name.encode()).digest()[:8], "big") % shard[1] == shard[0]
