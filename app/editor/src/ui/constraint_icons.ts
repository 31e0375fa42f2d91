// An icon and a title per kind of constraint.
import type { Kind } from "../document/make_constraint.js";
import { lineIcon } from "./line_icon.js";

const pin = "M8 9.5V14.5M4.5 9.5h7L10 6V2.5H6V6z";
const turned = "M3 8a5 5 0 1 1 1.6 3.7M3 13l1.4-1.6L6 13";
const plane = "M1.5 11.5 5 5h9.5L11 11.5z";

const paths: Record<Kind, string> = {
  position: pin,
  direction: "M2.5 13.5 13 3M8 3h5v5",
  orientation: turned,
  placement: `M8 8.2v5.8M5.8 8.2h4.4L9.4 6V3.4H6.6V6zM2.2 9.5a6 2.4 0 0 0 3 2.7M13.800 9.5a6 2.4 0 0 1-3 2.7`,
  plane,
  line: "M2 14 14 2M6.500 8a1.6 1.6 0 1 0 3 0 1.6 1.6 0 1 0-3 0",
  aim_at: "M8 1.500v4M8 10.500v4M1.500 8h4M10.500 8h4M4 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0",
  half_space: "M1.500 13 4.500 9.500h10L11.500 13zM8 8.500V2M5.500 4.500 8 2l2.500 2.500",
  inside: "M2 8a6 6 0 1 0 12 0 6 6 0 1 0-12 0M6.500 8h3M8 6.500v3",
  outside: "M1.500 9a4.500 4.500 0 1 0 9 0 4.500 4.500 0 1 0-9 0M11.500 3.500h3M13 2v3",
  coincide: "M1.500 5.500l4.500 2.500-4.500 2.500M14.500 5.500 10 8l4.500 2.500M8 5v6",
  hold: pin,
  balance: "M8 2v12M4 14h8M3 4.500h10M3 4.500 1.300 9h3.400zM13 4.500 11.300 9h3.400z",
  keep_clear: "M1.500 9.500h13v4h-13zM8 1.500v5M5.500 4.200 8 6.700l2.500-2.500",
  pull: "M8 2v9M4.500 7.500 8 11l3.500-3.500M3 14h10",
  one_of: "M3 3h4v4H3zM9 9h4v4H9z",
};

export const kindTitles: Record<Kind, string> = {
  position: "Position",
  direction: "Direction",
  orientation: "Orientation",
  placement: "Position and orientation",
  plane: "In a plane",
  line: "On a line",
  aim_at: "Aim",
  half_space: "On one side of a plane",
  inside: "Inside a region",
  outside: "Outside a region",
  coincide: "Together",
  hold: "Hold",
  balance: "Balance",
  keep_clear: "Keep clear of obstacles",
  pull: "Pull towards a pose",
  one_of: "One of several",
};

export const kindIcon = (kind: Kind): SVGElement => lineIcon(paths[kind], 1.4);
