import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { type Installed, installPacked, outputOf, told } from "./packed.ts";

const root = join(import.meta.dirname, "../..");

/** Reads an issue with the options that it is given, and prints its title or the code of the error. */
const program = `
  import { errors, GitHub } from "tenon-client/github";
  const github = new GitHub(JSON.parse(process.argv[2]));
  const { data } = await github.issues.get({ owner: "octocat", repo: "hello-world", number: 1, fields: ["number"] });
  const missing = await github.issues.get({ owner: "octocat", repo: "hello-world", number: 999999 }).catch((error) => error);
  console.log(JSON.stringify([data, missing instanceof errors.NotFoundError]));`;

/** The user's folder with the client's package alone, and the tarball that it was installed from. */
let folder: string;
let tarball: string;
let dependencies: string[];
let installed: Installed;
let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  installed = await installPacked();
  folder = join(dirname(installed.folder), "client-app");
  const own = join(folder, "node_modules/tenon-client");
  mkdirSync(own, { recursive: true });
  const source = join(dirname(installed.tarball), "source/dist/client-package");
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: source, encoding: "utf8" });
  tarball = join(folder, packed.trim());
  execFileSync("tar", ["xzf", tarball, "-C", own, "--strip-components=1"]);
  dependencies = Object.keys((JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as Dependent).dependencies ?? {});
  for (const name of closure(dependencies)) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  writeFileSync(join(folder, "main.mjs"), program);
});
afterAll(async () => {
  await platform.close();
  await installed.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Dependent {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages and all that they depend on, as the lock file has them. */
function closure(names: readonly string[]): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, Dependent>>;
  };
  const all = new Set(names);
  for (const name of all) for (const one of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) all.add(one);
  return all;
}

const run = (options: object, node = process.execPath) =>
  outputOf(installed.start(node, [join(folder, "main.mjs"), JSON.stringify(options)]));

/** The Nodes of this machine that only the client supports: 20 to 23. */
const olderNodes = [...new Set((process.env["PATH"] ?? "").split(delimiter))]
  .map((place) => join(place, "node"))
  .filter(existsSync)
  .filter((node) => /^v2[0-3]\./.test(execFileSync(node, ["--version"], { encoding: "utf8" })));

const done = { code: 0, out: `${JSON.stringify([{ number: 1 }, true])}\n`, err: "" };

describe("the package with the client alone", () => {
  it("calls a service", async () => {
    const service = installed.start(join(installed.folder, "node_modules/.bin/tenon"), ["serve"], { PORT: "0" });
    const [, apiKey = "", baseUrl = ""] = await told(service, /export TENON_API_KEY=(\S+)\ncurl -s (http:\/\/[^/]+)/);
    expect(await run({ baseUrl, apiKey })).toEqual(done);
  });

  it("calls the platform itself", async () => {
    const accessToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    platform.world.grants.tokens.set(accessToken, { login: "octocat", until: Number.POSITIVE_INFINITY });
    expect(await run({ accessToken, restUrl: platform.url, graphqlUrl: platform.graphqlUrl })).toEqual(done);
  });

  it.runIf(olderNodes.length > 0)("calls the platform from Node 20 to 23 too", async () => {
    const accessToken = "ghp_abcdefghij0123456789ABCDEFGHIJ012345";
    platform.world.grants.tokens.set(accessToken, { login: "octocat", until: Number.POSITIVE_INFINITY });
    for (const node of olderNodes)
      expect(await run({ accessToken, restUrl: platform.url, graphqlUrl: platform.graphqlUrl }, node)).toEqual(done);
  });

  it("is small, and has neither server nor store nor generator", () => {
    expect(statSync(tarball).size).toBeLessThan(1_000_000);
    const files = execFileSync("tar", ["tzf", tarball], { encoding: "utf8" }).trim().split("\n");
    const rooms = new Set(files.flatMap((file) => /^package\/dist\/(\w+\/[\w-]+)\/.*\.js$/.exec(file)?.[1] ?? []));
    expect(rooms).toContain("runtime/client");
    const unwanted = /^(generator|spec|runtime\/(accounts|admin|cli|compat|main|mcp|manual|postgres|server|simulator|sync)$)/;
    expect([...rooms].filter((room) => unwanted.test(room))).toEqual([]);
    expect(files.filter((file) => /\/runtime\/store\/\w+\//.test(file))).toEqual([]);
    // A client calls services and platforms. A further package needs a reason, because applications install it with the client.
    expect(dependencies.toSorted()).toEqual(["@octokit/graphql", "@octokit/request", "graphql"]);
  });

  it("has types", async () => {
    const source = `
      import { GitHub, type Issue } from "tenon-client/github";
      const issue: Promise<{ readonly data: Pick<Issue, "number"> }> = new GitHub().issues.get({ owner: "o", repo: "r", number: 1 });
      // @ts-expect-error no such field
      new GitHub().issues.get({ owner: "o", repo: "r", number: 1, fields: ["author.logn"] });
      export { issue };`;
    writeFileSync(join(folder, "types.mts"), source);
    const flags = "--noEmit --strict --target es2024 --module nodenext --types node --typeRoots".split(" ");
    const tsc = [join(root, "node_modules/typescript/bin/tsc"), ...flags, join(root, "node_modules/@types"), "types.mts"];
    const check = installed.start("bash", ["-c", `cd '${folder}' && exec "$@"`, "bash", process.execPath, ...tsc]);
    expect(await outputOf(check)).toEqual({ code: 0, out: "", err: "" });
  });
});
