"""The examples run, and mypy --strict knows all their types."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "example/python").glob("*.py"))
PAGE = ROOT / "doc/python.md"


NOTEBOOKS = sorted((ROOT / "example/notebook").glob("*.ipynb"))


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path) -> None:
    runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path) -> None:
    names: dict[str, object] = {}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    for cell in cells:
        assert not cell["outputs"], "outputs are not kept in the repository"
        exec(compile("".join(cell["source"]), str(path), "exec"), names)


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
