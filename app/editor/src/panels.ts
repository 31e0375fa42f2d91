// All parts of the page, in the order in which they are mounted.
import type { App } from "./app.js";
import { mountConstraints } from "./panel/constraints.js";
import { mountJoints } from "./panel/joints.js";
import { mountMessages } from "./panel/messages.js";
import { mountSolving } from "./panel/solving.js";
import { mountTimeline } from "./panel/timeline.js";
import { mountGhosts } from "./view/ghosts.js";
import { mountIcons } from "./view/icons.js";
import { mountLimits } from "./view/limits.js";
import { mountRings } from "./view/rings.js";
import { mountStage } from "./view/stage.js";
import { mountTrajectories } from "./view/trajectories.js";

export type Mount = (app: App) => void;

export const panels: Mount[] = [
  mountStage,
  mountRings,
  mountLimits,
  mountIcons,
  mountGhosts,
  mountTrajectories,
  mountMessages,
  mountConstraints,
  mountSolving,
  mountJoints,
  mountTimeline,
];
