import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { command } from "../support/command.ts";
import { useCommandHost } from "../support/command-host.ts";
import { bash } from "./support/process.ts";
import { apiKey, useTenon } from "./support/service.ts";

const running = useTenon();
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-request-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const local = () => ({
  GITHUB_TOKEN: ownerToken,
  GITHUB_API_URL: running.platform.url,
  GITHUB_GRAPHQL_URL: running.platform.graphqlUrl,
});
const hosted = () => ({ TENON_URL: running.tenon.url, TENON_API_KEY: apiKey });

const host = useCommandHost();

/** Runs `tenon` in a folder of its own with these words, whose quotes are those of a shell. */
async function tenon(words: string, env: Readonly<Record<string, string>>) {
  const { out } = await bash(`printf '%s\\0' ${words}`);
  return host.run(out.split("\0").slice(0, -1), env, folder);
}

/** The same as a process. */
const asProcess = (words: string, env: Readonly<Record<string, string>>, file = command) =>
  bash(`cd ${folder} && "${process.execPath}" "${file}" ${words}`, env);
/** The command of the clone, whose modules have names. */
const source = join(import.meta.dirname, "../../runtime/cli/tenon.js");

const repository = "--owner octocat --repo hello-world";

describe.each([
  ["in its own process", local],
  ["on a service", hosted],
])("an action %s", (_where, env) => {
  it("has a flag for each param, and answers JSON and nothing else", async () => {
    const { code, out, err } = await asProcess(`github issues get ${repository} --number 1 --fields number,author.login`, env());
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      data: { number: 1, author: { login: "octocat" } },
      meta: { has_next_page: false, end_cursor: null },
    });
  });

  it("takes params as JSON, from a file and from standard input, and flags win", async () => {
    const params = { owner: "octocat", repo: "hello-world", number: 2, fields: ["number"] };
    writeFileSync(join(folder, "params.json"), JSON.stringify(params));
    const numbers = await Promise.all([
      tenon(`execute github issues get --params '${JSON.stringify(params)}'`, env()),
      tenon("execute github issues get --params @params.json", env()),
      asProcess("execute github issues get --params - < params.json", env()),
      tenon("github issues get --params @params.json --number 1", env()),
    ]);
    expect(numbers.map(({ out, err }) => (err === "" ? JSON.parse(out).data.number : err))).toEqual([2, 2, 2, 1]);
  });

  it("reads all pages with --all, as one answer or a record per line", async () => {
    const list = `github labels list ${repository} --per-page 3 --fields name --all`;
    const whole = await tenon(list, env());
    const { data, meta } = JSON.parse(whole.out);
    expect(data.length).toBeGreaterThan(3);
    expect(meta).toEqual({ count: data.length });
    const { out } = await tenon(`${list} --ndjson`, env());
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(data);
  });

  it("writes, with lists, null and booleans as flags", async () => {
    const labels = "--labels bug --labels 'good first issue' --milestone null";
    const made = await tenon(
      `github issues create ${repository} --title 'A title' ${labels} --fields number,milestone,labels`,
      env(),
    );
    expect(JSON.parse(made.out).data).toMatchObject({ milestone: null, labels: [{ name: "bug" }, { name: "good first issue" }] });
  });

  it("tells a problem as JSON on standard error, with the exit status of its code", async () => {
    const missing = await tenon(`github issues get ${repository} --number 999999`, env());
    expect([missing.code, missing.out]).toEqual([66, ""]);
    expect(JSON.parse(missing.err)).toMatchObject({ code: "not_found", status: 404, retryable: false });
    const wrong = await tenon(`github issues list --owner octocat --states OPENED --per-page ten`, env());
    expect(wrong.code).toBe(65);
    expect(
      JSON.parse(wrong.err)
        .errors.map(({ pointer }: { pointer: string }) => pointer)
        .sort(),
    ).toEqual(["/params/per_page", "/params/repo", "/params/states/0"]);
    const unknown = await tenon("execute github issue list", env());
    expect(JSON.parse(unknown.err).errors[0]).toMatchObject({ code: "unknown_entity", suggestion: "issues" });
  });

  it("searches the cache", async () => {
    const filter = `--filter '{"eq":{"isDefault":true}}' --sort name:desc --limit 1 --count --fields name`;
    const { code, out, err } = await tenon(`search github labels ${filter}`, env());
    expect([code, err]).toEqual([0, expect.stringMatching(/^warning: not_synced: .*\n$/)]);
    expect(JSON.parse(out)).toMatchObject({ data: [], meta: { has_more: false, total_count: 0, synced_at: null } });
  });
});

