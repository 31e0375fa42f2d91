// The menu "Constrain ▾": the constraints that a place can get, and their actions.
import type { App } from "../../state/app.js";
import { addConstraint } from "../../command/commands.js";
import { freshId } from "../../document/document.js";
import { massCentre, opposite, placeOn, placesIn, placesOf, type HandleKind } from "../../document/handles.js";
import { makeConstraint, wishRows, type Wish, type WishKind, type WishRow } from "../../document/make_constraint.js";
import { feetOf, segmentOf } from "../../document/places.js";
import { h, replace } from "../../ui/dom.js";
import { kindIcon } from "../../ui/constraint_icons.js";
import { toggle } from "./constraint_row.js";
import { placeField, type Field } from "../../ui/fields.js";
import { attempt } from "../../state/attempt.js";

// The place of the selection, else a usual first choice.
function meant(app: App, kind: HandleKind): string {
  const { selection, figure, doc } = app;
  if (selection.kind === "segment") return placeOn(figure, selection.segment, kind);
  if (selection.kind === "constraint") {
    const [place] = placesOf(doc.constraints.find(({ id }) => id === selection.id)?.handle);
    if (place !== undefined) return place;
  }
  const usual = kind === "ray" ? ["eyes", "head"] : ["right_palm", "right_hand"];
  return usual.find((name) => segmentOf(figure, name) >= 0) ?? placesIn(figure)[0]!;
}

// Adds a constraint at the current place, and selects it.
export function constrain(app: App, wish: Wish): void {
  const { figure, engine } = app;
  attempt(app, "This constraint", () => {
    const id = freshId(app.doc);
    const made = makeConstraint(engine.limber, figure, app.pose, wish);
    app.runAndSettle(`Constrain ${made.name ?? ""}`, (doc) => addConstraint(doc, { ...made, id }));
    app.select({ kind: "constraint", id });
  });
}

// The constraint for the current pose.
const balanceNow = ({ present, doc }: App) =>
  doc.constraints.find((one, k) => one.balance && (present.constraints[k] === one || one.enabled === false)) ??
  doc.constraints.find((one) => one.balance);

// There is one balance at most: an existing one is toggled.
function balance(app: App): void {
  const there = balanceNow(app);
  if (there) return toggle(app, there.id);
  constrain(app, { kind: "balance", feet: feetOf(app.figure) });
}

export function addMenuActions(app: App, open: () => void): void {
  const group = "Constraints";
  const isSelected = () => app.selection.kind === "segment" || app.selection.kind === "constraint";
  app.actions.add(
    { id: "constrain.menu", title: "Constrain…", group, keys: ["Shift+C"], run: open },
    {
      id: "pin.here",
      title: "Pin position and orientation here",
      group,
      keys: ["P"],
      enabled: isSelected,
      run: () => constrain(app, { kind: "placement", place: meant(app, "frame") }),
    },
    {
      id: "pin.position",
      title: "Pin position here",
      group,
      keys: ["Shift+P"],
      enabled: isSelected,
      run: () => constrain(app, { kind: "position", place: meant(app, "point") }),
    },
    {
      id: "aim.point",
      title: "Aim at a point",
      group,
      keys: ["A"],
      run: () => constrain(app, { kind: "aim", place: meant(app, "ray") }),
    },
    {
      id: "balance",
      title: "Balance: centre of mass over the feet",
      group,
      keys: ["B"],
      checked: () => (balanceNow(app)?.enabled ?? false) !== false,
      enabled: () => app.figure.info.mass > 0 && feetOf(app.figure).length > 0,
      run: () => balance(app),
    },
  );
}

const ofOne = wishRows.filter(([, { isOfTwo }]) => !isOfTwo);
const ofTwo = wishRows.filter(([, { isOfTwo }]) => isOfTwo);

// The menu closes on Escape or a press outside; arrow keys move through it.
export class ConstraintMenu {
  readonly element = h("div", { class: "constraint-menu", role: "dialog", aria: { label: "Constrain" } });
  private place = "";
  private other = "";
  private isChosen = false; // the chosen place
  private items: { row: WishRow; button: HTMLButtonElement }[] = [];

  constructor(
    private readonly app: App,
    private readonly opener: HTMLElement,
  ) {
    this.element.setAttribute("popover", "auto");
    this.element.addEventListener("keydown", (event) => this.walk(event));
    document.body.append(this.element);
  }

  open(): void {
    if (this.element.matches(":popover-open")) return this.element.hidePopover();
    this.place = meant(this.app, "point");
    this.isChosen = false;
    this.other = opposite(this.app.figure, this.place) ?? meant(this.app, "point");
    this.build();
    this.element.showPopover();
    const box = this.opener.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    this.element.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 4))}px`;
    this.element.style.top = `${Math.max(4, Math.min(box.bottom + 2, innerHeight - height - 4))}px`;
    this.element.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  }

  private build(): void {
    const places = placesIn(this.app.figure);
    this.items = [];
    const place: Field<string> = placeField("Part", places, (name) => {
      this.place = name;
      this.isChosen = true;
      this.other = opposite(this.app.figure, name) ?? this.other;
      other.show(this.other);
      this.enable();
    });
    const other = placeField("Other part", places, (name) => {
      this.other = name;
      this.enable();
    });
    place.show(this.place);
    other.show(this.other);
    replace(
      this.element,
      place.element,
      ...ofOne.map(([kind, row]) => this.button(kind, row)),
      h("hr"),
      other.element,
      ...ofTwo.map(([kind, row]) => this.button(kind, row)),
      h("hr"),
      this.balance(),
    );
    this.enable();
  }

  private button(kind: WishKind, row: WishRow): HTMLButtonElement {
    const button = h(
      "button",
      {
        class: "quiet wish-item",
        data: { wish: row.text },
        onclick: () => this.choose(() => constrain(this.app, { kind, place: this.placeFor(row), other: this.other })),
      },
      kindIcon(row.kind) as unknown as Node,
      h("span", { class: "grow" }, row.text),
      h("kbd", { class: "faint" }, row.keys ?? ""),
    );
    this.items.push({ row, button });
    return button;
  }

  // The default ray of a head is its eyes; a place chosen by name is used as it is.
  private placeFor({ handle }: WishRow): string {
    return this.isChosen ? this.place : meant(this.app, handle);
  }

  private balance(): HTMLButtonElement {
    const action = this.app.actions.find("balance");
    return h(
      "button",
      {
        class: "quiet wish-item",
        data: { wish: "Balance over the feet" },
        disabled: !(action.enabled?.() ?? true),
        onclick: () => this.choose(() => this.app.actions.run("balance")),
      },
      kindIcon("balance"),
      h("span", { class: "grow" }, "Balance over the feet"),
      h("kbd", { class: "faint" }, "B"),
    );
  }

  private choose(work: () => void): void {
    this.element.hidePopover();
    this.opener.focus();
    work();
  }

  // The centre of mass has no direction; a place cannot coincide with itself.
  private enable(): void {
    for (const { row, button } of this.items)
      button.disabled =
        (row.handle !== "point" && this.place === massCentre) || (row.isOfTwo && this.place === this.other) || false;
  }

  private walk(event: KeyboardEvent): void {
    if (event.key === "Escape") return event.stopPropagation(); // closes the menu and nothing else
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...this.element.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
}
