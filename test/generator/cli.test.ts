import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endsWithTests } from "../support/ends-with-tests.ts";

const cases = join(import.meta.dirname, "../golden");
const cli = join(import.meta.dirname, "../../generator/cli.ts");

/** A folder in which the generator has run once. */
const started = mkdtempSync(join(tmpdir(), "tenon-generator-"));
let folder: string;
beforeAll(() => {
  folder = started;
  mkdirSync(join(folder, "spec"), { recursive: true });
  for (const one of ["base", "graphql-connector"])
    cpSync(join(cases, one), join(folder, "spec/library"), { recursive: true, filter: (path) => !path.includes("expected") });
  const { status, stdout } = run();
  expect([status, stdout]).toEqual([0, expect.stringContaining("wrote: generated/library/books.ts")]);
});
afterAll(() => rmSync(started, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-generator-"));
  cpSync(started, folder, { recursive: true, preserveTimestamps: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: "utf8" });
const generated = (path: string) => join(folder, "generated", path);
const entity = () => join(folder, "spec/library/books.yaml");
const edit = (from: string, to: string) => writeFileSync(entity(), readFileSync(entity(), "utf8").replace(from, to));

describe("the generator's command", () => {
  it("writes only what changed, removes what no spec asks for, and prints both", () => {
    const untouched = statSync(generated("library/notes.ts")).mtimeMs;
    mkdirSync(generated("old/inner"), { recursive: true });
    writeFileSync(generated("old/inner/orphan.ts"), "// Generated from spec/old.yaml by `make generate`. Do not edit.\n");
    writeFileSync(generated("thesis.md"), "# Not the generator's\n");
    edit("title: Books", "title: All books");
    const { status, stdout } = run();
    expect(status).toBe(0);
    expect(stdout).toContain("wrote: generated/library/reference/books.md");
    expect(stdout).toContain("removed: generated/old/inner/orphan.ts");
    expect(stdout).not.toContain("notes.ts");
    expect(existsSync(generated("old"))).toBe(false);
    expect(existsSync(generated("thesis.md"))).toBe(true);
    expect(statSync(generated("library/notes.ts")).mtimeMs).toBe(untouched);
  });

  it("reads the YAML files of a spec's folder only, and names its simulator as generated code finds it", () => {
    const simulator = join(folder, "spec/library/simulator");
    mkdirSync(simulator);
    writeFileSync(join(simulator, "main.ts"), "throw new Error('the generator must not run this');\n");
    writeFileSync(join(simulator, "data.yaml"), "neither: a connector\nnor: an entity\n");
    writeFileSync(join(folder, "spec/library/notes.txt"), "not YAML\n");
    const connector = join(folder, "spec/library/connector.yaml");
    writeFileSync(connector, `${readFileSync(connector, "utf8")}\nsimulator: simulator/main.ts\n`);
    const address = () =>
      /simulator: new URL\("(.*)", import\.meta\.url\)/.exec(readFileSync(generated("library/facts.ts"), "utf8"))?.[1];
    expect(run()).toMatchObject({ status: 0, stderr: "" });
    expect(address()).toBe("../../spec/library/simulator/main.ts");
    expect(run("--out", "generated/deeper").status).toBe(0);
    expect(readFileSync(generated("deeper/library/facts.ts"), "utf8")).toContain('"../../../spec/library/simulator/main.ts"');
  });

  it("with --check writes nothing and fails on any difference", () => {
    expect(run("--check").status).toBe(0);
    const page = generated("library/reference/books.md");
    writeFileSync(page, `${readFileSync(page, "utf8")}\nedited\n`);
    const { status, stderr } = run("--check");
    expect(status).toBe(1);
    expect(stderr).toContain("differs: generated/library/reference/books.md");
    expect(readFileSync(page, "utf8")).toContain("edited");
  });

  it("prints diagnostics, writes nothing and exits 1 for a bad spec", () => {
    edit("state: { type: BookState, as: lower", "state: { type: BookStat, as: lower");
    const before = readFileSync(generated("library/books.ts"), "utf8");
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^spec\/library\/books\.yaml:\d+:\d+ SPEC003 unknown type "BookStat" \(did you mean "BookState"\?\)$/m,
    );
    expect(readFileSync(generated("library/books.ts"), "utf8")).toBe(before);
  });

  it("with --watch generates on every save, and prints what is wrong until it is corrected", async () => {
    const watcher = endsWithTests(spawn(process.execPath, [cli, "--watch"], { cwd: folder }));
    try {
      await said(watcher, "watching");
      const wrote = said(watcher, "wrote: generated/library/reference/books.md");
      edit("title: Books", "title: Every book");
      await wrote;
      const complained = said(watcher, "SPEC003");
      edit("type: Writer?", "type: Wrter?");
      await complained;
      const mended = said(watcher, "files, 0 changed");
      edit("type: Wrter?", "type: Writer?");
      await mended;

      // A description is saved, an editor locks a file, and another branch is checked out and left again.
      const spec = join(folder, "spec");
      const schema = join(spec, "library/schema.graphql");
      const lost = said(watcher, "SPEC007");
      const whole = readFileSync(schema, "utf8");
      writeFileSync(schema, whole.replace(/\baddedAt\b/g, "addedOn"));
      await lost;
      const found = said(watcher, "files, 0 changed");
      writeFileSync(schema, whole);
      await found;
      symlinkSync("nobody@host.1", join(spec, "library/.#books.yaml"));
      cpSync(spec, join(folder, "away"), { recursive: true, verbatimSymlinks: true });
      rmSync(spec, { recursive: true });
      cpSync(join(folder, "away"), spec, { recursive: true, verbatimSymlinks: true });
      const last = said(watcher, "SPEC003");
      edit("type: Writer?", "type: Wrter?");
      await last;
    } finally {
      watcher.kill();
      await once(watcher, "exit");
    }
  });
});

function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    let all = "";
    const listen = (chunk: Buffer) => {
      all += chunk.toString();
      if (all.includes(text)) resolve();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
  });
}
