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
        tenon: {
          ...{ type: "http", url: "https://old.example", headers: { a: "b" }, timeout: 60_000, alwaysAllow: ["read"] },
          env: { TENON_DATA_DIR: "/old", GITHUB_TOKEN: "kept", OWN: "1", FIGMA_TOKEN: "" },
        },
      },
    };
    expect(JSON.parse(withJson(JSON.stringify(before), json) ?? "")).toEqual({
      theme: "dark",
      mcpServers: {
        other: { command: "x" },
        tenon: {
          ...{ ...entry, timeout: 60_000, alwaysAllow: ["read"] },
          env: { TENON_DATA_DIR: "/data", GITHUB_TOKEN: "kept", OWN: "1" },
        },
      },
    });
  });

  it("may begin with a byte order mark", () => {
    expect(withJson('\uFEFF{"theme": "dark"}', json)).toBe(withJson('{"theme": "dark"}', json));
    expect(withJson("\uFEFF", json)).toBe(withJson("", json));
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

  it.each([
    ["tables whose names have any characters", '[projects."/home/me/a[b]#c"]\ntrust_level = "trusted"'],
    ["tables whose names are in single quotes", "[ 'a@b' . c ] # [d]\nx = 1"],
    ["lists of tables", "[[hooks.'/x y']]\ncommand = 1"],
    ["tables of another server whose name begins alike", '[mcp_servers."tenon.env"]\nx = 1'],
    ["a comment before them", "# What I trust\n[projects]\nx = 1"],
    ["a comment at the end", "# The end"],
    ["texts that look like tables", "[a]\nx = \"\"\"\n[mcp_servers.tenon]\n\"\"\"\ny = '''\n[mcp_servers.tenon]\n'''"],
    ["settings that look like servers", '[a]\nmcp_servers = { tenon = "x" }'],
  ])("keeps %s after its own tables", (_, other) => {
    expect(withToml(`${written}\n${other}\n`, toml)).toBe(`${other}\n\n${written}`);
  });

  it.each([
    ["lists in several lines", 'args = [\n  ["b"]\n  , # one ]\n  "[c]",\n]'],
    ["texts in several lines", 'command = """\n[projects]\n"""'],
    [
      "another way to the server",
      'url = "https://old.example"\nbearer_token_env_var = "KEY"\n[mcp_servers.tenon.headers]\na = "b"',
    ],
  ])("is replaced with %s", (_, setting) => {
    const before = `[mcp_servers.tenon]\n${setting}\n`;
    expect(withToml(`${before}\n[other]\n`, toml)).toBe(`[other]\n\n${written}`);
  });

  it("keeps the settings of its server that its user has added, with tables below it", () => {
    const own = 'startup_timeout_sec = 20\nenabled_tools = [\n  "read",\n]\n';
    const below = '[mcp_servers.tenon.tools.read]\napproval_mode = "auto"\n';
    const before = `[mcp_servers.tenon]\ncommand = "old"\n${own}\n${below}\n[other]\nx = 1\n`;
    const after = `[other]\nx = 1\n\n${written.replace("\n[mcp_servers.tenon.env]", `${own}\n[mcp_servers.tenon.env]`)}\n${below}`;
    expect(withToml(before, toml)).toBe(after);
    expect(withToml(after, toml)).toBe(after);
  });

  it.each([
    ["'secret'", "secret"],
    ["'C:\\new'", "C:\\new"],
    ['"a\\U0001F511\\u00e9\\t\\"\\\\"', 'a\u{1F511}\u00E9\t"\\'],
    ["'''it's'''", "it's"],
    ['"""\na \\\n   b"""', "a b"],
    ['"a # b"', "a # b"],
  ])("keeps a secret that was filled in as %s", (value, secret) => {
    const before = `# GITHUB_TOKEN = "old"\n"GITHUB_TOKEN" = ${value} # GITHUB_TOKEN = "old"`;
    const kept = written.replace('GITHUB_TOKEN = ""', `GITHUB_TOKEN = ${JSON.stringify(secret)}`);
    expect(withToml(written.replace('GITHUB_TOKEN = ""', before), toml)).toBe(kept);
    const inline = `[mcp_servers.tenon]\nenv = { "http.proxy" = "x", GITHUB_TOKEN = ${value} }`;
    expect(withToml(inline, toml)).toBe(`${kept}"http.proxy" = "x"\n`);
  });

  it.each([
    'mcp_servers = { tenon = { command = "x" } }',
    'mcp_servers.tenon.command = "x"',
    '"mcp_servers" . tenon.command = "x"',
    '[mcp_servers]\ntenon = { command = "x" }',
    'a = "x',
    "a = [\n[b]\n",
    'a = """\n[b]\n',
    "a = 1 ]",
    "what is this",
  ])("is left to a person where it is %j", (text) => {
    expect(withToml(text, toml)).toBeUndefined();
  });
});
