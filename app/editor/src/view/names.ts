// Names of the figure as a person reads them.
export const readable = (name: string): string => name.replaceAll("_", " ");

// The part and the joint that carries it: "right hand", "right wrist".
export function partNames(segment: { name: string; joint: string }): { part: string; joint: string | undefined } {
  const part = readable(segment.name);
  const joint = readable(segment.joint);
  return { part, joint: joint === part ? undefined : joint };
}

// Of a limit, "right_elbow.flexion" or a name for several: whose it is.
export const limitOwner = (name: string): string => readable(name.split(".")[0]!);
