// All parts of the page, in the order in which they are mounted.
import type { App } from "./app.js";
import { mountFiles } from "./file/files.js";
import { mountAssess } from "./panel/assess.js";
import { mountBar } from "./panel/bar.js";
import { mountCompare } from "./panel/compare.js";
import { mountConstraints } from "./panel/constraints.js";
import { mountHelp } from "./panel/help.js";
import { mountHint } from "./panel/hint.js";
import { mountJoints } from "./panel/joints.js";
import { mountMessages } from "./panel/messages.js";
import { mountObstacles } from "./panel/obstacles.js";
import { mountPartMenu } from "./panel/part_menu.js";
import { mountReach } from "./panel/reach.js";
import { mountShelf } from "./panel/shelf.js";
import { mountSolving } from "./panel/solving.js";
import { mountTimeline } from "./panel/timeline.js";
import { mountContacts } from "./view/contacts.js";
import { mountGhosts } from "./view/ghosts.js";
import { mountGoalRings } from "./view/goal_rings.js";
import { mountIcons } from "./view/icons.js";
import { mountLimits } from "./view/limits.js";
import { mountLoads } from "./view/loads.js";
import { mountObstacleViews } from "./view/obstacles.js";
import { mountProps } from "./view/props.js";
import { mountRings } from "./view/rings.js";
import { mountStage } from "./view/stage.js";
import { mountTrajectories } from "./view/trajectories.js";

export type Mount = (app: App) => void | Promise<void>; // a promise where it is not ready at once

export const panels: Mount[] = [
  mountStage,
  mountRings,
  mountLimits,
  mountIcons,
  mountGoalRings,
  mountGhosts,
  mountTrajectories,
  mountProps,
  mountObstacleViews,
  mountContacts,
  mountLoads,
  mountMessages,
  mountBar,
  mountConstraints,
  mountSolving,
  mountObstacles,
  mountAssess,
  mountReach,
  mountJoints,
  mountCompare,
  mountTimeline,
  mountShelf,
  mountPartMenu,
  mountHelp,
  mountHint,
  mountFiles,
];
