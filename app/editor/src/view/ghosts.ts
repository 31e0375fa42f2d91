// Ghosts: the poses of the keys before and after the playhead, transparent.
import { keyAt, type Doc } from "../document/document.js";
import { remember, remembered } from "../ui/dom.js";
import type { FigureView } from "./figure_view.js";
import { themeOf } from "./ground.js";
import type { Editor } from "./stage.js";

const opacity = 0.28;
const behind = 12000; // depth offset of a ghost, a few centimetres
const colours = {
  light: { before: 0x2f7fc4, after: 0xc9751c },
  dark: { before: 0x6db3ff, after: 0xf3a24b },
} as const;
const sides = ["before", "after"] as const;

// The poses of the keys next to a time, without a key at that time.
export function neighbours(doc: Doc, time: number): Record<(typeof sides)[number], readonly number[] | undefined> {
  const at = keyAt(doc, time);
  const next = at >= 0 ? at + 1 : doc.keys.findIndex((key) => key.time > time);
  const last = at >= 0 ? at - 1 : (next < 0 ? doc.keys.length : next) - 1;
  return { before: doc.keys[last]?.pose, after: next < 0 ? undefined : doc.keys[next]?.pose };
}

class Ghosts {
  private isOn = remembered("ghosts", false);
  private views: Partial<Record<(typeof sides)[number], FigureView>> = {};
  private poses: Partial<Record<(typeof sides)[number], readonly number[]>> = {};

  constructor(private readonly app: Editor) {
    app.actions.add({
      id: "view.ghosts",
      title: "Ghosts of the neighbouring keys",
      group: "View",
      keys: ["G"],
      run: () => this.toggle(),
      checked: () => this.isOn,
    });
    const show = () => this.show();
    for (const event of ["document", "time", "playing"] as const) app.on(event, show);
    app.on("figure", () => this.forget());
    app.on("settings", () => this.paint());
    this.show();
  }

  private toggle(): void {
    this.isOn = !this.isOn;
    remember("ghosts", this.isOn);
    if (this.isOn && this.app.doc.keys.length < 2) this.app.say("info", "Ghosts", "They appear once there are two keys.");
    this.show();
    this.app.emit("settings");
  }

  private show(): void {
    const { doc, time, playing, figure, stage } = this.app;
    const wanted = this.isOn && !playing ? neighbours(doc, time) : { before: undefined, after: undefined };
    for (const side of sides) {
      const pose = wanted[side];
      const view = this.views[side];
      if (!pose || pose.length !== figure.parameters) {
        if (view?.visible) stage.requestRender();
        if (view) view.visible = false;
        continue;
      }
      const shown = view ?? (this.views[side] = this.made(side));
      if (shown.visible && this.poses[side] === pose) continue;
      if (this.poses[side] !== pose) shown.setPose(pose);
      this.poses[side] = pose;
      shown.visible = true;
      stage.requestRender();
    }
  }

  private made(side: (typeof sides)[number]): FigureView {
    const { stage, figure } = this.app;
    // Where a ghost nearly coincides with the figure, the figure is seen.
    const view = stage.addFigure(figure, { colour: colours[themeOf()][side], opacity, behind, pickable: false });
    void stage.dress(view);
    return view;
  }

  private paint(): void {
    for (const side of sides) this.views[side]?.setColour(colours[themeOf()][side]);
  }

  private forget(): void {
    for (const view of Object.values(this.views)) this.app.stage.removeFigure(view);
    this.views = {};
    this.poses = {};
  }
}

export function mountGhosts(app: Editor): void {
  new Ghosts(app);
}
