import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { type Service, startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { browserPath, expectReadable, sizes, withoutBrowser } from "../support/browser.ts";
import { startPlatform } from "../support/github/start.ts";
import { siteFolder } from "../support/site-folder.ts";

// The site in a real browser, as the service shows it. Without a browser on the machine these tests are left out, except where
// TENON_TEST_BROWSER=required says that there has to be one.

const root = join(import.meta.dirname, "../..");
const screenshots = join(root, "dist/screenshots");
/** Where the service finds the site. */
const docs = join(root, "dist/docs");

describe.skipIf(withoutBrowser)("the site in a browser", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-browser-"));
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What nobody wants to see: messages on the browser's console, failed requests, requests to other hosts. */
  let complaints: string[] = [];

  beforeAll(async () => {
    const built = await siteFolder();
    cpSync(built, `${docs}.new`, { recursive: true });
    rmSync(docs, { recursive: true, force: true });
    renameSync(`${docs}.new`, docs);
    mkdirSync(screenshots, { recursive: true });
    const environment = { TENON_DATA_DIR: dataDir, TENON_LOG_LEVEL: "silent", PORT: "0" };
    const { settings } = readSettings(environment, connectors);
    service = await startService(settings);
    await service.ready;
    browser = await chromium.launch({ executablePath: browserPath ?? "chromium", args: ["--no-sandbox"] });
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    page = await context.newPage();
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(`foreign: ${request.url()}`);
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function open(path: string): Promise<void> {
    complaints = [];
    await page.goto(`${service.url}/docs/${path}`, { waitUntil: "networkidle" });
  }

  const clipboard = () => page.evaluate("navigator.clipboard.readText()") as Promise<string>;

  it("is opened by the address of an error", async () => {
    const response = await page.request.post(`${service.url}/api/v1/integrations/connectors/nothing/execute`, {
      headers: { authorization: `Bearer ${service.madeKey}` },
      data: { entity: "issues", action: "get" },
    });
    const { type } = (await response.json()) as { type: string };
    await page.goto(new URL(type, service.url).href);
    expect(await page.locator("h1").textContent()).toBe("unknown_connector");
  });

  it("finds an operator as one types, and goes there by keyboard", async () => {
    await open("index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("fuzz");
    const option = page.getByRole("option").filter({ hasText: "Use › Cached search" });
    await option.waitFor();
    expect(await option.locator("mark").first().textContent()).toContain("fuzzy");
    const options = await page.getByRole("option").allTextContents();
    const place = options.findIndex((text) => text.includes("Use › Cached search"));
    expect(place).toBeLessThan(3);
    for (let step = 0; step < place; step++) await page.keyboard.press("ArrowDown");
    expect(await option.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/cached-search.html#*");
    expect(complaints).toEqual([]);
  });

  it("switches all examples to the way chosen, keeps it on the next page, and copies what is shown", async () => {
    await open("cached-search.html");
    const tabs = page.locator(".example").first();
    await tabs.locator("label", { hasText: "TypeScript" }).click();
    const shown = tabs.locator(".panel:visible");
    expect(await shown.getAttribute("data-way")).toBe("typescript");
    await tabs.getByRole("button", { name: "Copy" }).click();
    expect(await clipboard()).toBe(await shown.locator("code").textContent());
    await open("pagination.html");
    const ways = await page.locator(".panel:visible").evaluateAll((all) => all.map((one) => one.getAttribute("data-way")));
    expect(new Set(ways)).toEqual(new Set(["typescript"]));
    expect(complaints).toEqual([]);
  });

  it("keeps the theme that the reader chose", async () => {
    await open("index.html");
    const theme = () => page.locator("html").getAttribute("data-theme");
    expect(await theme()).toBeNull();
    await page.getByRole("button", { name: /theme/ }).click();
    expect(await theme()).toBe("dark");
    await open("errors.html");
    expect(await theme()).toBe("dark");
    await page.getByRole("button", { name: /theme/ }).click();
    expect(await theme()).toBe("light");
  });

  it("lists issues of the simulated platform with the console, without a key, and copies the request as curl", async () => {
    await open("github/issues.html");
    const console = page.locator(".console").nth(1);
    await console.locator("summary").click();
    await console.getByRole("textbox", { name: "per_page" }).fill("3");
    await console.getByRole("button", { name: "Send" }).click();
    await console.getByText(/200 in \d+ ms/).waitFor();
    const answer = JSON.parse((await console.locator("pre code").first().textContent()) ?? "") as { data: unknown[] };
    expect(answer.data.length).toBe(3);
    await console.getByRole("button", { name: "Copy as curl" }).click();
    await console.getByText("Copied").waitFor();
    expect(await clipboard()).toContain('"action":"list"');
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).not.toContain(service.madeKey);
    expect(complaints).toEqual([]);
  });

  it("offers the values of lists, the instances, the headers and a copy of the answer in the console", async () => {
    await open("github/issues.html");
    const console = page.locator(".console").nth(1);
    await console.locator("summary").first().click();
    await console.getByRole("checkbox", { name: "CLOSED" }).check();
    await console.getByRole("combobox", { name: "instance" }).getByText("github (simulated)").waitFor({ state: "attached" });
    await console.getByRole("button", { name: "Send" }).click();
    await console.getByText(/200 in \d+ ms/).waitFor();
    expect(await console.locator(".code-head").first().textContent()).toContain("Response");
    await console.getByRole("button", { name: "Copy", exact: true }).click();
    const { data } = JSON.parse(await clipboard()) as { data: { state: string }[] };
    expect(new Set(data.map(({ state }) => state))).toEqual(new Set(["closed"]));
    expect(await console.locator("pre .hljs-attr").first().textContent()).toBe('"data"');
    await console.getByText("Response headers").click();
    await console.getByText("x-request-id: ").waitFor();
    await expectReadable(page);
    expect(complaints).toEqual([]);
  });

  it("asks before the console writes real data", async () => {
    const platform = await startPlatform();
    const apiKey = "key-of-the-browser-test";
    const folder = mkdtempSync(join(tmpdir(), "tenon-browser-"));
    const environment = { TENON_DATA_DIR: folder, TENON_API_KEY: apiKey, TENON_LOG_LEVEL: "silent", PORT: "0" };
    const { settings } = readSettings({ ...environment, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url }, connectors);
    const real = await startService(settings);
    await real.ready;
    const other = await context.newPage();
    try {
      await other.goto(`${real.url}/docs/github/issues.html`, { waitUntil: "networkidle" });
      const console = other.locator(".console").nth(3);
      await console.locator("summary").click();
      await console.getByLabel("API key").fill(apiKey);
      await console.getByRole("button", { name: "Send" }).click();
      const dialog = other.getByRole("dialog", { name: "Confirm the write" });
      expect(await dialog.textContent()).toContain("issues.create writes real data through the instance github.");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await console.getByText("Not sent").waitFor();
      await console.getByRole("button", { name: "Send" }).click();
      await dialog.getByRole("button", { name: "Write real data" }).click();
      await console.getByText(/200 in \d+ ms/).waitFor();
      // Reads are sent at once.
      const reading = other.locator(".console").nth(0);
      await reading.locator("summary").click();
      await reading.getByRole("button", { name: "Send" }).click();
      await reading.getByText(/200 in \d+ ms/).waitFor();
    } finally {
      await other.close();
      await real.close();
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("names the address of the service that shows them in all samples", async () => {
    for (const path of ["github/issues.html", "pagination.html"]) {
      await open(path);
      const shown = () => page.locator("article").evaluate((article) => article.textContent ?? "");
      await page.waitForFunction(`document.querySelector("article").textContent.includes("${service.url}")`);
      expect(await shown()).not.toContain("127.0.0.1:8787");
    }
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await plain.newPage();
    await quiet.goto(`${service.url}/docs/pagination.html`);
    expect(await quiet.locator("article").textContent()).toContain("http://127.0.0.1:8787");
    await plain.close();
  });

  it("keeps the samples and the console of a section in view beside its text from 1,200 px", async () => {
    await page.setViewportSize({ width: 1200, height: 900 });
    await open("github/issues.html#list");
    const beside = page.locator(".split:has(#list) .beside");
    const text = page.locator(".split:has(#list) .text");
    const box = async (one: typeof text) => (await one.boundingBox()) ?? { x: 0, y: -1, width: 0, height: 0 };
    expect((await box(beside)).x).toBeGreaterThanOrEqual((await box(text)).x + (await box(text)).width);
    const before = await box(text);
    await page.evaluate("scrollBy({ top: 250, behavior: 'instant' })");
    expect((await box(text)).y).toBeLessThan(before.y - 200);
    expect((await box(beside)).y).toBeGreaterThanOrEqual(0);
    await beside.getByText("Try it").waitFor();
    await page.setViewportSize({ width: 1100, height: 900 });
    expect((await box(beside)).y).toBeGreaterThan((await box(text)).y);
    expect(complaints).toEqual([]);
  });

  it("has an address for each parameter, field, value, setting and route, which fit a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["github/issues.html#list.per_page", "settings.html#settings.TENON_PORT"]) {
      await open(path);
      expect(await page.locator(".field:target").count(), path).toBe(1);
    }
    for (const path of ["settings.html", "routes.html"]) {
      await open(path);
      expect(await page.locator(".table").count(), path).toBe(0);
      const cut = await page
        .locator(".field :is(dt, dd), .field code")
        .evaluateAll((all) =>
          all
            .filter(
              (one) =>
                one.getBoundingClientRect().right > innerWidth ||
                (one.scrollWidth > one.clientWidth + 1 && one.localName !== "code"),
            )
            .map((one) => one.textContent.slice(0, 80)),
        );
      expect(cut, path).toEqual([]);
      await expectReadable(page);
    }
    expect(complaints).toEqual([]);
  });

  it("shows the picture of its front page as a whole, on a phone in one column", async () => {
    await open("index.html");
    for (const [, width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const shown = page.locator(".states:visible");
      expect(await shown.evaluateAll((all) => all.map((one) => one.scrollWidth <= one.clientWidth))).toEqual([true]);
    }
  });

  it("has a page with a search for an address that there is not", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    complaints = [];
    for (const path of ["/docs/github/pull-request.html", "/nothing/pull-request"]) {
      const response = await page.goto(`${service.url}${path}`, { waitUntil: "networkidle" });
      expect(response?.status()).toBe(404);
      await expectReadable(page);
      await page.getByRole("button", { name: /^Search for/ }).click();
      await page.getByRole("option").filter({ hasText: "Pull requests" }).first().waitFor();
    }
    // The page itself is what the browser did not find.
    expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);
  });

  it("follows the reader with the table of contents, and leads to the next page and back", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open("cached-search.html");
    const here = page.locator(".toc a.here");
    const first = await here.textContent();
    await page.evaluate("document.querySelectorAll('h2')[3].scrollIntoView()");
    const title = await page.locator("h2").nth(3).getAttribute("id");
    await page.locator(`.toc a.here[href="#${title}"]`).waitFor();
    expect(await here.count()).toBe(1);
    expect(await here.textContent()).not.toBe(first);
    await page.locator('.turn a[rel="next"]').click();
    await page.waitForURL((url) => !url.pathname.endsWith("/cached-search.html"));
    await page.locator('.turn a[rel="prev"]').click();
    await page.waitForURL("**/cached-search.html");
    expect(complaints).toEqual([]);
  });

  it("can be read without JavaScript: pages, navigation, tabs", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await plain.newPage();
    await quiet.goto(`${service.url}/docs/github/issues.html`);
    expect(await quiet.locator("nav.side a").count()).toBeGreaterThan(20);
    const tabs = quiet.locator(".example").first();
    await tabs.locator("label", { hasText: "TypeScript" }).click();
    expect(await tabs.locator(".panel:visible").getAttribute("data-way")).toBe("typescript");
    await plain.close();
  });

  it.each(["machines.html", "monitoring.html", "limits.html"])("%s cuts no table off on a phone", async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(path);
    const cut = "one => one.scrollWidth > one.clientWidth + 1";
    const tables = await page.evaluate(`[...document.querySelectorAll(".table")].map(${cut})`);
    expect(tables).toEqual(expect.arrayContaining([false]));
    expect(tables).not.toContain(true);
  });

  const looked = [
    "index.html",
    "quickstart-team.html",
    "cached-search.html",
    "architecture.html",
    "github/index.html",
    "github/issues.html",
    "errors.html",
  ];

  it.each(looked)(
    "%s is accessible and fits a phone and a desktop, light and dark",
    async (path) => {
      await open(path);
      for (const [size, width, height] of sizes) {
        await page.setViewportSize({ width, height });
        for (const theme of ["light", "dark"]) {
          await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
          await page.screenshot({
            path: join(screenshots, `${path.replace("/", "-").replace(".html", "")}-${size}-${theme}.png`),
          });
          // Each size and each theme is looked at once: contrast depends on the theme, and the order of the page on the size.
          if ((size === "phone") === (theme === "dark")) await expectReadable(page);
        }
      }
      expect(complaints).toEqual([]);
    },
    60_000,
  );
});
