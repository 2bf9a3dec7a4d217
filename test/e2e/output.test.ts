import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import type { Platform } from "../support/github/start.ts";
import { bash, withProcesses } from "./support/process.ts";
import { until } from "./support/service.ts";

// What a command does when its output cannot be written, or when nobody reads it.

const cli = join(import.meta.dirname, "../../runtime/cli");
const tenon = `"${process.execPath}" "${join(cli, "tenon.js")}"`;
const issues = ["github", "issues", "list", "--owner", "octocat", "--repo", "hello-world"];

function environment({ url, graphqlUrl }: Platform, dataDir: string) {
  return { GITHUB_TOKEN: ownerToken, GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: graphqlUrl, TENON_DATA_DIR: dataDir };
}

describe("output that cannot be written", () => {
  it
    .runIf(process.platform === "linux")
    .concurrent.each([
      "--help",
      "settings",
      "completion bash",
      issues.join(" "),
      `${issues.join(" ")} --all --ndjson`,
      "sync github --scope repository=octocat/hello-world --entity labels",
    ])("is an error of `%s`, with one line on standard error", (command) =>
    withProcesses(async ({ platform, folder }) => {
      const { code, err } = await bash(`${tenon} ${command} > /dev/full`, environment(platform, folder()));
      expect([code, err.trim().split("\n").length, JSON.parse(err)]).toMatchObject([
        74,
        1,
        { code: "output_failed", message: "standard output cannot be written (ENOSPC)" },
      ]);
    }),
  );

  it.runIf(process.platform === "linux")("is an error too when the disk takes only the beginning of a text", () =>
    withProcesses(async ({ folder }) => {
      const file = join(folder(), "out");
      const { code, err } = await bash(`trap '' XFSZ; ulimit -f 8; ${tenon} describe github issues > "${file}"`, {
        NODE_DISABLE_COMPILE_CACHE: "1",
      });
      expect([code, JSON.parse(err).message]).toEqual([74, "standard output cannot be written (EFBIG)"]);
      expect(statSync(file).size).toBe(8 * 1024);
    }),
  );

  it("is written by one module only, which notices it", () => {
    const sources = readdirSync(cli, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|js)$/.test(file));
    const others = sources.filter((file) => file !== join("output", "standard-output.ts"));
    expect(others.length).toBe(sources.length - 1);
    const past = others.filter((file) => /console\.log|process\.stdout/.test(readFileSync(join(cli, file), "utf8")));
    expect(past).toEqual([]);
  });
});

describe("a reader that leaves", () => {
  /** Runs a command whose reader has left before it begins. */
  const unread = async (command: string, platform: Platform, dataDir: string) => {
    const ready = join(dataDir, "ready");
    const reader = `{ exec 0<&-; echo > "${ready}"; }`;
    const line = `set +e; mkfifo "${ready}"; { read -r < "${ready}"; ${tenon} ${command}; } | ${reader}; echo "\${PIPESTATUS[0]}"`;
    const { out, err } = await bash(line, environment(platform, dataDir));
    return [out.trim(), err];
  };

  it.concurrent.each(["--help", "settings", issues.join(" "), `${issues.join(" ")} --all`])(
    "ends `%s` quietly, as other programs end",
    (command) =>
      withProcesses(async ({ platform, folder }) => {
        expect(await unread(command, platform, folder())).toEqual(["141", ""]);
      }),
  );

  it("ends a list of all pages before it reads the rest", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise, skip: 2, times: 1 });
      const running = start(environment(platform, folder()), [...issues, "--all", "--ndjson", "--per-page", "1"]);
      await until(() => running.log().length === 2);
      running.child.stdout?.destroy();
      held.resolve();
      expect([await running.exit, running.err()]).toEqual([141, ""]);
      // The third page could not be written. A fourth may have been under way by then.
      expect(platform.arrived).toBeLessThanOrEqual(4);
    }));

  it("ends `tenon mcp`", () =>
    withProcesses(async ({ folder }) => {
      const child = endsWithTests(spawn(process.execPath, [join(cli, "tenon.js"), "mcp"], { cwd: folder(), stdio: "pipe" }));
      const err = text(child.stderr);
      child.stdout.destroy();
      child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      expect(await once(child, "close")).toEqual([141, null]);
      expect(await err).not.toContain("EPIPE");
    }));
});
