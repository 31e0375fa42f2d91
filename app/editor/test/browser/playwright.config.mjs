// The browser tests, on the built page and with the system's Chromium:
//
//   npx playwright test -c app/editor/test/browser [-g WORD]
//
// No test gets a second try: what passes only sometimes is a bug of the test or of the page.
import { defineConfig } from "@playwright/test";
import { launchOptions, patience, root } from "./open.mjs";

export default defineConfig({
  testDir: ".",
  testMatch: "*.test.mjs",
  outputDir: `${root}build/log/browser`,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: patience + 60_000,
  expect: { timeout: patience },
  reporter: [[process.stdout.isTTY ? "line" : "list"], ["junit", { outputFile: `${root}build/log/browser.xml` }]],
  use: { launchOptions, screenshot: "only-on-failure" },
});
