// Readable names of parts, joints and limits.
export const readable = (name: string): string => name.replaceAll("_", " ");

// The part and its joint: "right hand", "right wrist".
export function partNames(segment: { name: string; joint: string }): { part: string; joint: string | undefined } {
  const part = readable(segment.name);
  const joint = readable(segment.joint);
  return { part, joint: joint === part ? undefined : joint };
}

// The owner of a limit: the joint or group of its parameter, "right elbow"; for a limit over several, the first word of its name.
export function limitOwner(held: { limit: string; parameter: number }, parameters: readonly { name: string }[]): string {
  const parameter = parameters[held.parameter]?.name;
  if (parameter === undefined) return readable(held.limit.split(" ")[0]!);
  return readable(parameter.includes(".") ? parameter.slice(0, parameter.lastIndexOf(".")) : parameter);
}

// "right elbow at its limit"
export function heldText(
  held: readonly { limit: string; parameter: number; share: number }[],
  parameters: readonly { name: string }[],
): string | undefined {
  const [first, second] = new Set([...held].sort((a, b) => b.share - a.share).map((one) => limitOwner(one, parameters)));
  if (first === undefined) return undefined;
  return second === undefined ? `${first} at its limit` : `${first} and ${second} at their limits`;
}
