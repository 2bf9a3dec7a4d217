import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Its condition "development", under which Node runs the tests, names sources that Node does not load from a package.
import { checkPackage, createPackageFromTarballData } from "../../node_modules/@arethetypeswrong/core/dist/index.js";
import { type Installed, installPacked, outputOf, told } from "./packed.ts";

const root = join(import.meta.dirname, "../..");
const connectors = readdirSync(join(root, "generated"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed.remove());

describe("the package", () => {
  it("starts the service in an empty folder and answers a request with it", async () => {
    const service = installed.start(join(installed.folder, "node_modules/.bin/tenon"), ["serve"], { PORT: "0" });
    const [command] = await told(service, /export TENON_API_KEY=[\s\S]*\n\n/);
    const { out } = await outputOf(installed.start("bash", ["-c", command]));
    expect(JSON.parse(out)).toMatchObject({ data: { number: 1 }, meta: { has_next_page: false } });
    const url = /http:\/\/[^/]+/.exec(command)?.[0];
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
    service.kill();
    expect((await outputOf(service)).code).toBe(0);
  });

  it("finds with its compiled threads what it has synced", async () => {
    const tenon = (...args: string[]) => outputOf(installed.start(join(installed.folder, "node_modules/.bin/tenon"), args));
    const { code, out } = await tenon("sync", "github", "--scope", "repository=octocat/hello-world", "--entity", "labels");
    expect(code, out).toBe(0);
    expect(out).toContain('"event":"done","outcome":"complete"');
  });

  it("runs the example of the README", async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, program = "", printed] = /```ts\n([\s\S]*?console\.log\([^\n]*\); \/\/ ([^\n]+)\n)```/.exec(readme) ?? [];
    expect(program).toContain("tenon-client/github");
    // The full package has the client too, under its own name; `client-package.test.ts` tries the package that has nothing else.
    writeFileSync(join(installed.folder, "example.mts"), program.replace("tenon-client/", "tenon/"));
    const service = installed.start(join(installed.folder, "node_modules/.bin/tenon"), ["serve"], { PORT: "0" });
    const [, key = "", url = ""] = await told(service, /export TENON_API_KEY=(\S+)\ncurl -s (http:\/\/[^/]+)/);
    const run = installed.start(process.execPath, ["example.mts"], { TENON_URL: url, TENON_API_KEY: key });
    expect(await outputOf(run)).toEqual({ code: 0, out: `${printed}\n`, err: "" });
    service.kill();
    const tsc = [
      join(root, "node_modules/typescript/bin/tsc"),
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--module",
      "nodenext",
    ];
    const check = installed.start(process.execPath, [
      ...tsc,
      "--typeRoots",
      join(root, "node_modules/@types"),
      "--types",
      "node",
      "example.mts",
    ]);
    expect(await outputOf(check)).toEqual({ code: 0, out: "", err: "" });
  });

  it("runs the command line of the README", async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, line = "", expected = ""] =
      /```sh run\n(node runtime\/cli\/tenon\.js [^\n]*)\n```\n\n```json output\n([^\n]*)\n```/.exec(readme) ?? [];
    expect(line).not.toBe("");
    const { out } = await outputOf(
      installed.start("bash", ["-c", line.replace("runtime/cli", "node_modules/tenon/runtime/cli")]),
    );
    expect(JSON.parse(out)).toEqual(JSON.parse(expected));
  });

  it("has nothing that publint finds fault with", async () => {
    const { messages } = await publint({ pkgDir: installed.own, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, {}))).toEqual([]);
  });

  it("has types that agree with its modules for everyone who imports ES modules", async () => {
    const bytes = new Uint8Array(readFileSync(installed.tarball));
    const analysis = await checkPackage(createPackageFromTarballData(bytes), {
      includeEntrypoints: connectors.map((name) => `./${name}`),
    });
    if (!analysis.types) throw new Error("the package has no types");
    // The package is for ES modules alone, so the two ways of resolving for CommonJS do not count.
    const problems = Object.values(analysis.problems).filter(
      (problem) => !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  it("holds neither tests nor sources nor how the model was trained, nor a path of the machine on which it was packed", () => {
    const tar = (how: string) => execFileSync("tar", [how, installed.tarball], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
    const files = tar("-tzf").trim().split("\n");
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /(?<!\.d)\.ts$|^package\/(dist\/)?test\//.test(file))).toEqual([]);
    expect(files.filter((file) => /\/training\/|\.(py|sh)$/.test(file))).toEqual([]);
    // A path may also be relative, from the folder in which it was packed.
    const upTo = `../${relative(tmpdir(), root).replace(/^(\.\.\/)+/, "")}/`;
    const paths = tar("-xOzf")
      .split("\n")
      .filter((line) => line.includes(root) || line.includes(upTo));
    expect(paths.slice(0, 5)).toEqual([]);
  });

  it("has the licenses of the packages whose code is in the command, and no import of them", () => {
    const bundle = join(installed.folder, "node_modules/tenon/dist/bundle");
    const licenses = readFileSync(join(bundle, "licenses.txt"), "utf8");
    for (const name of ["express", "pino", "router"]) expect(licenses).toMatch(new RegExp(`^${name} \\d.*\\(MIT\\)$`, "m"));
    expect(licenses.match(/^The above copyright notice/gm)?.length).toBeGreaterThan(20);
    const texts = readdirSync(bundle).map((file) => readFileSync(join(bundle, file), "utf8"));
    expect(texts.filter((text) => /^import .* from "(?:express|pino)";/m.test(text))).toEqual([]);
  });

  it("gives the contract and the generator to whoever imports them", async () => {
    const program = `
      import { actionTraits } from "tenon/contract";
      import { Generator } from "tenon/generator";
      const { diagnostics } = await new Generator().generate([
        { path: "spec/x", files: [{ path: "spec/x/connector.yaml", text: "connector: x" }], read: () => undefined, module: () => undefined },
      ]);
      console.log(JSON.stringify([actionTraits.create.writes, diagnostics.length > 0]));`;
    const { out, err } = await outputOf(installed.start(process.execPath, ["--input-type=module", "--eval", program]));
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual([true, true]);
  });
});
