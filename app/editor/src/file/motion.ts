// A motion of a file as keys: the fewest that follow it within a degree and five millimetres, so that it can be edited.
import type { Key } from "limber";
import type { App } from "../state/app.js";
import { changeConstraint } from "../command/commands.js";
import type { Doc } from "../document/document.js";
import type { JobQueue } from "../engine/job_queue.js";
import type { Subject } from "../engine/jobs.js";
import type { Busy } from "./open.js";

const degrees = 1;
const metres = 0.005;

export interface MotionFile {
  readonly name: string;
  readonly files: Subject["files"];
  readonly clip: number;
}

// Files have 0.0333333 for 1/30: a rate that is nearly an integer is rounded.
export function rateOf(frameTime: number): number {
  const rate = 1 / frameTime;
  const whole = Math.round(rate);
  return Math.abs(rate - whole) < 1e-3 * whole ? whole : Math.min(1000, rate);
}

type Motion = Pick<Doc, "keys" | "frameRate">;

async function keysOf(queue: JobQueue, subject: Subject, poses: Float64Array, frameRate: number): Promise<Key[]> {
  const { keys } = await queue.run("reduce", { subject, frameTime: 1 / frameRate, poses, degrees, metres });
  return keys;
}

export function motionOf(queue: JobQueue, { subject, ...file }: MotionFile & { subject: Subject }, busy: Busy): Promise<Motion> {
  return busy("Reading the motion", async (tell) => {
    const { poses, frameTime } = await queue.run("motion", file);
    const frameRate = rateOf(frameTime);
    tell("Reducing the motion to keys…");
    return { keys: await keysOf(queue, subject, poses, frameRate), frameRate };
  });
}

// Retargets the motion to the current figure. Constraints would hold the figure in place, so they are switched off.
export async function retargetMotion(
  app: App,
  queue: JobQueue,
  { title, ...file }: MotionFile & { title: string },
  busy: Busy,
): Promise<void> {
  const { doc } = app;
  const to: Subject = { figure: doc.figure, files: doc.files };
  const { keys, frameRate } = await busy("Retargeting the motion", async (tell) => {
    tell("Retargeting the motion…");
    const { poses, frameTime } = await queue.run("retarget", {
      from: { figure: { file: file.name }, files: file.files },
      file: file.name,
      clip: file.clip,
      to,
    });
    const rate = rateOf(frameTime);
    tell("Reducing the motion to keys…");
    return { keys: await keysOf(queue, to, poses, rate), frameRate: rate };
  });
  if (app.doc.figure !== doc.figure) return;
  app.store.run(`Retarget ${title}`, (now) => ({
    ...now,
    keys,
    frameRate,
    pose: keys[0]?.pose ?? now.pose,
    constraints: now.constraints.map((one) => ({ ...one, enabled: false })),
  }));
  app.setTime(app.start);
  const off = doc.constraints.filter(({ enabled }) => enabled !== false).map(({ id }) => id);
  if (off.length === 0) return app.say("info", `${title} was retargeted`, "Undo restores the old keys.");
  app.emit("message", {
    kind: "info",
    title: `${title} was retargeted`,
    text: `${off.length === 1 ? "A constraint is" : `${off.length} constraints are`} off now: they would hold the figure in place. Undo restores everything.`,
    button: {
      title: "Switch them on",
      run: () =>
        app.store.run("Switch constraints on", (now) =>
          off.reduce((next, id) => changeConstraint(next, id, { enabled: undefined }), now),
        ),
    },
  });
}
