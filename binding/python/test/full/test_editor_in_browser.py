"""The widget's module in a browser, with the real editor: a scene is opened, a change comes back, and another is shown."""

from __future__ import annotations

import functools
import html
import http.server
import json
import subprocess
import threading
from pathlib import Path

from conftest import ROOT

import limber
from limber import _editor

HARNESS = """<!doctype html><html><body><div id="el"></div><script type="module">
import widget from "./widget.js";
const values = { height: 400, _page: await (await fetch("./editor.html")).text(), _text: await (await fetch("./scene.json")).text() };
const listeners = [];
let saved;
const model = {
  get: (name) => values[name],
  set: (name, value) => (values[name] = value),
  save_changes: () => saved && saved(),
  on: (_, listener) => listeners.push(listener),
  off: () => {},
};
const change = () => new Promise((done) => (saved = done));
const first = change();
widget.render({ model, el: document.getElementById("el") });
const frame = document.querySelector("iframe");
while (!frame.contentWindow.limberEditor || !listeners.length) await new Promise((done) => setTimeout(done, 100));
const app = frame.contentWindow.limberApp;
const opened = app.doc.constraints.length;
app.store.run("Rename", (doc) => ({ ...doc, title: "changed in the frame" }));
await first;
const told = JSON.parse(values._text).title;
values._text = JSON.stringify({ ...JSON.parse(values._text), title: "set from outside", constraints: [] });
await listeners[0]();
document.title = "done " + JSON.stringify([opened, told, app.doc.title, app.doc.constraints.length]);
</script></body></html>"""


def test_a_scene_goes_in_and_out(tmp_path: Path) -> None:
    scene = limber.read_scene(ROOT / "example/scene/tube.json")
    (tmp_path / "index.html").write_text(HARNESS)
    (tmp_path / "widget.js").write_text(_editor.WIDGET)
    (tmp_path / "editor.html").write_text((ROOT / "build/editor/limber.html").read_text())
    (tmp_path / "scene.json").write_text(_editor._text(scene))
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--dump-dom",
         "--virtual-time-budget=60000", f"http://127.0.0.1:{server.server_port}/index.html"],
        capture_output=True, text=True, check=True, timeout=300,
    ).stdout
    server.shutdown()
    title = html.unescape(shown.split("<title>")[1].split("</title>")[0])
    assert title.startswith("done "), title
    opened, told, then, constraints = json.loads(title[5:])
    assert (opened, told, then, constraints) == (len(scene.problem()), "changed in the frame", "set from outside", 0)


def test_the_widget_has_the_scene() -> None:
    tube, arm = (limber.read_scene(ROOT / f"example/scene/{name}.json") for name in ("tube", "arm"))
    editor = limber.Editor(tube)
    assert editor.pose == tube.pose and len(editor.problem) == len(tube.problem())
    editor.scene = arm
    assert editor.scene.title == arm.title and editor.scene.solve().met == arm.solve().met
    assert limber.Editor is limber.Editor
