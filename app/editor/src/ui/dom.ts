// Small helpers that make elements.

type Child = Node | string | undefined | false;
type Props<K extends keyof HTMLElementTagNameMap> = Partial<Omit<HTMLElementTagNameMap[K], "style" | "dataset">> & {
  class?: string;
  style?: string;
  data?: Record<string, string>;
  aria?: Record<string, string>;
};

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<K> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: name, style, data, aria, ...others } = props;
  Object.assign(element, others);
  if (name) element.className = name;
  if (style) element.style.cssText = style;
  for (const [key, value] of Object.entries(data ?? {})) element.dataset[key] = value;
  for (const [key, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${key}`, value);
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

export function svg(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: (SVGElement | string)[]
): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== false));
}

// The same, but children that look the same stay: a pointer over one of them, or a press on it, loses nothing. For children
// without listeners of their own.
export function replaceChanged(element: Element, children: readonly Node[]): void {
  const old = [...element.childNodes];
  children.forEach((child, k) => {
    if (!old[k]) element.append(child);
    else if (!old[k].isEqualNode(child)) old[k].replaceWith(child);
  });
  for (const one of old.slice(children.length)) one.remove();
}

// A panel that can be collapsed; its state is stored in the browser.
export function section(title: string, id: string, ...children: Child[]): HTMLDetailsElement {
  const element = h("details", { class: "section" }, h("summary", {}, title), ...children);
  element.id = id;
  element.open = remembered(`open.${id}`, true);
  element.addEventListener("toggle", () => remember(`open.${id}`, element.open));
  return element;
}

// Settings stored in the browser. Without storage only the settings are lost.
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`limber.${key}`, JSON.stringify(value));
  } catch {
    // no storage in this browser
  }
}

export function remembered<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`limber.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}
