import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { add, rotate } from "../../../runtime/cli/operator/connectors.ts";
import { toProgram } from "../../support/command-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-connectors-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  vi.stubEnv("TENON_DATA_DIR", folder);
  vi.stubEnv("TENON_SECRET_KEY", "a-secret-key-of-thirty-two-characters");
  vi.stubEnv("GITHUB_CLIENT_ID", "client-of-github");
  vi.stubEnv("GITHUB_CLIENT_SECRET", "secret-of-github");
});
afterEach(() => vi.unstubAllEnvs());

const none = undefined;
const flags = {
  ...{ config: none, "credential-kind": "user", authorize: true, "credential-file": none },
  ...{ id: "mine", workspace: none, organization: none, "base-url": none, "graphql-url": none, variable: [], scope: [] },
  "sync-minutes": none,
};
/** Where the platform sends its user back to. */
const backTo = (page: string) => new URL(page).searchParams.get("redirect_uri");

describe("tenon connector", () => {
  it.each(["often", "0", "10081", "1.5"])("add refuses to sync every %s minutes", async (minutes) => {
    await expect(toProgram(() => add.run(["github"], { ...flags, "sync-minutes": minutes }))).rejects.toMatchObject({
      exit: 64,
      message: "--sync-minutes must be a whole number from 1 to 10080",
    });
  });

  it("rotate with --authorize prints the page on which a user authorizes the connector, as add does", async () => {
    vi.stubEnv("TENON_HOST", "::1");
    vi.stubEnv("TENON_PORT", "8700");
    const added = await toProgram(() => add.run(["github"], flags));
    const [note, page = ""] = added.errors.split("\n");
    expect([added.status, added.lines, note]).toEqual([
      0,
      ["mine"],
      "A user has ten minutes to authorize the connector on this page:",
    ]);
    expect(backTo(page)).toMatch(/^http:\/\/\[::1\]:8700\//);
    vi.stubEnv("TENON_HOST", "127.0.0.1");
    const rotated = await toProgram(() => rotate.run(["mine"], flags));
    expect([rotated.status, rotated.errors]).toEqual([0, `${note}\n`]);
    expect(backTo(rotated.lines[0] ?? "")).toMatch(/^http:\/\/127\.0\.0\.1:8700\//);
  });
});
