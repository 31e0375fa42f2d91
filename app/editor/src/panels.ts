// All parts of the editor, in the order in which they are mounted on the stage.
import type { Editor } from "./view/stage.js";
import { mountDrag } from "./input/drag.js";
import { mountFiles } from "./file/files.js";
import { mountAssess } from "./panel/assess/assess.js";
import { mountBar } from "./panel/shell/bar.js";
import { mountCompare } from "./panel/compare/compare.js";
import { mountConstraints } from "./panel/constraint/constraints.js";
import { mountHelp } from "./panel/shell/help.js";
import { mountHint } from "./panel/shell/hint.js";
import { mountJoints } from "./panel/joint/joints.js";
import { mountMessages } from "./panel/shell/messages.js";
import { mountObstacles } from "./panel/obstacle/obstacles.js";
import { mountPartMenu } from "./panel/shell/part_menu.js";
import { mountReach } from "./panel/reach/reach.js";
import { mountShelf } from "./panel/shelf/shelf.js";
import { mountSolving } from "./panel/constraint/solving.js";
import { mountTimeline } from "./panel/timeline/timeline.js";
import { mountContacts } from "./view/contacts.js";
import { mountGhosts } from "./view/ghosts.js";
import { mountGoalRings } from "./gizmo/goal_rings.js";
import { mountIcons } from "./gizmo/icons.js";
import { mountLimits } from "./gizmo/limits.js";
import { mountLoads } from "./view/loads.js";
import { mountObstacleViews } from "./gizmo/obstacles.js";
import { mountProps } from "./view/props.js";
import { mountRings } from "./gizmo/rings.js";
import { mountTrajectories } from "./gizmo/trajectories.js";

export type Mount = (app: Editor) => void | Promise<void>; // a promise where it is not ready at once

export const panels: Mount[] = [
  mountDrag,
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
