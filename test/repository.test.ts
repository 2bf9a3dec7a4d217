import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { connectorsVariable } from "../runtime/main/connectors-module.ts";
import { connectors } from "../runtime/main/index.ts";
import { platformTable } from "../runtime/main/settings/platform-settings.ts";
import { settingsTable } from "../runtime/main/settings/settings-table.ts";
import config from "./vitest.config.ts";

// What the pages for contributors and the files at the top name has to exist, so that they cannot grow old in silence.

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const fetched = ["node_modules", ".git", ".node", ".cache", ".tenon", "dist"];
const top = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !fetched.includes(name));
/** Every file and folder of the repository, as paths below the root. */
const paths = top.flatMap((entry) => [
  entry.name,
  ...(entry.isDirectory()
    ? readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true }).map((one) =>
        relative(root, join(one.parentPath, one.name)),
      )
    : []),
]);

const targets = [...read("Makefile").matchAll(/^([a-z-]+):/gm)].map((match) => match[1]);
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];
/** What people read and paste, and what writes it. */
const shown = [...pages, ...paths.filter((path) => /^(generator|runtime|generated|spec)\/.*\.(md|ts|js|tmpl|yaml)$/.test(path))];

/** The texts between backticks, outside blocks of code and without files that a reader is to make. */
function quoted(page: string): string[] {
  const text = read(page).replace(/```[\s\S]*?```|saved? (it )?as `[^`]+`/gi, "");
  return [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
}

/** Whether a text is a path of the repository: it begins with a folder or a file at the top. */
function isPath(text: string): boolean {
  const [first = ""] = text.split("/");
  return /^[\w.<>*/-]+$/.test(text) && (text.includes("/") || /\.\w+$/.test(text)) && top.some(({ name }) => name === first);
}

/** A path in which `<name>` and `*` stand for any name. */
function exists(path: string): boolean {
  const fits = picomatch(path.replace(/\/$/, "").replace(/<\w+>/g, "*"), { dot: true });
  return paths.some((one) => fits(one));
}

it("every file with tests is run", () => {
  const { projects = [] } = config.test ?? {};
  const run = projects.flatMap((project) =>
    typeof project === "object" && "test" in project ? (project.test?.include ?? []) : [],
  );
  const isRun = picomatch(run);
  const files = paths.filter((path) => /^test\/.*\.test\.ts$/.test(path));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((path) => !isRun(path))).toEqual([]);
});

describe.each(pages)("%s", (page) => {
  it("names only files and folders that exist", () => {
    const named = quoted(page).filter(isPath);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !exists(path))).toEqual([]);
  });

  it("names only tables and functions that the named file has", () => {
    const named = [...read(page).matchAll(/`(\w+)` in\s+`([^`]+)`/g)].map(([, name = "", path = ""]) => ({ name, path }));
    const missing = named.filter(({ path }) => isPath(path)).filter(({ name, path }) => !read(path).includes(name));
    expect(missing).toEqual([]);
  });

  it("names only targets of make and scripts of npm that exist", () => {
    const made = [...read(page).matchAll(/\bmake ([a-z-]+)/g)].map((match) => match[1]);
    expect(made.filter((name) => !targets.includes(name))).toEqual([]);
    const run = [...read(page).matchAll(/\bnpm (?:run ([a-z-]+)|(start|test))\b/g)].map((match) => match[1] ?? match[2] ?? "");
    expect(run.filter((name) => !Object.hasOwn(packageFile.scripts, name))).toEqual([]);
  });

  it("names only settings that exist", () => {
    const known = new Set<string>([...Object.values(settingsTable).map(({ env }) => env), connectorsVariable]);
    for (const { platform } of connectors) for (const { env } of platformTable(platform)) known.add(env);
    const tests = paths.filter((path) => path.startsWith("test/") && path.endsWith(".ts")).map(read);
    const named = [...read(page).matchAll(/\b(?:TENON|GITHUB)_[A-Z_]+\b/g)].map(([name]) => name);
    const unknown = named.filter((name) => !known.has(name) && !tests.some((text) => text.includes(`process.env["${name}"]`)));
    expect(unknown).toEqual([]);
  });
});

describe("the name of the package", () => {
  it("is never shown where npm would look it up at a registry, because the package is not published", () => {
    const lookups = /\bnpx (-\S+ )*tenon|npm (exec|install|i|add) (-\S+ )*tenon|"npx"|npmjs\.com\/package\/tenon/;
    expect(shown.filter((path) => lookups.test(read(path)))).toEqual([]);
  });
});

