// The contacts of a clearance constraint: pairs of names, which select the part or the obstacle.
import type { ConstraintReport, Touch } from "limber";
import type { App } from "../../state/app.js";
import type { Selection } from "../../state/selection.js";
import { plain } from "../../document/handles.js";
import { h, replace } from "../../ui/dom.js";
import { obstacleMeant } from "../../document/obstacle.js";

const shownPairs = 4;
const overlap = 0.5; // mm: half of the last digit that is shown

const centimetres = (mm: number) => `${(mm / 10).toFixed(1)} cm`;

// "overlaps by 1.2 cm"; undefined for other constraints.
export function clearText({ touches, error_mm: mm = 0 }: ConstraintReport): string | undefined {
  const [deepest] = touches ?? [];
  if (!deepest) return undefined;
  return deepest.gap_mm < -overlap ? `overlaps by ${centimetres(-deepest.gap_mm)}` : `${centimetres(mm)} too near`;
}

interface Named {
  readonly text: string;
  readonly selects: Selection;
}

function pairOf(app: App, { segment, obstacle, other }: Touch): [Named, Named] {
  const part = (index: number): Named => ({
    text: plain(app.figure.info.segments[index]?.name ?? ""),
    selects: { kind: "segment", segment: index },
  });
  return [
    part(segment),
    obstacle !== undefined
      ? { text: obstacle, selects: { kind: "obstacle", name: obstacleMeant(app.doc, obstacle) } }
      : part(other!),
  ];
}

export class TouchList {
  readonly element = h("ul", { class: "touches", hidden: true, aria: { label: "Contacts" } });
  private shown = "";

  constructor(private readonly app: App) {}

  show(touches: readonly Touch[]): void {
    const pairs = touches
      .slice(0, shownPairs)
      .map((touch) => ({ names: pairOf(this.app, touch), isBad: touch.gap_mm < -overlap }));
    const key = JSON.stringify([pairs, touches.length]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = pairs.length === 0;
    const more = touches.length - pairs.length;
    replace(
      this.element,
      ...pairs.map(({ names: [a, b], isBad }) =>
        h("li", { class: isBad ? "bad" : "" }, this.button(a), isBad ? " in " : " at ", this.button(b)),
      ),
      more > 0 && h("li", { class: "faint" }, `and ${more} more`),
    );
  }

  private button({ text, selects }: Named): HTMLButtonElement {
    return h("button", { class: "touch-part", title: `Select ${text}`, onclick: () => this.app.select(selects) }, text);
  }
}
