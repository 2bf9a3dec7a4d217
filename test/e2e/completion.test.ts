import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { bash } from "./support/process.ts";

// Completion as people use it: a shell that has read the script, and the tab key.

const root = join(import.meta.dirname, "../..");
const command = join(root, "runtime/cli/tenon.js");
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
/** In bash and zsh, `tenon` runs the command of this repository. */
const tenon = `function tenon { "${process.execPath}" "${command}" "$@"; }`;

const wordsFor = async (word: string, ...before: string[]) => {
  const env = { TENON_COMPLETE: before.join("\n"), TENON_COMPLETE_WORD: word };
  const { out, err } = await bash(`"${process.execPath}" "${command}" completion words`, env);
  expect(err).toBe("");
  return out === "" ? [] : out.trim().split("\n");
};

const words = (...before: string[]) => wordsFor("", ...before);

/**
 * Types text and tabs into a shell at a terminal, each after the shell has shown what is expected of the one before.
 *
 * @returns "completed", or what the terminal shows where something did not come
 */
async function typed(shell: string, first: string, steps: readonly (readonly [keys: string, shown: string])[]): Promise<string> {
  const child = endsWithTests(
    spawn("script", ["-qec", shell, "/dev/null"], {
      env: { ...process.env, TERM: "dumb", PS1: "> " },
      stdio: ["pipe", "pipe", "ignore"],
    }),
  );
  let screen = "";
  child.stdout.on("data", (chunk) => (screen += String(chunk)));
  try {
    for (const [text, shown] of [[`${first}; echo re""ady\n`, "ready\r\n"], ...steps] as const) {
      const from = screen.length;
      child.stdin.write(text);
      for (let tries = 0; !screen.includes(shown, from); tries++) {
        if (tries === 3_000) return screen;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    return "completed";
  } finally {
    child.kill("SIGKILL");
    await once(child, "close");
  }
}

const keys = [
  ["tenon gith\t", "ub "],
  ["pull_r\t", "pull_requests "],
  ["li\t", "list "],
  ["--per\t", "--per-page "],
  ["5 --fields number,author.lo\t", "gin "],
  ["\u0015tenon key create --ri\t", "ght "],
  ["me\t", "trics "],
  ["\u0015tenon sync github --sco\t", "pe "],
  ["repo\t", "sitory="],
] as const;

describe("the words that completion gives", () => {
  it.each<[string[], string[]]>([
    [[], ["serve", "sync", "search", "spec", "settings", "github"]],
    [["spec"], ["check", "diff", "init"]],
    [["sync"], ["github", "--scope"]],
    [
      ["search", "github"],
      ["issues", "pull_requests", "--filter"],
    ],
    [
      ["execute", "github", "issues"],
      ["get", "create", "context_store_search"],
    ],
    [["execute", "--timeout", "100", "github", "issues"], ["get"]],
    [["github"], ["issues", "pull_requests"]],
    [
      ["github", "issues", "list"],
      ["--per-page", "--states", "--all"],
    ],
    [
      ["github", "issues", "list", "--states"],
      ["OPEN", "CLOSED"],
    ],
    [
      ["stripe", "customers", "create"],
      ["--address", "--address.city", "--address.postal-code"],
    ],
    [["execute", "--connector"], ["github"]],
    [
      ["mcp", "setup"],
      ["claude-code", "codex"],
    ],
    [["completion"], ["bash", "zsh", "fish"]],
    [
      ["key", "create", "ci", "--right"],
      ["read", "write", "admin"],
    ],
    [
      ["key", "create", "ci", "--entity"],
      ["issues", "viewer"],
    ],
    [["key", "create", "ci", "--instance"], ["github"]],
    [["key", "create", "ci", "--limit"], ["writes="]],
    [
      ["sync", "github", "--scope"],
      ["repository=", "organization=", "account"],
    ],
    [["sync", "github", "--entity"], ["issues"]],
    [
      ["search", "github", "issues", "--sort"],
      ["number", "updatedAt"],
    ],
    [["search", "linear", "issues", "--semantic-field"], ["description"]],
    [
      ["search", "github", "issues", "--fields"],
      ["number", "title"],
    ],
    [
      ["github", "issues", "list", "--fields"],
      ["number", "author"],
    ],
  ])("after %j", async (before, some) => {
    expect(await words(...before)).toEqual(expect.arrayContaining(some));
  });

  it.each([
    [["serve", "--config"]],
    [["github", "no-such-entity", "list"]],
    [["spec", "no-such-command"]],
    [["no-such-command"]],
  ])("are none after %j, so that the shell completes names of files", async (before) =>
    expect(await words(...before)).toEqual([]),
  );

  it("are the rest of a list between commas, and fields inside a field", async () => {
    const fields = ["github", "issues", "list", "--fields"];
    const more = await wordsFor("number,ti", ...fields);
    expect(more).toContain("number,title");
    expect(more).not.toContain("number,number");
    expect(await wordsFor("number,author.", ...fields)).toContain("number,author.login");
    expect(await wordsFor("nothing.", ...fields)).toEqual([]);
  });

  it("load no connector, so that each press of the key responds at once", async () => {
    // The first one keeps the names of the connectors.
    await words();
    const hooks = `import { registerHooks } from "node:module";
      registerHooks({ load: (url, context, next) => { process._rawDebug(url); return next(url, context); } });`;
    const given = ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, command, "completion", "words"];
    const env = { ...process.env, TENON_COMPLETE: "github\nissues\nlist\n--fields" };
    const { stderr } = spawnSync(process.execPath, given, { env, encoding: "utf8" });
    const loaded = stderr.split("\n").filter((line) => line.startsWith("file:"));
    expect(loaded.some((url) => url.endsWith("/completion-words.ts"))).toBe(true);
    expect(
      loaded.filter((url) => /node_modules|generated|runtime\/(?!base|cli|accounts\/grant|main\/connectors-module)/.test(url)),
    ).toEqual([]);
    expect(loaded.length).toBeLessThan(28);
  });

  it.each([
    ["of an earlier state", JSON.stringify({ stamp: "old", table: {} })],
    ["broken", '{"stamp":'],
  ])("do not come from a file that is %s", async (_how, text) => {
    writeFileSync(join(root, ".cache/completion.json"), text);
    expect(await words()).toContain("github");
  });

  it("have the connectors of a module of the user's", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-completion-"));
    const address = JSON.stringify(pathToFileURL(join(root, "generated/figma/index.ts")).href);
    const module = join(folder, "connectors.ts");
    const line = `"${process.execPath}" "${command}" completion words`;
    // The second one is another connector, in the same place.
    for (const name of ["mine", "other"]) {
      writeFileSync(
        module,
        `import { figma } from ${address}; export const connectors = [{ ...figma, name: ${JSON.stringify(name)} }];`,
      );
      const { out } = await bash(line, { TENON_CONNECTORS: module, TENON_COMPLETE: name });
      expect(out.split("\n")).toContain("webhooks");
    }
    expect(await words()).not.toContain("mine");
    rmSync(folder, { recursive: true });
  });
});

