import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

// What tests in a real browser share.

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The browser of this machine; undefined where there is none. */
export const browserPath = (process.env["PATH"] ?? "")
  .split(":")
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Whether to leave tests out because there is no browser, which TENON_TEST_BROWSER=required forbids. */
export const withoutBrowser = browserPath === undefined && process.env["TENON_TEST_BROWSER"] !== "required";

/** The program that looks for what keeps people from using a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const sizes = [
  ["phone", 390, 844],
  ["desktop", 1440, 900],
] as const;

/** Tests that the page is not wider than the window, and that nothing keeps people from using it. */
export async function expectReadable(page: Page): Promise<void> {
  const wider = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  expect(wider, "pixels that the page is wider than the window").toBeLessThanOrEqual(0);
  await page.evaluate(axe);
  // Without its reports about all elements that are right, it takes a part of the time.
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
  const found = violations.map(({ id, nodes }) => [
    id,
    nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary]),
  ]);
  expect(found).toEqual([]);
}
