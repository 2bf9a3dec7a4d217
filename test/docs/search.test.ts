import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { site } from "./site.ts";

// The search of the site as the browser runs it: the built scripts on the built index.

interface Result {
  readonly href: string;
  readonly group: string;
  readonly text: string;
  readonly terms: readonly string[];
}

interface Finder {
  readonly openIndex: (file: unknown) => (text: string) => Result[];
  readonly passageOf: (text: string, terms: readonly string[]) => { readonly text: string; readonly found?: true }[];
}

const queries = parse(readFileSync(join(import.meta.dirname, "search-queries.yaml"), "utf8")) as Readonly<
  Record<string, readonly string[]>
>;
const folder = mkdtempSync(join(tmpdir(), "tenon-search-"));
let find: (text: string) => Result[];
let passageOf: Finder["passageOf"];

function assetLike(pattern: RegExp): string {
  const found = [...site.keys()].find((path) => pattern.test(path));
  if (found === undefined) throw new Error(`the site has no ${pattern}`);
  return found;
}

beforeAll(async () => {
  for (const [path, content] of site) {
    if (!/^assets\/.*\.js$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const finder = (await import(pathToFileURL(join(folder, assetLike(/^assets\/find\b.*\.js$/))).href)) as Finder;
  find = finder.openIndex(JSON.parse(String(site.get(assetLike(/^assets\/search\b.*\.json$/)))));
  passageOf = finder.passageOf;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pagesFor = (query: string) => find(query).map(({ href }) => href.replace(/\.html.*/, ""));

describe("the search", () => {
  it("knows only pages that there are, in at least 150 queries", () => {
    const unknown = Object.values(queries)
      .flat()
      .filter((page) => !site.has(`${page}.html`));
    expect(unknown).toEqual([]);
    expect(Object.keys(queries).length).toBeGreaterThanOrEqual(150);
  });

  it("has the right page among the first three for 95 of 100 queries in the words of users", () => {
    const missed = Object.entries(queries).filter(([query, pages]) => {
      const first = pagesFor(query).slice(0, 3);
      return !pages.some((page) => first.includes(page));
    });
    const right = 1 - missed.length / Object.keys(queries).length;
    expect(right, `not found: ${missed.map(([query]) => query).join(", ")}`).toBeGreaterThanOrEqual(0.95);
  });

  it("leaves common words out, so that a question finds what its words find", () => {
    expect(pagesFor("how do I use the pagination cursor").slice(0, 3)).toEqual(pagesFor("pagination cursor").slice(0, 3));
    expect(pagesFor("the").length, "a text of common words alone").toBeGreaterThan(0);
  });

  it("puts a page with all words before those with one, which it also finds", () => {
    const found = pagesFor("figma webhooks");
    expect(found.slice(0, 3)).toContain("figma/webhooks");
    expect(found.indexOf("figma/versions")).toBeGreaterThan(found.indexOf("figma/webhooks"));
    expect(pagesFor("webhooks qwertzuiop")).toContain("figma/webhooks");
  });

  it("finds a name by the parts of it, however they are joined", () => {
    for (const query of ["pullRequests", "pull_requests", "pullrequests", "pull request"])
      expect(pagesFor(query)[0], query).toBe("github/pull_requests");
  });

  it("finds what is spelled wrong by one letter or two that changed places, from four letters", () => {
    for (const [wrong, right] of [
      ["sycn", "sync"],
      ["paginaton", "pagination"],
      ["postgers", "postgresql"],
    ] as const)
      expect(pagesFor(wrong), wrong).toContain(right);
    expect(pagesFor("mqc"), "three letters").toEqual([]);
  });

  it("finds what means the same", () => {
    expect(pagesFor("whoami").slice(0, 3)).toContain("github/viewer");
    expect(pagesFor("sprint")[0]).toBe("linear/cycles");
  });

  it("gives the name of the connector and the passage with the words", () => {
    const [first] = find("merged pull request");
    expect(first?.group).toBe("GitHub");
    const pieces = passageOf("Nothing here. ".repeat(20) + "A cursor leads to the next page of a list. ".repeat(3), [
      "cursor",
      "page",
    ]);
    expect(pieces.filter(({ found }) => found).map(({ text }) => text)).toEqual(expect.arrayContaining(["cursor", "page"]));
    expect(pieces.map(({ text }) => text).join("").length).toBeLessThan(200);
    expect(passageOf("A short text.", [])).toEqual([{ text: "A short text." }]);
  });
});
