import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run as runBundle } from "../../../runtime/cli/mcp/mcp-bundle.ts";
import { run as runSetup } from "../../../runtime/cli/mcp/mcp-setup.ts";
import { onTerminal } from "../../support/command-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-mcp-setup-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => vi.stubEnv("TENON_DATA_DIR", folder));
afterEach(() => vi.unstubAllEnvs());

const flags = { write: false, connector: "github", url: undefined, config: undefined };

describe("tenon mcp setup", () => {
  it("with --url prints only what the client needs for that service", async () => {
    const { status, text } = await onTerminal(() =>
      runSetup(["vscode"], { ...flags, apply: false, connector: undefined, url: "https://tenon.example" }),
    );
    const [, file = "", json = ""] = /^In (\S+):\n\n(.*)$/s.exec(text) ?? [];
    expect([status, file]).toEqual([0, expect.stringMatching(/\.vscode\/mcp\.json$/)]);
    expect(JSON.parse(json)).toMatchObject({ servers: { tenon: { url: "https://tenon.example/mcp" } } });
  });

  it("passes the file of a secret key on, by its whole path", async () => {
    const key = join(folder, "secret.key");
    writeFileSync(key, "a-secret-key-of-thirty-two-characters");
    vi.stubEnv("TENON_SECRET_KEY_FILE", relative(process.cwd(), key));
    const { text } = await onTerminal(() => runSetup(["cursor"], { ...flags, apply: false }));
    expect(text).toContain(`"TENON_SECRET_KEY_FILE": ${JSON.stringify(key)}`);
  });
});

describe("tenon mcp bundle", () => {
  it("warns where a policy requires approvals, which only a service has", async () => {
    const policy = join(folder, "policy.json");
    writeFileSync(policy, JSON.stringify({ rules: [{ effect: "require_approval" }] }));
    vi.stubEnv("TENON_POLICY", policy);
    const file = join(folder, "own.mcpb");
    const made = (url?: string) => onTerminal(() => runBundle([file], { ...flags, write: true, url }));
    expect(await made()).toMatchObject({
      status: 0,
      lines: [file],
      errors: expect.stringContaining("The policy requires approvals"),
    });
    expect((await made("https://tenon.example")).errors).not.toContain("approvals");
  });
});
