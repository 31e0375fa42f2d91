// The actions of the views, and their buttons in the corner of the stage.
import type { App } from "../state/app.js";
import { h, svg } from "../ui/dom.js";
import { viewKinds, type Arrangement } from "./layout.js";
import type { Stage } from "./stage.js";
import { viewTitles } from "./views.js";

const group = "View";
const step = 24; // pixels per key press
const zoomStep = 1.15;

export function addViewActions(app: App, stage: Stage): void {
  viewKinds.forEach((kind, k) =>
    app.actions.add({
      id: `view.${kind}`,
      title: `${viewTitles[kind]} view`,
      group,
      keys: [String(k + 1)],
      run: () => stage.show(kind),
      checked: () => stage.arrangement !== "four" && stage.large === kind,
    }),
  );
  const arrangements: [Arrangement, string, string[]][] = [
    ["four", "Four equal views", ["5", "Q"]],
    ["alone", "One view alone", ["6"]],
    ["beside", "One large view, three small", ["7"]],
  ];
  for (const [arrangement, title, keys] of arrangements)
    app.actions.add({
      id: `view.${arrangement}`,
      title,
      group,
      keys,
      // Pressed again, it returns.
      run: () => stage.arrange(stage.arrangement === arrangement ? "beside" : arrangement),
      checked: () => stage.arrangement === arrangement,
    });
  app.actions.add({
    id: "view.frame",
    title: "Frame the selection or the figure",
    group,
    keys: ["F"],
    run: () => frameSelection(app, stage),
  });
  app.actions.add({
    id: "view.frameAll",
    title: "Frame the figure in all views",
    group,
    keys: ["Shift+F"],
    run: () => stage.frameAll(),
  });
  addCameraActions(app, stage);
}

function addCameraActions(app: App, stage: Stage): void {
  const moves = [
    ["Left", -step, 0],
    ["Right", step, 0],
    ["Up", 0, -step],
    ["Down", 0, step],
  ] as const;
  for (const [name, dx, dy] of moves) {
    const direction = name.toLowerCase();
    app.actions.add(
      {
        id: `view.orbit.${direction}`,
        title: `Orbit ${direction}`,
        group,
        keys: [`Alt+Arrow${name}`],
        run: () => (stage.current.orbit(dx, dy), stage.requestRender()),
      },
      {
        id: `view.pan.${direction}`,
        title: `Pan ${direction}`,
        group,
        keys: [`Alt+Shift+Arrow${name}`],
        run: () => (stage.current.pan(dx, dy), stage.requestRender()),
      },
    );
  }
  const zoom = (factor: number) => {
    const { x, y, width, height } = stage.current.element.getBoundingClientRect();
    stage.current.zoom(factor, x + width / 2, y + height / 2);
    stage.requestRender();
  };
  app.actions.add(
    { id: "view.zoom.in", title: "Zoom in", group, keys: ["Z"], run: () => zoom(1 / zoomStep) },
    { id: "view.zoom.out", title: "Zoom out", group, keys: ["Shift+Z"], run: () => zoom(zoomStep) },
  );
}

export function frameSelection(app: App, stage: Stage): void {
  const { selection } = app;
  if (selection.kind !== "segment") return stage.frame();
  const box = stage.figureView.bounds(new Set([selection.segment]));
  stage.frame(box.isEmpty() ? undefined : box.expandByScalar(0.1 * app.figure.info.length));
}

const pictures: Record<string, string> = {
  "view.frame": "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M8 10h4M10 8v4",
  "view.beside": "M3 3h14v14H3zM12 3v14M12 7.7h5M12 12.3h5",
  "view.four": "M3 3h14v14H3zM10 3v14M3 10h14",
  "view.alone": "M3 3h14v14H3z",
};

export function stageTools(app: App, stage: Stage): HTMLElement {
  const tools = h("div", { class: "stage-tools", role: "toolbar", aria: { label: "Views" } });
  const buttons = Object.entries(pictures).map(([id, path]) => {
    const { title, keys, checked } = app.actions.find(id);
    const button = h("button", {
      type: "button",
      title: keys ? `${title} (${keys.join(" or ")})` : title,
      aria: { label: title },
      onclick: () => app.actions.run(id),
    });
    button.append(svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: path })));
    return { button, checked };
  });
  tools.append(...buttons.map(({ button }) => button));
  const update = () => {
    for (const { button, checked } of buttons) if (checked) button.setAttribute("aria-pressed", String(checked()));
    // In the corner of the large view.
    const { rect } = stage.arrangement === "four" ? stage.view("perspective") : stage.view(stage.large);
    tools.style.top = `${rect.y + 6}px`;
    tools.style.right = `${stage.host.clientWidth - rect.x - rect.width + 6}px`;
  };
  app.on("settings", update);
  new ResizeObserver(update).observe(stage.host);
  update();
  return tools;
}
