import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installed, installPacked, outputOf, told } from "./packed.ts";

const root = join(import.meta.dirname, "../..");

let installed: Installed;
let folder: string;
beforeAll(async () => {
  installed = await installPacked();
  folder = join(installed.folder, "my-notes");
  const { code, out, err } = await tenon("init", "my-notes");
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toEqual({ event: "made", folder: "my-notes", next: expect.arrayContaining(["npm run generate"]) });
  // The package is built for it, which takes minutes on a busy machine.
}, 400_000);
afterAll(() => installed.remove());

const bin = () => join(installed.folder, "node_modules/.bin/tenon");
const tenon = (...args: string[]) => outputOf(installed.start(bin(), args));
/** Runs a command line in the folder of the new connector. */
const inside = (line: string, env: Readonly<Record<string, string>> = {}) =>
  outputOf(
    installed.start("bash", ["-c", `cd my-notes && PATH="${join(installed.folder, "node_modules/.bin")}:$PATH" ${line}`], env),
  );

describe("a connector that tenon init has made", () => {
  it("generates, and has no type error", async () => {
    const generated = await inside("tenon generate");
    expect([generated.code, generated.err]).toEqual([0, ""]);
    expect(readdirSync(join(folder, "generated/my-notes"))).toContain("client.ts");
    expect(await inside("tenon generate --check")).toMatchObject({ code: 0, err: "" });
    const types = `--typeRoots ${join(root, "node_modules/@types")} --types node`;
    expect(await inside(`"${process.execPath}" ${join(root, "node_modules/typescript/bin/tsc")} -p . ${types}`)).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  it("passes its own tests", async () => {
    const { code, out, err } = await inside(`"${process.execPath}" --test test/connector.test.ts`);
    expect(code, out + err).toBe(0);
    expect(out).toMatch(/pass 3/);
  });

  it("is served, and called from the command line", async () => {
    const platform = installed.start("bash", ["-c", `cd my-notes && exec "${process.execPath}" test/platform.ts`]);
    const [, address = ""] = await said(platform, /at (\S+)\. /);
    // Here Tenon is installed outside of the project, so it is named.
    const env = { MY_NOTES_TOKEN: "secret", MY_NOTES_URL: address, TENON_CONNECTORS: "generated/index.ts" };
    expect(await inside("tenon docs")).toMatchObject({ code: 0, err: "" });
    const service = installed.start("bash", ["-c", `cd my-notes && exec "${bin()}" serve`], { ...env, PORT: "0" });
    const [command] = await told(service, /export TENON_API_KEY=[\s\S]*\n\n/);
    expect(command).toContain("/connectors/my-notes/execute");
    const { out } = await outputOf(installed.start("bash", ["-c", command]));
    expect(JSON.parse(out).data).toHaveLength(2);
    await expectPages(`${/http:\/\/[^/]+/.exec(command)?.[0]}/docs/my-notes`, ["", "/", "/notes"]);
    const list = await inside(`tenon my-notes notes list --per-page 1 --fields title,state`, env);
    expect(JSON.parse(list.out)).toMatchObject({
      data: [{ title: "Water the plants", state: "open" }],
      meta: { has_next_page: true },
    });
    // Its port is fixed.
    const gone = once(platform, "exit");
    platform.kill();
    await gone;
  });

  it("names only what its user has", async () => {
    // What `npm install` puts there; the quickstart for connectors is followed with an install into an empty folder.
    symlinkSync(join(installed.folder, "node_modules"), join(folder, "node_modules"));
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const named = [...readme.matchAll(/node_modules\/[\w./-]+\w|\S+\.tgz/g)].map(([path]) => path.replaceAll("`", ""));
    expect(named.length).toBeGreaterThan(1);
    for (const path of named) expect(existsSync(join(folder, path)), path).toBe(true);
    expect(readme).not.toMatch(/https:|\]\(/);
    // An agent gets the connector too, from whatever folder its client starts it.
    const own = { MY_NOTES_TOKEN: "secret", MY_NOTES_URL: "http://127.0.0.1:1", TENON_CONNECTORS: "generated/index.ts" };
    const setup = await inside("node_modules/.bin/tenon mcp setup cursor --connector my-notes", own);
    expect(setup.out).toMatch(/"MY_NOTES_TOKEN": "\$\{env:MY_NOTES_TOKEN\}"/);
    expect(setup.out).toContain('"MY_NOTES_URL": "http://127.0.0.1:1"');
    rmSync(join(folder, "node_modules"));
  });

  it("is drafted from a description, generates, and passes its own tests", async () => {
    const drafted = await tenon("init", "my-draft", "--openapi", "my-notes/spec/my-notes/rest.json");
    expect([drafted.code, drafted.err]).toEqual([0, ""]);
    const told = drafted.out
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(told).toMatchObject([
      { event: "drafted", actions: 3, left: [] },
      { event: "made", folder: "my-draft" },
    ]);
    const made = join(installed.folder, "my-draft");
    expect(readdirSync(join(made, "spec/my-draft"))).toContain("notes.yaml");
    const { dependencies } = JSON.parse(readFileSync(join(made, "package.json"), "utf8")) as { dependencies: { tenon: string } };
    // Beside its files, an installed package has what Node has compiled.
    const filesOf = (tarball: string) =>
      execFileSync("tar", ["tzf", tarball], { encoding: "utf8" })
        .split("\n")
        .filter((path) => !path.endsWith("/"))
        .map((path) => path.split("/").slice(1).join("/"))
        .sort();
    expect(filesOf(join(made, dependencies.tenon.replace("file:", "")))).toEqual(filesOf(installed.tarball));
    const path = `PATH="${join(installed.folder, "node_modules/.bin")}:$PATH"`;
    const line = `cd my-draft && ${path} tenon generate && "${process.execPath}" --test test/*.test.ts`;
    const { code, out, err } = await outputOf(installed.start("bash", ["-c", line]));
    expect(code, out + err).toBe(0);
    expect(out).toMatch(/pass 2/);
    writeFileSync(join(installed.folder, "broken.json"), '{ "openapi": "3.0.3", "paths": }');
    const broken = await tenon("init", "my-other", "--openapi", "broken.json");
    expect([broken.code, JSON.parse(broken.err).message]).toEqual([
      64,
      "broken.json:1:32: the description cannot be read: Unexpected token '}'",
    ]);
    expect(readdirSync(installed.folder)).not.toContain("my-other");
  });

  it("is made only in a new folder with a name that a connector can have", async () => {
    expect(await tenon("init", "my-notes")).toMatchObject({ code: 64, err: expect.stringContaining("is not empty") });
    expect(await tenon("init", "My Notes")).toMatchObject({
      code: 64,
      err: expect.stringContaining("cannot be the name of a connector"),
    });
  });
});

describe("TENON_CONNECTORS", () => {
  it("says what is wrong with the module that it names", async () => {
    const run = (module: string) => outputOf(installed.start(bin(), ["describe"], { TENON_CONNECTORS: module }));
    expect(await run("nowhere.ts")).toMatchObject({
      code: 78,
      err: expect.stringMatching(/TENON_CONNECTORS: \S+\/nowhere\.ts cannot be loaded/),
    });
    expect(await run("my-notes/test/platform.ts")).toMatchObject({
      code: 78,
      err: expect.stringContaining("must export `connectors`"),
    });
  });
});

/** Expects pages below an address whose links all lead to a page, its own or one of the whole site. */
async function expectPages(url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const page = await fetch(url + path);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const links = [...(await page.text()).matchAll(/(?:href|src)="([^"#]+)/g)].map(
      ([, href = ""]) => new URL(href, page.url).href,
    );
    expect(links).toContain(new URL("/docs/index.html", url).href);
    const missing = await Promise.all(links.map(async (href) => ((await fetch(href)).ok ? [] : [href])));
    expect(missing.flat()).toEqual([]);
  }
}

/** Resolves with what standard output holds when it matches. */
function said(child: ReturnType<Installed["start"]>, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let all = "";
    child.stdout?.on("data", (chunk) => {
      all += String(chunk);
      const found = pattern.exec(all);
      if (found !== null) resolve(found);
    });
    child.once("close", () => reject(new Error(`it ended without saying ${pattern}:\n${all}`)));
  });
}
