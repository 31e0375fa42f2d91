"""The tutorials in a kernel of Jupyter: pictures show themselves, and nothing fails."""

from __future__ import annotations

from pathlib import Path

import nbclient
import nbformat
import pytest
from conftest import ROOT


@pytest.mark.parametrize("path", sorted((ROOT / "example/notebook").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_tutorial_runs(path: Path) -> None:
    book = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output.get("data", {}) for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/svg+xml" in data or "<svg" in data.get("text/html", "") for data in shown), "nothing is drawn"
