// The loads on the figure: one row per load, with its place and its mass.
import type { FigureInfo } from "limber";
import type { App } from "../../state/app.js";
import { addLoad, changeLoad, removeLoad } from "../../command/assess_commands.js";
import { plain } from "../../document/handles.js";
import { h, replace } from "../../ui/dom.js";
import { placesText } from "./assess_text.js";
import { numberField, type Field } from "../../ui/fields.js";
import { type Load, firstLoad, maxLoad, loadsOf } from "../../document/assess.js";

const palms = ["left_palm", "right_palm"];
const joined = "+"; // a character that no name contains

// Hands first, then other sites, then segments without a site of the same name.
export function carriersOf({ sites, segments }: FigureInfo): { hands: string[][]; others: string[][] } {
  const names = [...new Set([...sites.map(({ name }) => name), ...segments.map(({ name }) => name)])];
  const own = palms.filter((name) => names.includes(name));
  const hands = [...(own.length === 2 ? [own] : []), ...own.map((name) => [name])];
  return { hands, others: names.filter((name) => !own.includes(name)).map((name) => [name]) };
}

// The place of a new load: both hands, or the last site, which is often the end of a tool.
export function firstCarrier(info: FigureInfo): string[] {
  return carriersOf(info).hands[0] ?? [info.sites.at(-1)?.name ?? info.segments.at(-1)!.name];
}

interface Row {
  readonly element: HTMLElement;
  readonly place: HTMLSelectElement;
  readonly kg: Field<number>;
}

export class LoadList {
  readonly element = h("ul", { class: "assess-loads", aria: { label: "Loads" } });
  private rows: Row[] = [];

  constructor(private readonly app: App) {}

  add(): void {
    const at = firstCarrier(this.app.figure.info);
    this.app.store.run(`Load of ${firstLoad} kg`, (doc) => addLoad(doc, { at, kg: firstLoad }));
  }

  removeLast(): void {
    this.remove(loadsOf(this.app.doc).length - 1);
  }

  private remove(index: number): void {
    this.app.store.run("Remove load", (doc) => removeLoad(doc, index));
  }

  show(isOtherFigure = false): void {
    const loads = loadsOf(this.app.doc);
    if (isOtherFigure || loads.length !== this.rows.length) {
      this.rows = loads.map((_, k) => this.row(k));
      replace(this.element, ...this.rows.map(({ element }) => element));
      this.element.hidden = loads.length === 0;
    }
    this.rows.forEach((row, k) => showLoad(row, loads[k]!));
  }

  private row(index: number): Row {
    const { app } = this;
    const { hands, others } = carriersOf(app.figure.info);
    const option = (at: readonly string[]) => h("option", { value: at.join(joined) }, placesText(at));
    const group = (label: string, places: readonly string[][]) => h("optgroup", { label }, ...places.map(option));
    const place = h(
      "select",
      { class: "grow", aria: { label: `Place of load ${index + 1}` } },
      hands.length > 0 && group("Hands", hands),
      group("Other places", others),
    );
    place.onchange = () => app.store.run("Place of a load", (doc) => changeLoad(doc, index, { at: place.value.split(joined) }));
    const kg = numberField(
      `Mass of load ${index + 1}`,
      (value) => app.store.run(`Load of ${value} kg`, (doc) => changeLoad(doc, index, { kg: value })),
      { digits: 2, min: 0, max: maxLoad },
    );
    const remove = h(
      "button",
      {
        class: "quiet",
        title: "Remove this load",
        aria: { label: `Remove load ${index + 1}` },
        onclick: () => this.remove(index),
      },
      "✕",
    );
    return {
      element: h("li", { class: "side-field" }, place, kg.element, h("span", { class: "unit faint" }, "kg"), remove),
      place,
      kg,
    };
  }
}

function showLoad({ place, kg }: Row, load: Load): void {
  const value = load.at.join(joined);
  // A place from a file that is not in this list.
  if (![...place.options].some((one) => one.value === value))
    place.append(h("option", { value }, load.at.map(plain).join(" and ")));
  place.value = value;
  kg.show(load.kg);
}
