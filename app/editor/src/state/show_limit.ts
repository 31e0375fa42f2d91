// Shows a limit that holds a constraint back: its part is selected.
import type { HoldingLimit } from "limber";
import type { App } from "./app.js";
import { segmentTurnedBy } from "../document/joint_groups.js";

// The parameter of a limit. A limit over several is named "group name": the first parameter of that group represents it.
function parameterOf(app: App, { parameter, limit }: Omit<HoldingLimit, "share">): number {
  if (parameter >= 0) return parameter;
  const [group] = limit.split(" ");
  return app.figure.info.parameters.findIndex((one) => one.name === group || one.name.startsWith(`${group}.`));
}

export function showLimit(app: App, limit: Omit<HoldingLimit, "share">): void {
  const parameter = parameterOf(app, limit);
  const segment = segmentTurnedBy(app.figure.info, parameter);
  if (segment < 0) return;
  app.select({ kind: "segment", segment });
  app.emit("limit", parameter);
}