describe("an action on a service", () => {
  it("loads nothing of what only a call in its own process needs", async () => {
    const hooks = `import { registerHooks } from "node:module";
      registerHooks({ load: (url, context, next) => { process._rawDebug(url); return next(url, context); } });`;
    const options = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hooks)}` };
    const { code, out, err } = await asProcess("github viewer get --fields login", { ...hosted(), ...options }, source);
    expect([code, JSON.parse(out).data]).toEqual([0, { login: "octocat" }]);
    const loaded = err.split("\n").filter((line) => line.startsWith("file:"));
    expect(loaded.some((url) => url.endsWith("/client/hosted.ts"))).toBe(true);
    expect(loaded.filter((url) => /better-sqlite3|octokit|pino|runtime\/(accounts|server|store|sync)/.test(url))).toEqual([]);
  });

  it("tells where no service is, and who may not call", async () => {
    const nobody = await tenon("github viewer get", { TENON_URL: "http://127.0.0.1:9", TENON_API_KEY: "k" });
    expect([nobody.code, JSON.parse(nobody.err).code]).toEqual([69, "service_unreachable"]);
    const stranger = await tenon("github viewer get", { ...hosted(), TENON_API_KEY: "wrong" });
    expect([stranger.code, JSON.parse(stranger.err).code]).toEqual([77, "unauthorized"]);
  });

  it("syncs there, shows the progress, and forgets a scope", async () => {
    const sync = await tenon("sync github --scope repository=octocat/hello-world --entity labels", hosted());
    expect([sync.code, sync.err]).toEqual([0, ""]);
    const lines = sync.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-2)).toMatchObject({ event: "state", entity: "labels", state: "complete", records: expect.any(Number) });
    expect(lines.at(-1)).toEqual({ event: "done", outcome: "complete", entities: 1 });
    const found = await tenon("search github labels --count --limit 1", hosted());
    expect(JSON.parse(found.out).meta.total_count).toBe(lines.at(-2).records);
    const workspace = await tenon("sync github --workspace default --status", hosted());
    expect(workspace.out).toContain('"entity":"labels"');
    const elsewhere = await tenon("sync github --workspace elsewhere --organization acme --status", hosted());
    expect([elsewhere.code, JSON.parse(elsewhere.err)]).toMatchObject([
      66,
      { code: "unknown_connector", message: expect.stringContaining('The workspace "elsewhere" has no connector "github"') },
    ]);
    const nowhere = await tenon("sync github --workspace default --status", local());
    expect([nowhere.code, JSON.parse(nowhere.err).message]).toEqual([
      64,
      "--workspace and --organization are for a service: set TENON_URL to its address",
    ]);
    const status = await tenon("sync github --status", hosted());
    expect(JSON.parse(status.out)).toMatchObject({
      scope: "repository=octocat/hello-world",
      entity: "labels",
      state: "complete",
    });
    const forgotten = await tenon("sync github --forget repository=octocat/hello-world", hosted());
    expect(JSON.parse(forgotten.out)).toEqual({
      event: "forgotten",
      scope: "repository=octocat/hello-world",
      removed: lines.at(-2).records,
    });
    const refused = await tenon("sync github --scope repositry=a/b", hosted());
    expect([refused.code, JSON.parse(refused.err).code]).toEqual([65, "invalid_request"]);
  });

  it("goes to the instance that --connector names", async () => {
    const { err } = await tenon("github viewer get --connector team-a", hosted());
    expect(JSON.parse(err)).toMatchObject({ code: "unknown_connector" });
  });
});

describe("an action in its own process", () => {
  it("takes the members of an object as flags", async () => {
    const { code, out } = await tenon(
      "stripe customers create --address.city Porto --address.postal-code 4000 --fields address",
      {},
    );
    expect([code, JSON.parse(out).data.address]).toEqual([0, expect.objectContaining({ city: "Porto", postalCode: "4000" })]);
  });

  it("searches what a sync has stored in the same folder", async () => {
    const sync = await tenon("sync github --scope repository=octocat/hello-world --entity labels", local());
    expect(sync.code, sync.err).toBe(0);
    const { out } = await tenon("search github labels --group-by isDefault", local());
    expect(
      JSON.parse(out)
        .data.map(({ isDefault }: { isDefault: boolean }) => isDefault)
        .sort(),
    ).toEqual([false, true]);
  });

  it("searches by meaning in the field that the entity has for it", async () => {
    const sync = await tenon("sync linear --scope team=team-eng --entity issues", {});
    expect(sync.code, sync.err).toBe(0);
    const { out } = await tenon("search linear issues --semantic 'people cannot sign in' --limit 1", {});
    expect(JSON.parse(out).data).toMatchObject([{ metadata: { score: expect.any(Number) } }]);
    const other = await tenon("search linear issues --semantic x --semantic-field body", {});
    expect(JSON.parse(other.err.split("\n").at(-2) ?? "")).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/params/semantic/field" }],
    });
    const none = await tenon("search linear labels --semantic x", {});
    expect(none.err).toContain("labels");
  });

  it.runIf(process.platform === "linux" && existsSync("/usr/bin/script"))("shows the chosen fields on a terminal", async () => {
    const list = `github issues list ${repository} --per-page 1 --fields number,author.login`;
    const { out } = await bash(
      `cd ${folder}; script -qec '"${process.execPath}" "${command}" ${list}' /dev/null < /dev/null`,
      local(),
    );
    expect(out).toMatch(/^number {2}author\.login\r\n\d+ +\S+\r\n$/);
  });
});

describe("the command line", () => {
  it("suggests what is spelled nearly so", async () => {
    const refusal = async (words: string) => String(JSON.parse((await tenon(words, {})).err).message);
    expect(await refusal("gihub issues list")).toContain("did you mean github?");
    expect(await refusal("github isues list")).toContain("Did you mean issues?");
    expect(await refusal("github issues lst")).toContain("Did you mean list?");
    expect(await refusal("serv")).toContain("Did you mean serve?");
    expect(await refusal("describe github isues")).toContain('did you mean "issues"?');
  });

  it("describes connectors, entities and actions", async () => {
    const parsed = async (words: string) => JSON.parse((await tenon(words, {})).out);
    expect((await parsed("describe")).connectors).toContainEqual(expect.objectContaining({ name: "github", title: "GitHub" }));
    expect((await parsed("describe github")).entities).toContainEqual(
      expect.objectContaining({ name: "labels", actions: ["get", "list", "context_store_search", "context_store_sql_query"] }),
    );
    const { params, writes } = await parsed("describe github issues create");
    expect([writes, params.required]).toEqual([true, ["owner", "repo", "title"]]);
    const states = (await parsed("describe github issues list")).params.properties.states.items.enum;
    expect(states).toEqual(["CLOSED", "OPEN"]);
  });

  it("checks specs, and generates code of a connector in a repository of its own", async () => {
    const place = join(folder, "own");
    for (const one of ["base", "rest-connector"]) {
      const golden = join(import.meta.dirname, "../golden", one);
      cpSync(golden, join(place, "spec/paper"), { recursive: true, filter: (path) => !path.includes("expected") });
    }
    const run = (...args: string[]) => host.run(args, {}, place);
    const parsed = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
    expect(await run("spec", "check")).toMatchObject({ code: 0, err: "" });
    const generated = await run("generate");
    expect(generated.code).toBe(0);
    const lines = parsed(generated.out);
    expect(lines).toContainEqual({ event: "wrote", path: "generated/paper/client.ts" });
    const count = lines.length - 1;
    expect(lines.at(-1)).toEqual({ event: "done", files: count, changed: count, ms: expect.any(Number) });
    expect(readFileSync(join(place, "generated/paper/client.ts"), "utf8")).toContain('from "tenon"');
    const books = join(place, "spec/paper/books.yaml");
    writeFileSync(books, readFileSync(books, "utf8").replace("title:", "titel:"));
    const wrong = await run("spec", "check");
    expect(wrong.code).toBe(1);
    expect(parsed(wrong.err)).toContainEqual({
      file: "spec/paper/books.yaml",
      line: expect.any(Number),
      column: expect.any(Number),
      code: expect.stringMatching(/^SPEC\d{3}$/),
      severity: "error",
      message: 'unknown key "titel"',
      hint: 'did you mean "title"?',
    });
    expect(await run("generate")).toEqual({ code: 1, out: "", err: wrong.err });
    const nothing = await run("spec", "check", "--spec", "specs");
    expect([nothing.code, JSON.parse(nothing.err).message]).toEqual([
      64,
      'there is no folder "specs" with specs; name it with --spec',
    ]);
    expect(existsSync(join(place, "generated/paper/books.ts"))).toBe(true);
  });
});
