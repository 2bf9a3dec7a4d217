import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, expectReadable, sizes, withoutBrowser } from "../support/browser.ts";
import { apiKey, good, until, useTenon } from "./support/service.ts";

// The operator's page in a real browser, where there is one.

const screenshots = join(import.meta.dirname, "../../dist/screenshots");

describe.skipIf(withoutBrowser)("the operator's page in a browser", () => {
  const at = useTenon({ admin: true, syncScopes: ["repository=octocat/hello-world", "repository=octocat/nowhere"] });
  let browser: Browser;
  let page: Page;
  /** What nobody wants to see: messages on the browser's console, which also tell what the policy has blocked, and failed requests. */
  const complaints: string[] = [];

  beforeAll(async () => {
    good(await at.tenon.run("viewer", "get", { fields: ["login"] }));
    await at.tenon.run("issues", "get", { owner: "octocat", repo: "n".repeat(90), number: 1 });
    good(await at.tenon.run("labels", "context_store_search", { query: {} }));
    const states = async () => (await at.tenon.send("GET", "/api/v1/integrations/connectors/github/sync", undefined)).text;
    let found = "";
    void states().then((text) => (found = text));
    await until(() => {
      void states().then((text) => (found = text));
      return found.includes('"complete"') && found.includes('"gone"');
    });
    mkdirSync(screenshots, { recursive: true });
    browser = await chromium.launch({ executablePath: browserPath ?? "chromium", args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("console", (message) => complaints.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  });
  afterAll(async () => browser?.close());

  it("is reached by a key, which no address ever holds, and is left again", async () => {
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.goto(`${at.tenon.url}/admin`);
    expect(page.url()).toBe(`${at.tenon.url}/admin/login`);
    await page.getByLabel("Key with the right admin").fill("wrong");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").textContent()).toBe("This key is not valid.");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("401")]);
    await page.getByLabel("Key with the right admin").fill(apiKey);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Instances" }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/admin" });
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Key with the right admin").waitFor();
    await page.goto(`${at.tenon.url}/admin`);
    expect(page.url()).toBe(`${at.tenon.url}/admin/login`);
    expect(addresses.filter((address) => address.includes(apiKey))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  // Each size and each theme once: contrast depends on the theme, and the order of the page on the size.
  const cases = [...sizes, ["tablet", 768, 1024] as const].map(([size, width, height]) => {
    const theme = size === "phone" ? "dark" : "light";
    return { size, width, height, theme } as const;
  });

  it.each(cases)("can be read at $size width, $theme, and by everybody", async ({ size, width, height, theme }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${at.tenon.url}/admin/login`);
    await page.screenshot({ path: join(screenshots, `admin-login-${size}-${theme}.png`) });
    await expectReadable(page);
    await page.getByLabel("Key with the right admin").fill(apiKey);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Instances" }).waitFor();
    const scope = page.getByText("repository=octocat/hello-world", { exact: true });
    await scope.click();
    await page.getByRole("columnheader", { name: "records" }).waitFor();
    await page.getByRole("progressbar", { name: "Complete entities of repository=octocat/hello-world" }).waitFor();
    const styled = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(styled).toBe(theme === "dark" ? "rgb(22, 20, 18)" : "rgb(251, 250, 247)");
    const shoot = async (name: string) => {
      await page.screenshot({ path: join(screenshots, `admin-${name}-${size}-${theme}.png`), fullPage: true });
      await expectReadable(page);
      expect(complaints).toEqual([]);
    };
    await shoot("overview");
    await page.getByRole("link", { name: "issues.get" }).first().click();
    await page.getByRole("heading", { name: "What to do" }).waitFor();
    await shoot("call");
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.getByLabel("Outcome").selectOption("errors");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: "issues.get" }).first().waitFor();
    expect(await page.getByText("labels.context_store_search").count()).toBe(0);
    await shoot("calls");
    for (const [name, title] of [
      ["Approvals", "proposals"],
      ["Webhooks", "subscriptions"],
    ] as const) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("link", { name: "Add a connector" }).waitFor();
      await shoot(title);
    }
    await page.getByRole("link", { name: "Add a connector" }).click();
    await page.getByText("Addresses and variables").click();
    await page.getByText("Credentials and variables of each platform").click();
    await shoot("connector");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "github", exact: true }).first().click();
    await shoot("instance");
  });

  it.each(cases)("lets somebody make and revoke a key at $size width, $theme", async ({ size, width, height, theme }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(`${at.tenon.url}/admin/keys`);
    const name = `${size} ${theme} ${"long".repeat(15)}`;
    const shoot = async (step: string) => {
      await page.screenshot({ path: join(screenshots, `admin-${step}-${size}-${theme}.png`), fullPage: true });
      await expectReadable(page);
    };
    await page.getByLabel("Name").fill(name);
    await page.getByText("Limit it").click();
    await page.getByLabel("Entities, one a line (none: all)").fill("issues\nlabels");
    await page.getByRole("button", { name: "Create a key…" }).click();
    await page.getByRole("heading", { name: `Create the key ${name}?` }).waitFor();
    await shoot("confirm");
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = await page.getByLabel("Key", { exact: true }).textContent();
    await shoot("done");
    const sent = { headers: { authorization: `Bearer ${key}` } };
    expect((await fetch(`${at.tenon.url}/api/v1/integrations/connectors`, sent)).status).toBe(200);
    await page.getByRole("link", { name: "Back" }).click();
    await shoot("keys");
    await page.getByRole("button", { name: `Revoke… ${name}` }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("is refused from now on").waitFor();
    expect((await fetch(`${at.tenon.url}/api/v1/integrations/connectors`, sent)).status).toBe(401);
    expect(complaints).toEqual([]);
    // A page that is left while it loads counts as a failed request.
    await page.waitForLoadState("load");
    await page.goto(`${at.tenon.url}/admin/instances/nothing`);
    await shoot("failed");
    expect(complaints.splice(0)).toEqual([expect.stringContaining("404")]);
  });
});
