"""The examples run, and mypy --strict knows all their types."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "example/python").glob("*.py"))
PAGE = ROOT / "doc/python.md"


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    runpy.run_path(str(path), run_name="__main__")


def test_the_page_runs_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    names: dict[str, object] = {}
    assert len(blocks()) > 5
    for block in blocks():
        exec(compile(block, str(PAGE), "exec"), names)


def test_types_are_strict(tmp_path: Path) -> None:
    page = tmp_path / "page.py"
    page.write_text("\n".join(blocks()), encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={ROOT}/build/python/mypy", *map(str, EXAMPLES), str(page)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
