"""The editor: as a page in the browser, and as a widget in notebooks."""

from __future__ import annotations

import functools
import json
import os
import sys
from pathlib import Path
from typing import Any

from ._error import Error
from ._files import read_scene
from ._limber import Pose, Problem, Scene

PAGE = Path(__file__).with_name("editor.html")


def _page() -> str:
    if not PAGE.exists():
        raise Error(
            "the editor",
            "no page in this package",
            "one that was built with the page: ./run in a clone, then ./run python or pip install .",
        )
    return PAGE.read_text(encoding="utf-8")


def _text(scene: Scene) -> str:
    """The scene with its figure in it, whatever file it came from."""
    return str(scene.__getstate__()[0])  # type: ignore[operator]


def _scene(what: Scene | str | os.PathLike[str]) -> Scene:
    return what if isinstance(what, Scene) else read_scene(what)


def editor_page(scene: Scene | str | os.PathLike[str] | None = None) -> str:
    """The editor as one HTML page, which opens a scene or the file of one. It needs no server and no net."""
    page = _page()
    if scene is None:
        return page
    shown = _scene(scene)
    # "</" would end the script.
    text = json.dumps([f"{shown.title or 'scene'}.json", _text(shown)]).replace("</", "<\\/")
    opener = (
        "<script>(function wait() { window.limberEditor && document.documentElement.dataset.ready"
        f" ? limberEditor.open(...{text}) : setTimeout(wait, 50); }})()</script>"
    )
    head, end, tail = page.rpartition("</body>")
    return head + opener + end + tail if end else page + opener


def edit(scene: Scene | str | os.PathLike[str] | None = None) -> Path:
    """Opens the editor in the browser, with a scene or the file of one; gives the page that it shows."""
    import tempfile
    import webbrowser

    page = editor_page(scene)
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="limber-", delete=False, encoding="utf-8") as file:
        file.write(page)
    webbrowser.open(Path(file.name).as_uri())
    return Path(file.name)


def main() -> None:
    """limber-editor [SCENE]"""
    given = sys.argv[1:]
    if len(given) > 1 or given[:1] in (["-h"], ["--help"]):
        print("usage: limber-editor [SCENE]\n\nOpens the editor in the browser, with a scene.")
        sys.exit(0 if len(given) == 1 else 2)
    try:
        print(edit(given[0] if given else None))
    except Error as error:
        print(f"limber-editor: {error}", file=sys.stderr)
        sys.exit(3)


WIDGET = """
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width: 100%; height: ${model.get("height")}px; border: 1px solid #8888; border-radius: 4px`;
  frame.title = "Limber editor";
  const page = model.get("_page").replace("<html", "<html data-embedded");
  const address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  let editor, last;
  const open = async () => {
    const text = model.get("_text");
    if (!editor || !text || text === last) return;
    last = text;
    await editor.open("scene.json", text);
  };
  const tell = () => {
    last = editor.scene();
    model.set("_text", last);
    model.save_changes();
  };
  const begin = async () => {
    editor = frame.contentWindow?.limberEditor;
    if (!editor || !frame.contentDocument.documentElement.dataset.ready) return setTimeout(begin, 50);
    await open();
    let waiting;
    editor.listen(() => { clearTimeout(waiting); waiting = setTimeout(tell, 100); });
    model.on("change:_text", open);
  };
  frame.addEventListener("load", begin);
  frame.src = address;
  el.append(frame);
  return () => { model.off("change:_text", open); URL.revokeObjectURL(address); };
}
export default { render };
"""


@functools.cache
def _widget() -> type[Any]:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise Error("limber.Editor", "no anywidget in this environment", "pip install 'limber-ik[notebook]'") from error

    class Editor(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """The editor in a notebook. Drag in it, and read `scene`; set `scene`, and it is shown."""

        _esm = WIDGET
        _page = traitlets.Unicode().tag(sync=True)
        _text = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(600).tag(sync=True)

        def __init__(self, scene: Scene | str | os.PathLike[str] | None = None, *, height: int = 600) -> None:
            text = "" if scene is None else _text(_scene(scene))
            super().__init__(_page=_page(), _text=text, height=height)

        @property
        def scene(self) -> Scene:
            """What is shown: a figure, its pose, constraints and obstacles."""
            if not self._text:
                raise Error("editor.scene", "an editor that has not begun", "one that is shown")
            return Scene.from_json(self._text, "editor")

        @scene.setter
        def scene(self, scene: Scene | str | os.PathLike[str]) -> None:
            self._text = _text(_scene(scene))

        @property
        def pose(self) -> Pose:
            """The pose that is shown."""
            return self.scene.pose

        @property
        def problem(self) -> Problem:
            """The constraints, to solve them here."""
            return self.scene.problem()

    return Editor
