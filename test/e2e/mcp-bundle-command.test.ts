import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, describe, expect, it, vi } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { run as bundle } from "../../runtime/cli/mcp/mcp-bundle.ts";
import { run as serverJson } from "../../runtime/cli/mcp/server-json.ts";
import { out } from "../../runtime/cli/output/standard-output.ts";
import { openProcesses } from "./support/process.ts";

// The manifests below were checked with `mcpb validate` of @anthropic-ai/mcpb 2.1.2, and with the schema of 2025-12-11 that server.json
// names. Check them again when they change.

const folder = mkdtempSync(join(tmpdir(), "tenon-bundle-"));
const processes = openProcesses();
afterAll(async () => {
  await processes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of an archive, read from its beginning. */
function unzipped(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const [sum, packed, size] = [14, 18, 22].map((offset) => archive.readUInt32LE(at + offset)) as [number, number, number];
    const start = at + 30 + archive.readUInt16LE(at + 26);
    const content = inflateRawSync(archive.subarray(start, start + packed));
    expect([crc32(content), content.length]).toEqual([sum, size]);
    files.set(archive.subarray(at + 30, start).toString(), content.toString());
    at = start + packed;
  }
  return files;
}

describe("tenon mcp bundle", () => {
  it("makes a bundle whose server answers, and that asks for secrets", async () => {
    const home = processes.folder();
    const file = join(home, "own.mcpb");
    const running = processes.start({ HOME: home, TENON_DATA_DIR: join(home, "data"), GITHUB_TOKEN: "ghp_secretsecretsecret" }, [
      "mcp",
      "bundle",
      file,
      "--connector",
      "github",
    ]);
    expect([await running.exit, running.out()]).toEqual([0, `${file}\n`]);
    expect(running.err()).toContain("The cache in");
    const files = unzipped(readFileSync(file));
    expect([...files.keys()]).toEqual(["manifest.json", "server/start.js"]);
    const manifest = JSON.parse(files.get("manifest.json") ?? "") as Record<string, unknown>;
    expect(manifest).toEqual({
      manifest_version: "0.3",
      name: "tenon",
      display_name: "Tenon",
      version: packageFile.version,
      description: "Reads, searches and changes data of platforms through the Tenon of this machine.",
      author: { name: "Tenon" },
      server: {
        type: "node",
        entry_point: "server/start.js",
        mcp_config: {
          command: "node",
          args: [`\${__dirname}/server/start.js`],
          env: { TENON_DATA_DIR: join(home, "data"), GITHUB_TOKEN: `\${user_config.github_token}` },
        },
      },
      tools_generated: true,
      prompts_generated: true,
      license: "MIT",
      compatibility: { platforms: [process.platform] },
      user_config: {
        github_token: {
          type: "string",
          title: "GITHUB_TOKEN",
          description: "The value of GITHUB_TOKEN. Without it, leave this empty.",
          sensitive: true,
          required: false,
          default: "",
        },
      },
    });
    expect(readFileSync(file).includes("ghp_secret")).toBe(false);
    const start = join(folder, "server/start.js");
    mkdirSync(dirname(start), { recursive: true });
    writeFileSync(start, files.get("server/start.js") ?? "");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [start], env: { TENON_DATA_DIR: join(home, "data") } }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search");
    await client.close();
  });

  it("passes calls on to a service", async () => {
    const file = join(folder, "service.mcpb");
    await bundle([file], { url: "https://tenon.example.com", write: false, connector: undefined, config: undefined });
    const manifest = JSON.parse(unzipped(readFileSync(file)).get("manifest.json") ?? "") as {
      server: { mcp_config: { env: object } };
    };
    expect(manifest.server.mcp_config.env).toEqual({
      TENON_URL: "https://tenon.example.com",
      TENON_API_KEY: `\${user_config.tenon_api_key}`,
    });
  });

  it("makes no file that clients would not open", async () => {
    await expect(
      bundle(["tenon.zip"], { url: undefined, write: false, connector: undefined, config: undefined }),
    ).rejects.toThrow("must end with .mcpb");
  });
});

describe("tenon mcp server-json", () => {
  it("describes a service, and promises no package", async () => {
    const written: string[] = [];
    const write = vi.spyOn(out, "write").mockImplementation((text) => written.push(text) > 0);
    expect(await serverJson(["https://tenon.example.com/ai/"])).toBe(0);
    write.mockRestore();
    expect(JSON.parse(written.join(""))).toEqual({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "com.example.tenon/tenon",
      title: "Tenon",
      description: "Reads, searches and changes data of platforms: live, from a cache, or with SQL.",
      version: packageFile.version,
      remotes: [
        {
          type: "streamable-http",
          url: "https://tenon.example.com/ai/mcp",
          headers: [
            {
              name: "Authorization",
              description: "Needed where no authorization server is set up for the service.",
              value: "Bearer {key}",
              isSecret: true,
              variables: { key: { description: "A key of the service, made with tenon key create", isSecret: true } },
            },
          ],
        },
      ],
    });
  });

  it.each(["http://tenon.example.com", "https://localhost:8787", "https://127.0.0.1", "tenon", ""])(
    "refuses %j",
    async (address) => {
      await expect(serverJson([address])).rejects.toThrow("no public address");
    },
  );
});
