import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installed, installPacked, outputOf } from "./packed.ts";

/** A program of a web page. It prints what it did as JSON. */
const program = `
  import { errors, GitHub } from "tenon/github";
  const fetch = async () => Response.json({ data: { number: 1 }, meta: { has_next_page: false, end_cursor: null } });
  const github = new GitHub({ baseUrl: "https://tenon.example.com", token: "t", fetch });
  const { data } = await github.issues.get({ owner: "octocat", repo: "hello-world", number: 1 });
  let refused;
  try {
    new GitHub({ accessToken: "t" });
  } catch (error) {
    refused = error;
  }
  console.log(JSON.stringify([data, refused instanceof errors.InvalidRequestError, refused.retryable, refused.message]));`;

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
  writeFileSync(join(installed.folder, "main.mjs"), program);
});
afterAll(() => installed.remove());

describe.each(["esbuild", "rolldown", "vite", "webpack"])("%s", (bundler) => {
  it("bundles the hosted client for browsers, and nothing else of the package", async () => {
    const bundled = installed.start(process.execPath, [join(import.meta.dirname, "bundlers.js"), bundler]);
    expect(await outputOf(bundled)).toEqual({ code: 0, out: "", err: "" });
    const out = join(installed.folder, bundler);
    const scripts = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) => /\.m?js$/.test(file));
    expect(scripts).toEqual(["main.mjs"]);
    const text = readFileSync(join(out, "main.mjs"), "utf8");
    // Modules of Node, the platform's clients, and the documents of the connector.
    expect(text).not.toMatch(/node:|require\(|undici|octokit\/|repository\(owner|import\(/);
    expect(text.length).toBeLessThan(80_000);
    // Scripts of web pages expect a global `self`.
    const run = [
      "--input-type=module",
      "--eval",
      `globalThis.self = globalThis; await import(${JSON.stringify(join(out, "main.mjs"))});`,
    ];
    const { code, out: printed, err } = await outputOf(installed.start(process.execPath, run));
    expect([code, err]).toEqual([0, ""]);
    const refused = expect.stringContaining("Local mode runs in Node only");
    expect(JSON.parse(printed)).toEqual([{ number: 1 }, true, false, refused]);
  });
});
