import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlValidate } from "html-validate";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../runtime/base/error-codes.ts";
import { buildOwnPages, buildSite } from "../../runtime/site/build.ts";
import { compressed } from "../../runtime/site/compress.ts";
import { figureTable, readFigures } from "../../runtime/site/figures.ts";
import { hashAssets } from "../../runtime/site/hashed-assets.ts";
import { errorReports } from "../../runtime/site/pages/error-reports.ts";
import { pictureSvg } from "../../runtime/site/picture.ts";
import { ownFacts, readProject } from "../../runtime/site/project.ts";
import { rooms } from "../../runtime/site/rooms.ts";
import { readTexts } from "../../runtime/site/sources.ts";
import { connectors, site } from "./site.ts";

const pages = [...site].filter(([path]) => path.endsWith(".html")).map(([path, html]) => [path, String(html)] as const);
/** The pages that have a place of their own: not the one for addresses that there are not. */
const listed = pages.filter(([path]) => path !== "404.html");
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: { "long-title": "off", "void-style": "off", "valid-id": ["error", { relaxed: true }] },
});

/** The file that a link of a page leads to, and the anchor in it. */
function target(page: string, href: string): { readonly file: string; readonly id: string | undefined } {
  const url = new URL(href, `http://site/docs/${page}`);
  return { file: url.pathname.replace("/docs/", ""), id: url.hash === "" ? undefined : decodeURIComponent(url.hash.slice(1)) };
}

