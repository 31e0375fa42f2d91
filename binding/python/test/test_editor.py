"""The page of the editor opens a scene; the widget is tested in a browser by ./test --full."""

from __future__ import annotations

import json
import re
import webbrowser
from pathlib import Path

import pytest
from conftest import ROOT

import limber
from limber import _editor


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In place of the editor, which this package may not have."""
    path = tmp_path / "editor.html"
    path.write_text("<!doctype html><html><body><p>editor</p></body></html>")
    monkeypatch.setattr(_editor, "PAGE", path)
    return path


def test_the_page_opens_a_scene(page: Path) -> None:
    assert limber.editor_page() == page.read_text()
    scene = limber.read_scene(ROOT / "example/scene/arm.json").replaced(title="</script> & more")
    made = limber.editor_page(scene)
    assert made.count("</script>") == 1 and made.endswith("</script></body></html>")
    given = re.search(r"open\(\.\.\.(.*)\) : setTimeout", made)
    assert given
    name, text = json.loads(given[1])
    assert name == "</script> & more.json"
    again = limber.Scene.from_json(text, name)  # without the file that it names
    assert again.pose == scene.pose and len(again.problem()) == len(scene.problem())


def test_the_editor_is_opened_in_the_browser(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    path = limber.edit(ROOT / "example/scene/tube.json")
    assert opened == [path.as_uri()] and "limberEditor.open" in path.read_text()
    path.unlink()


def test_a_package_without_the_page_says_so(page: Path) -> None:
    page.unlink()
    with pytest.raises(limber.Error, match="no page in this package"):
        limber.editor_page()