describe("completion in a shell", () => {
  it.runIf(process.platform === "linux" && has("script"))("works in bash at a terminal", async () => {
    const load = `${tenon}; eval "$(tenon completion bash)"`;
    expect(await typed("bash --norc --noprofile -i", load, keys)).toBe("completed");
  });

  it.runIf(process.platform === "linux" && has("script") && has("zsh"))("works in zsh at a terminal", async () => {
    const load = `${tenon}; autoload -U compinit; compinit -u -D; eval "$(tenon completion zsh)"`;
    expect(await typed("zsh -f -i", load, keys)).toBe("completed");
  });

  it.runIf(has("zsh"))("is a script that zsh can read", () => {
    const { stdout } = spawnSync(process.execPath, [command, "completion", "zsh"], { encoding: "utf8" });
    expect(spawnSync("zsh", ["-n"], { input: stdout, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it.runIf(has("fish")).each([
    ["tenon gi", ["github"]],
    ["tenon github pull_requests li", ["list"]],
    ["tenon github pull_requests list --fields number,author.lo", ["number,author.login"]],
    ["tenon key create --ri", ["--right"]],
    ["tenon key create --right me", ["metrics"]],
    ["tenon sync github --scope repo", ["repository="]],
    ["tenon sync github --entity pull_requests", ["pull_requests"]],
    ["tenon serve --config package-l", ["package-lock.json"]],
  ])("completes in fish: %s", (line, found) => {
    const script = `function tenon; "${process.execPath}" "${command}" $argv; end; tenon completion fish | source; complete -C "${line}"`;
    const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], { cwd: root, encoding: "utf8" });
    // A description follows a tab.
    expect([stdout.split("\n").flatMap((one) => one.split("\t")[0] || []), stderr]).toEqual([found, ""]);
  });

  it("names the shells that there are for another one", async () => {
    const { code, err } = await bash(`"${process.execPath}" "${command}" completion tcsh`);
    expect([code, JSON.parse(err).message]).toEqual([64, 'there is no completion for "tcsh"; there is bash, zsh, fish']);
  });
});
