// The theme: light, dark, or that of the system.
import type { App } from "../../state/app.js";
import { remember, remembered } from "../../ui/dom.js";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const dark = matchMedia("(prefers-color-scheme: dark)");

export const chosenTheme = () => {
  const theme = remembered<Theme>("theme", "system");
  return themes.includes(theme) ? theme : "system";
};

function show(app: App): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  app.emit("settings");
}

export function chooseTheme(app: App, theme: Theme): void {
  remember("theme", theme);
  show(app);
}

const names: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

export function mountTheme(app: App): void {
  show(app);
  dark.addEventListener("change", () => show(app));
  app.actions.add(
    ...themes.map((theme) => ({
      id: `view.theme.${theme}`,
      title: `Theme: ${names[theme].toLowerCase()}`,
      group: "View",
      run: () => chooseTheme(app, theme),
      checked: () => chosenTheme() === theme,
    })),
    {
      id: "view.theme",
      title: "Change between light and dark",
      group: "View",
      keys: ["Ctrl+Alt+T"],
      run: () => chooseTheme(app, document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
    },
  );
}
