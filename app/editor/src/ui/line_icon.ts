// An icon made of one path.
import { svg } from "./dom.js";

export const lineIcon = (path: string, width: number): SVGElement =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "kind-icon" },
    svg("path", {
      d: path,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": width,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }),
  );