describe("package.json", () => {
  it("passes on to the extract only what was given, though make has a variable AS of its own", () => {
    const last = (given: readonly string[]) =>
      execFileSync("make", ["-n", "--no-print-directory", "extract", "CONNECTOR=a", "FROM=b", ...given], { encoding: "utf8" })
        .trim()
        .split("\n")
        .at(-1);
    expect(last([])).toBe('node runtime/cli/tenon.js spec extract "a" "b"');
    expect(last(["AS=c"])).toBe('node runtime/cli/tenon.js spec extract "a" "b" --as "c"');
  });

  it("has only scripts that call a target of make, so that there is one place for each command", () => {
    for (const [name, script] of Object.entries(packageFile.scripts)) {
      expect(script, name).toMatch(/^make [a-z-]+( [a-z-]+)*$/);
      expect(targets, name).toEqual(expect.arrayContaining(script.split(" ").slice(1)));
    }
  });

  it("runs only programs that are there", () => {
    const programs = [...read("Makefile").matchAll(/\bnode ([\w./-]+\.(?:ts|js))/g)].map((match) => match[1] ?? "");
    expect(programs.length).toBeGreaterThan(5);
    expect(programs.filter((program) => !paths.includes(program))).toEqual([]);
  });

  it("wants the version of Node that README and Makefile name", () => {
    const version = packageFile.engines.node.replace(">=", "");
    expect(read("README.md")).toContain(`older than ${version}`);
    expect(read("Makefile")).toContain(`older than ${version}`);
  });
});

describe("CHANGELOG.md", () => {
  const lines = read("CHANGELOG.md").split("\n");

  it("has a section for what is not released yet, then versions with their dates", () => {
    const [first, ...versions] = lines.filter((line) => line.startsWith("## "));
    expect(first).toBe("## [Unreleased]");
    for (const line of versions) expect(line).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  });

  it("sorts changes by the kinds of Keep a Changelog", () => {
    const kinds = lines.filter((line) => line.startsWith("### "));
    expect(kinds.length).toBeGreaterThan(0);
    for (const line of kinds) expect(line).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/);
  });
});

describe(".gitattributes", () => {
  const lines = read(".gitattributes")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" "));

  it("has no pattern that fits no file", () => {
    const patterns = lines.map(([pattern = ""]) => pattern);
    expect(patterns.filter((pattern) => pattern !== "*" && !exists(pattern))).toEqual([]);
  });

  it("marks every part of a platform's description that a program has cut out", () => {
    const extracted = paths.filter(
      (path) =>
        /^spec\/[^/]+\/[^/]+\.(json|graphql|yaml)$/.test(path) && /x-extracted-from|by `tenon spec extract`/.test(read(path)),
    );
    expect(extracted).toContain("spec/figma/description.json");
    const marks = lines.flatMap(([pattern = "", ...marks]) =>
      marks.includes("linguist-generated=true") ? [picomatch(pattern)] : [],
    );
    expect(extracted.filter((path) => !marks.some((fits) => fits(path)))).toEqual([]);
  });
});

describe("files of the repository", () => {
  it("end with a line end and have no carriage return where they are text", () => {
    const texts = paths.filter((path) => /\.(ts|md|yaml|json|hbs|graphql)$/.test(path));
    expect(texts.length).toBeGreaterThan(100);
    const wrong = texts.filter((path) => {
      const text = read(path);
      return text.includes("\r") || !text.endsWith("\n");
    });
    expect(wrong).toEqual([]);
  });
});