describe("the site", () => {
  it.each(pages)("%s is valid HTML", async (_path, html) => {
    const { results } = await validator.validateString(html);
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line}: ${ruleId}: ${message}`)),
    ).toEqual([]);
  });

  it.each(pages)("%s has no head of a table without words, and can scroll all code by keyboard", (_path, html) => {
    expect(html).not.toMatch(/<th[^>]*><\/th>/);
    expect(html).not.toMatch(/<pre(?![^>]* tabindex="0")[\s>]/);
  });

  it.each(pages)("%s links only to what is there, and loads nothing from elsewhere", (path, html) => {
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]?.replaceAll("&amp;", "&") ?? "");
    const missing = links.filter((href) => {
      if (/^https?:/.test(href)) return /<(link|script|img)[^>]*(href|src)="https?:/.test(html);
      const { file, id } = target(path, href);
      const found = site.get(file);
      return found === undefined || (id !== undefined && !String(found).includes(` id="${id}"`));
    });
    expect([...new Set(missing)]).toEqual([]);
  });

  it("has a Markdown twin of every page", () => {
    const missing = listed.map(([path]) => path.replace(/html$/, "md")).filter((path) => !site.has(path));
    expect(missing).toEqual([]);
  });

  it("lists every page in llms.txt, and has all of them in llms-full.txt", () => {
    const list = String(site.get("llms.txt"));
    const full = String(site.get("llms-full.txt"));
    for (const [path] of listed) {
      const twin = path.replace(/html$/, "md");
      expect(list).toContain(`](${twin})`);
      expect(full).toContain(String(site.get(twin)).trim());
    }
  });

  it("draws every room of the table to which the code is held, and the imports that do not follow from others", () => {
    const page = String(site.get("architecture.html"));
    const drawn = [...page.matchAll(/<text class="room"[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(drawn.sort()).toEqual(
      Object.keys(rooms)
        .filter((name) => !name.startsWith("spec/"))
        .map((name) => name.split("/").at(-1))
        .sort(),
    );
    expect(page).toContain("runtime/cli from runtime/main;");
    expect(page).not.toContain("runtime/cli from runtime/base;");
    expect(page).toMatch(/<svg role="img" aria-label="From a spec[^"]*runtime\/execute/);
  });

  it("refuses a picture with a room that there is not, and an arrow between rooms that do not know each other", () => {
    const picture = (boxes: string, arrows: string) => () =>
      pictureSvg(`{ columns: [A], boxes: { ${boxes} }, arrows: [${arrows}] }`);
    expect(picture("runtime/nothing: { at: [0, 0], text: a }", "")).toThrow("runtime/nothing");
    const two = "runtime/store: { at: [0, 0], text: a }, runtime/platform: { at: [0, 1], text: b }";
    expect(picture(two, "")).not.toThrow();
    expect(picture(two, "{ from: runtime/store, to: runtime/platform }")).toThrow("runtime/store to runtime/platform");
  });

  it("names version, changelog, licence and the source of each page, and leads to the repository where there is one", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as { version: string };
    for (const [path, html] of pages) {
      const footer = /<footer[\s\S]*<\/footer>/.exec(html)?.[0] ?? "";
      for (const text of [`Tenon ${version} `, "changelog.html", "license.html"]) expect(footer, path).toContain(text);
      const source = /Edit this page in <code>([^<]*)</.exec(footer)?.[1];
      if (path !== "404.html")
        expect(existsSync(join(import.meta.dirname, "../..", source ?? "nothing")), `${path}: ${source}`).toBe(true);
    }
    const published = { ...readProject("https://docs.example.com/tenon"), repository: "https://git.example.com/tenon" };
    const linear = connectors.filter(({ name }) => name === "linear");
    const html = String(buildSite(linear, readTexts(), published).get("linear/issues.html"));
    const address = "https://docs.example.com/tenon/linear/issues.html";
    expect(html).toContain(`<link rel="canonical" href="${address}">`);
    expect(html).toContain(`<meta property="og:url" content="${address}">`);
    expect(html).toContain('<a href="https://git.example.com/tenon/edit/main/spec/linear/issues.yaml">Edit this page</a>');
    expect(html).toContain('<a href="https://git.example.com/tenon">Repository</a>');
  });

  it("has a title, a description and one address for each page, and all pages in its sitemap", () => {
    const places = [...String(site.get("sitemap.xml")).matchAll(/<loc>([^<]*)</g)].map(([, place]) => place);
    expect(places.toSorted()).toEqual(listed.map(([path]) => path).sort());
    expect(places[0]).toBe("index.html");
    for (const [path, html] of listed) {
      expect(html, path).toContain(`<link rel="canonical" href="${path.split("/").at(-1)}">`);
      expect(html, path).toMatch(/<meta property="og:title" content="[^"]+">\n<meta property="og:description" content="[^"]+">/);
    }
  });

  it("has under 25 kB for the page of an entity with six actions, as it is sent", async () => {
    const forms = await compressed("github/issues.html", Buffer.from(String(site.get("github/issues.html"))));
    expect(forms.map(([ending]) => ending)).toEqual([".br", ".gz"]);
    for (const [ending, { length }] of forms) expect(length, ending).toBeLessThan(25_000);
  });

  it("keeps assets under names that change with what they hold and with what they name", () => {
    const first = hashAssets(
      new Map([
        ["a.js", 'import "./b.js";'],
        ["b.js", "1"],
        ["c.css", "p { src: url(d.woff2) }"],
        ["d.woff2", "x"],
      ]),
    );
    const second = hashAssets(
      new Map([
        ["a.js", 'import "./b.js";'],
        ["b.js", "2"],
      ]),
    );
    expect(first.pathOf("a.js")).toMatch(/^assets\/a\.[\da-f]{10}\.js$/);
    expect(first.pathOf("a.js")).not.toBe(second.pathOf("a.js"));
    expect(`assets/${/\.\/(.*)"/.exec(String(first.files.get(first.pathOf("a.js"))))?.[1]}`).toBe(first.pathOf("b.js"));
    expect(`assets/${/url\((.*)\)/.exec(String(first.files.get(first.pathOf("c.css"))))?.[1]}`).toBe(first.pathOf("d.woff2"));
    expect(() =>
      hashAssets(
        new Map([
          ["a.js", 'import "./b.js";'],
          ["b.js", 'import "./a.js";'],
        ]),
      ),
    ).toThrow("circle: a.js, b.js, a.js");
  });

  it("shows on the front page one picture, two buttons, four tabs, and no figure that is worse than what it is measured against", () => {
    const front = String(site.get("index.html"));
    // The picture is there for wide and for narrow screens, which show one of both.
    expect(
      front.match(
        /<svg role="img" aria-label="Spec [^"]* to Tenon [^"]*Endpoint[^"]*Search[^"]*Command line[^"]*MCP[^"]*Client/g,
      ),
    ).toHaveLength(2);
    const buttons = /<\/h1>\n<p>.*?<\/p>\n<p>(.*?)<\/p>/s.exec(front)?.[1] ?? "";
    expect(buttons.match(/<a href/g)).toHaveLength(2);
    expect(front.match(/type="radio"/g)).toHaveLength(4);
    expect(front.indexOf('class="figures"')).toBeGreaterThan(front.indexOf(">Connectors <"));
    const figures = readFigures();
    const { search, ...others } = figures;
    if (search === undefined) throw new Error("there are no figures of the search");
    const slower = {
      ...search,
      rows: search.rows.map((row) => (row.what.includes("times faster") ? { ...row, value: 0.8 } : row)),
    };
    expect(figureTable(figures)).toContain("as fast as a scan");
    expect(figureTable({ ...others, search: slower })).not.toContain("as fast as a scan");
    expect(figureTable(figures)).not.toMatch(/\*\*0\.\d+ ×/);
  });

  it("has a page for every error code", () => {
    for (const code of Object.keys(errorCodes)) expect([...site.keys()]).toContain(`errors/${code}.html`);
  });

  it("has on the page of every error code a message of the program, its causes, what to do, and all other codes beside it", () => {
    const folder = join(import.meta.dirname, "../../runtime");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const program = files
      .filter((file) => file.endsWith(".ts") && !file.startsWith("site"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    for (const [code, { message, causes }] of Object.entries(errorReports)) {
      const invented = message.fixed.map((part) => part.trim()).filter((part) => part.length > 3 && !program.includes(part));
      expect(invented, code).toEqual([]);
      expect(message.fixed.join("").trim().length, code).toBeGreaterThanOrEqual(10);
      expect(causes.length, code).toBeGreaterThan(0);
      const html = String(site.get(`errors/${code}.html`));
      for (const heading of ["Message", "Causes", "What to do", "Response"]) expect(html, code).toContain(`>${heading} <a`);
      expect([...html.matchAll(/<li><a href="\.\.\/errors\/\w+\.html"/g)].length).toBe(Object.keys(errorCodes).length);
    }
  });

  it("has a page for every entity, and a schema for every record and set of parameters", () => {
    for (const { name, openapi, reference } of connectors) {
      for (const entity of reference.keys()) expect([...site.keys()]).toContain(`${name}/${entity}.html`);
      const wanted = Object.keys(openapi.components.schemas).filter((schema) => /\.params$|^[A-Z]\w*$/.test(schema));
      for (const schema of wanted) expect([...site.keys()]).toContain(`schemas/${name}/${schema}.json`);
    }
  });

  it("comes from templates without logic: names, and lists that are repeated", () => {
    const folder = join(import.meta.dirname, "../..");
    const templates = [
      "runtime/site/templates/layout.hbs",
      "generator/templates/connector.hbs",
      "generator/templates/entity.hbs",
    ];
    const parts = templates.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/\{\{.*?\}\}/g) ?? []);
    expect(parts.length).toBeGreaterThan(50);
    expect(parts.filter((part) => !/^\{\{(\{?\w+|#each \w+|\/each)\}\}$/.test(part))).toEqual([]);
  });

  it("is smaller than 6 MB and 1 MB for each connector, with the index of its search", () => {
    const size = [...site.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0);
    expect(size).toBeLessThan((6 + connectors.length) * 1_000_000);
  });

  it("has no script and no style within a page, which its Content-Security-Policy would forbid", () => {
    for (const [, html] of pages) {
      expect(html).not.toMatch(/<script(?![^>]*src=)/);
      expect(html).not.toMatch(/<style|\sstyle="|\son[a-z]+="/);
    }
  });
});

it("the pages of a project's own connectors lead to the front page of the whole site, and have none of its other pages", () => {
  const own = buildOwnPages(
    connectors.filter(({ name }) => name === "stripe"),
    ownFacts(),
  );
  const paths = [...own.keys()].filter((path) => path.endsWith(".html"));
  expect(paths).toContain("stripe/customers.html");
  expect(paths.filter((path) => !path.startsWith("stripe/"))).toEqual([]);
  const html = String(own.get("stripe/customers.html"));
  const [sections = "", side = ""] = [...html.matchAll(/<nav class="(?:sections|side)"[\s\S]*?<\/nav>/g)].map(([nav]) => nav);
  const links = (nav: string) =>
    [...nav.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, label]) => `${href} ${label}`);
  expect(links(sections)).toEqual(["../index.html Tenon", "../stripe/index.html Stripe"]);
  expect(links(side).slice(0, 2)).toEqual(["../index.html Documentation", "../stripe/index.html Overview"]);
});
