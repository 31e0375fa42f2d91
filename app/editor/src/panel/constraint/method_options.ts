// The options that belong to the chosen method, by the table of limber.wasm.
import type { MethodValue, OptionRow } from "limber";
import type { Doc } from "../../document/document.js";
import { h } from "../../ui/dom.js";
import { checkField, labelled, numberField } from "../../ui/fields.js";

type Options = NonNullable<Doc["options"]>;

// Those that not every method uses, and how far a joint may move per iteration; gains by parameter have no field.
export const optionsOf = (table: readonly OptionRow[], methods: number, method: MethodValue): OptionRow[] =>
  table.filter(
    ({ key, kind, methods: users }) =>
      kind !== "parameters" && users.includes(method) && (users.length < methods || key === "longest_step"),
  );

// The options of a document without those that a method does not use, which it would reject.
export const usedOptions = (table: readonly OptionRow[], options: Options | undefined, method: MethodValue): Options =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(([key]) => table.find((row) => row.key === key)?.methods.includes(method) ?? true),
  );

const titleOf = (key: string) => key.replaceAll("_", " ");

// One field, which shows the document's value. Entering the default removes the option.
export function optionField(row: OptionRow, options: Options, enter: (options: Options) => void): HTMLElement {
  const value: unknown = options[row.key];
  const set = (next: unknown, isDefault: boolean) => {
    const { [row.key]: _old, ...others } = options;
    enter(isDefault ? others : { ...others, [row.key]: next });
  };
  if (row.kind === "flag") {
    const field = checkField(titleOf(row.key), (on) => set(on, !on), row.help);
    field.show(value === true);
    return labelled("", field.element);
  }
  if (row.kind === "name") {
    const usual = row.names[row.default ?? 0];
    const select = h(
      "select",
      {
        class: "grow",
        title: row.help,
        aria: { label: titleOf(row.key) },
        onchange: () => set(select.value, select.value === usual),
      },
      ...row.names.map((name) => h("option", { value: name }, name.replaceAll("-", " "))),
    );
    select.value = typeof value === "string" ? value : (usual ?? "");
    return labelled(titleOf(row.key), select);
  }
  const number = numberField(titleOf(row.key), (next) => set(next, next === row.default), { digits: 4, min: 0 });
  number.show(typeof value === "number" ? value : (row.default ?? 0));
  number.element.title = row.help;
  if (!row.unlimited) return labelled(titleOf(row.key), number.element);
  const free = checkField("unlimited", (on) => set("unlimited", !on), "As the papers print it");
  free.show(value === "unlimited");
  return labelled(titleOf(row.key), number.element, free.element);
}
