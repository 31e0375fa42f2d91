// An icon per kind of constraint.
import { kinds, type Kind } from "../document/goals.js";
import { lineIcon } from "./line_icon.js";

export const kindIcon = (kind: Kind): SVGElement => lineIcon(kinds[kind].icon, 1.4);
