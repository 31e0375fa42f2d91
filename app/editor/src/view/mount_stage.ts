// Mounts the stage and keeps it up to date: figure, pose, cameras, colours.
import { isOtherStature } from "../document/stature.js";
import type { App } from "../state/app.js";
import { oncePerFrame } from "../ui/once_per_frame.js";
import { mountHover } from "./hover.js";
import { Stage, type Editor } from "./stage.js";
import { addViewActions, stageTools } from "./view_actions.js";

function stageFor(app: App): Stage {
  try {
    return new Stage(app);
  } catch (error) {
    document.getElementById("stage")!.textContent = "This browser cannot draw in three dimensions (WebGL 2). Limber needs that.";
    throw error;
  }
}

export function mountStage(app: App): Editor {
  const stage = stageFor(app);
  addViewActions(app, stage);
  stage.host.append(stageTools(app, stage));
  mountHover(app, stage);
  let shown = app.doc;
  app.on("figure", (figure) => {
    stage.pointers.cancel();
    stage.setFigure(figure);
    // For the same human with another stature the cameras stay.
    if (isOtherStature(shown, app.doc)) stage.setPose(app.doc.pose);
    else stage.frameAll(app.doc.pose); // the shown pose still belongs to the old figure
    shown = app.doc;
  });
  const keepInSight = oncePerFrame(() => stage.keepInSight()); // the pose of the document is shown by then
  app.on("document", (_doc, _before, cause) => cause !== "preview" && keepInSight());
  // A new motion may start out of view.
  app.on("document", (doc, before) => {
    const { keys } = doc;
    if (keys.length < 2 || keys === before.keys || keys.some((key) => before.keys.includes(key)) || isOtherStature(before, doc))
      return;
    requestAnimationFrame(() => {
      const box = stage.figureView.bounds();
      if (stage.views.some((view) => view.shown && !view.contains(box))) stage.frameAll(app.pose);
    });
  });
  app.on("pose", (pose) => {
    stage.setPose(pose);
    if (app.playing) stage.follow();
  });
  app.on("playing", (playing) => playing && stage.startFollowing());
  app.on("settings", () => stage.paint());
  return Object.assign(app, { stage });
}
