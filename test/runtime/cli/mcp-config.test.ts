import { describe, expect, it } from "vitest";
import { type Addition, withJson, withToml } from "../../../runtime/cli/mcp/mcp-config.ts";

const entry = { command: "/bin/node", args: ['/a "b"/tenon.js', "mcp"], env: { TENON_DATA_DIR: "/data", GITHUB_TOKEN: "" } };
const json: Addition = { servers: "mcpServers", name: "tenon", entry, inputs: [], secrets: ["GITHUB_TOKEN"] };
const toml: Addition = { servers: "mcp_servers", name: "tenon", entry, inputs: [], secrets: ["GITHUB_TOKEN"] };

const written = `[mcp_servers.tenon]
command = "/bin/node"
args = ["/a \\"b\\"/tenon.js","mcp"]

[mcp_servers.tenon.env]
TENON_DATA_DIR = "/data"
GITHUB_TOKEN = ""
`;

describe("the JSON of a client", () => {
  it("is made, and is the same when it is made again", () => {
    const text = withJson("", json) ?? "";
    expect(JSON.parse(text)).toEqual({ mcpServers: { tenon: entry } });
    expect(withJson(text, json)).toBe(text);
  });

  it("keeps other settings and servers, and the secrets that were filled in, but no setting that has another value now", () => {
    const before = {
      theme: "dark",
      mcpServers: {
        other: { command: "x" },
        tenon: { command: "old", env: { TENON_DATA_DIR: "/old", GITHUB_TOKEN: "kept", OWN: "1", FIGMA_TOKEN: "" } },
      },
    };
    expect(JSON.parse(withJson(JSON.stringify(before), json) ?? "")).toEqual({
      theme: "dark",
      mcpServers: {
        other: { command: "x" },
        tenon: { ...entry, env: { TENON_DATA_DIR: "/data", GITHUB_TOKEN: "kept", OWN: "1" } },
      },
    });
  });

  it("asks for each input once", () => {
    const inputs = [{ id: "github-token" }, { id: "figma-token" }];
    const before = JSON.stringify({ inputs: [{ id: "mine" }, { id: "github-token", description: "own" }] });
    expect(JSON.parse(withJson(before, { ...json, inputs }) ?? "")["inputs"]).toEqual([
      { id: "mine" },
      { id: "github-token", description: "own" },
      { id: "figma-token" },
    ]);
  });

  it.each(["// a comment\n{}", "[]", "{", '{"mcpServers": []}', '{"inputs": {}}'])(
    "is left to a person where it is %j",
    (text) => {
      expect(withJson(text, json)).toBeUndefined();
    },
  );
});

describe("the TOML of a client", () => {
  it("is made, and is the same when it is made again", () => {
    expect(withToml("", toml)).toBe(written);
    expect(withToml(written, toml)).toBe(written);
  });

  it("keeps everything else, and the values that were filled in", () => {
    const others = 'model = "o5"\n\n[mcp_servers.tenon2]\ncommand = "y"\n\n[profiles.tenon]\nlist = [\n  ["a"],\n]\n';
    const before = others.replace("[profiles", `${written.replace('GITHUB_TOKEN = ""', 'GITHUB_TOKEN = "kept"')}\n[profiles`);
    expect(withToml(before, toml)).toBe(`${others}\n${written.replace('GITHUB_TOKEN = ""', 'GITHUB_TOKEN = "kept"')}`);
    const inline = '[mcp_servers."tenon"] # mine\ncommand = "old"\nenv = { GITHUB_TOKEN = "kept" }\n';
    expect(withToml(inline, toml)).toBe(written.replace('GITHUB_TOKEN = ""', 'GITHUB_TOKEN = "kept"'));
  });

  it.each(['mcp_servers = { tenon = { command = "x" } }', 'mcp_servers.tenon.command = "x"'])(
    "is left to a person where it is %j",
    (text) => {
      expect(withToml(text, toml)).toBeUndefined();
    },
  );
});
