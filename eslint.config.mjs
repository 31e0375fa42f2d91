// The lint rules of the TypeScript and JavaScript: npm run lint.
//
// Rules that find mistakes, not rules of taste: layout is Prettier's. In src/ they also use the types.
import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

const typed = ["app/editor/src/**/*.ts", "binding/js/src/**/*.ts"];

export default tseslint.config(
  { ignores: ["build/", "**/dist/", "tests/", "bench/", "example/", "data/"] },
  eslint.configs.recommended,
  tseslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: typed })),
  { files: typed, languageOptions: { parserOptions: { projectService: true } } },
  { files: ["**/*.mjs"], rules: { "no-undef": "off" } },
  {
    rules: {
      eqeqeq: "error",
      // A leading underscore marks what is deliberately unused: const { id: _id, ...rest } = value.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
);
