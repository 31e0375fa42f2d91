// An icon per shape of obstacle.
import { lineIcon } from "../../ui/line_icon.js";
import type { ObstacleValue } from "limber";
import { type Shape, shapeOf } from "../../document/obstacle.js";

const paths: Record<Shape, string> = {
  box: "M2 5.500 8 2.500l6 3v6l-6 3-6-3zM2 5.500l6 3 6-3M8 8.500v6",
  ball: "M2 8a6 6 0 1 0 12 0 6 6 0 1 0-12 0M2.300 8.800c3 2 8.400 2 11.400 0",
  capsule: "M5 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0z",
  floor: "M1.500 11.500 5 6h9.500L11 11.500zM8 8.500V2M6 4l2-2 2 2",
  hull: "M8 2 13.500 6 11.500 13h-7L2.500 6z",
  mesh: "M2 13 8 3l6 10zM5 8h6l-3 5z",
  figure: "M6.500 3.500a1.500 1.500 0 1 0 3 0 1.500 1.500 0 1 0-3 0M8 5v5M4.500 6.500h7M8 10l-2.500 4M8 10l2.500 4",
};

export const obstacleIcon = (obstacle: ObstacleValue): SVGElement => lineIcon(paths[shapeOf(obstacle)], 1.3);