describe("comments", () => {
  it("have lines of at most 140 columns", () => {
    const sources = paths.filter(
      (path) => /^(generator|runtime|spec|test)\/.*\.(ts|js)$/.test(path) && !path.startsWith("test/golden/"),
    );
    const long = sources.flatMap((path) =>
      read(path)
        .split("\n")
        .flatMap((line, index) => (line.length > 140 && /^\s*(\/\/|\/\*|\*)/.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(long).toEqual([]);
  });
});

describe("what explains the code", () => {
  const sources = paths.filter((path) => /^(runtime|generator)\/.*\.ts$/.test(path)).map(read);
  const tests = paths.filter((path) => /^test\/.*\.ts$/.test(path)).map(read);
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? "");

  it("names words that the code uses, and the code uses none that they have replaced", () => {
    const table = /## Words\n[\s\S]*?(?=\n## )/.exec(read("CONTRIBUTING.md"))?.[0] ?? "";
    const words = named(table, /^\| [a-z ]+ \| `(\w+)` \|/gm);
    expect(words.length).toBeGreaterThan(10);
    const inCode = (word: string) => sources.some((source) => new RegExp(`^(?! *(//|/?\\*)).*\\b${word}\\b`, "m").test(source));
    expect(words.filter((word) => !inCode(word))).toEqual([]);
    expect(["shelf", "Shelf", "metHead", "reread", "insist", "SyncPosition", "Walked"].filter(inCode)).toEqual([]);
    // Each of these words needs a row for as long as the name of a type has it.
    const types = sources.flatMap((source) => named(source, /^export (?:class|interface|type) (\w+)/gm));
    const withWord = (names: readonly string[], word: string) =>
      names.filter((name) => new RegExp(`(^|[a-z])${word}s?([A-Z]|$)`).test(name));
    const own = ["Checkpoint", "Client", "Collection", "Part", "Run", "Share", "Slice", "Slot", "Step", "Target", "Turn", "Work"];
    expect(own.filter((word) => withWord(types, word).length === 0)).toEqual([]);
    expect(own.filter((word) => withWord(words, word).length === 0)).toEqual([]);
  });

  it("has no cast that goes through unknown", () => {
    const cast = /\bas (unknown|never) as\b/;
    expect([...sources, ...tests].filter((source) => cast.test(source))).toEqual([]);
  });

  it("gives names that once meant several things one meaning", () => {
    const declared = sources.flatMap((source) =>
      named(source, /^(?:export )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/gm),
    );
    const once = [
      "ClientOptions",
      "Delivery",
      "Misfits",
      "Operation",
      "Reader",
      "Scope",
      "Share",
      "Slice",
      "StoredInstances",
      "Transport",
      "Turns",
      "WorkerOptions",
      "WriteTarget",
      "changedFields",
      "documentText",
      "exchange",
      "instanceOf",
      "sql",
      "withDeadline",
    ];
    expect(once.filter((name) => declared.filter((one) => one === name).length !== 1)).toEqual([]);
    expect(["Target", "only", "once"].filter((name) => declared.includes(name))).toEqual([]);
  });

  it("has a decision record for each that the code names, and code for each record", () => {
    const pages = ["decisions", "decisions-service"];
    const records = pages.flatMap((page) => named(read(`runtime/site/text/${page}.md`), /^## Decision (\d+): /gm));
    expect(records.length).toBeGreaterThanOrEqual(20);
    const inCode = pages.flatMap((page) => {
      const reference = new RegExp(`[Dd]ecision (\\d+) in runtime/site/text/${page}\\.md`, "g");
      return sources.flatMap((source) => named(source, reference)).toSorted((a, b) => Number(a) - Number(b));
    });
    expect(inCode).toEqual(records);
  });

  it("has at most 900 words of text on a page, beside samples, but for the list of recipes", () => {
    const words = (text: string) =>
      text
        .replace(/```[\s\S]*?```|<!--.*?-->|\]\(.*?\)/g, "")
        .split(/\s+/)
        .filter((word) => /\w/.test(word)).length;
    const texts = paths.filter((path) => path.startsWith("runtime/site/text/") && path.endsWith(".md"));
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.filter((path) => words(read(path)) > 900)).toEqual(["runtime/site/text/recipes.md"]);
  });

  it.each([
    ["each step of a sync and a lease", "state-machines.md"],
    ["each step of a write and a subscription", "state-machines-writes.md"],
    ["each fault that tests found", "testing-faults.md"],
  ])("quotes for %s a test that exists", (_what, page) => {
    const [, faults] = read(`runtime/site/text/${page}`).split("## Faults that tests found");
    const steps = named(faults ?? read(`runtime/site/text/${page}`), /^\| .* \| (.*) \|$/gm).filter(
      (cell) => !/^(test|---)$/.test(cell),
    );
    expect(steps.length).toBeGreaterThan(10);
    const known = (step: string) =>
      /^"(.+)"$/.exec(step)?.[1] !== undefined && tests.some((source) => source.includes(step.slice(1, -1)));
    expect(steps.filter((step) => !known(step))).toEqual([]);
  });
});

describe("the packages", () => {
  it("need no step of their own at installation, because the Makefile and the Dockerfile run none", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    // The step of esbuild only makes its command start faster; test/package/bundle.test.ts uses it without.
    const needless = ["node_modules/esbuild"];
    expect(Object.keys(packages).filter((path) => packages[path]?.hasInstallScript === true)).toEqual(needless);
    for (const file of ["Makefile", "Dockerfile"]) expect(read(file)).toContain("npm ci --ignore-scripts");
  });
});
