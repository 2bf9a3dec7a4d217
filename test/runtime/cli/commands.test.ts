import { describe, expect, it, vi } from "vitest";
import { connectors } from "../../../generated/index.ts";
import { type Command, command, storedNote } from "../../../runtime/cli/command.ts";
import { commands } from "../../../runtime/cli/commands.ts";
import { out } from "../../../runtime/cli/output/standard-output.ts";
import { runCommandLine } from "../../../runtime/cli/program.ts";

/** What a command line writes and which status it ends with. */
async function outcome(table: readonly Command[], args: readonly string[]) {
  let text = "";
  const take = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  const spies = [vi.spyOn(out, "write"), vi.spyOn(process.stderr, "write")].map((spy) => spy.mockImplementation(take));
  try {
    return { status: await runCommandLine(table, args), text };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe("the table of commands", () => {
  it.each(commands.map((row): [string, Command] => [row.name, row]))(
    "has help, flags and an example for %s",
    async (name, row) => {
      const { status, text } = await outcome(commands, [...name.split(" "), "--help"]);
      expect(status).toBe(0);
      expect(row.summary).not.toBe("");
      expect(text.replace(/\s+/g, " ")).toContain(row.summary);
      for (const [flag, { help }] of Object.entries(row.flags)) {
        expect(help).not.toBe("");
        expect(text).toContain(`--${flag}`);
      }
      for (const { name: argument, help, optional } of row.arguments) {
        expect(help).not.toBe("");
        expect(text).toContain(optional === true ? `[${argument}]` : `<${argument}>`);
      }
      expect(row.examples.length).toBeGreaterThan(0);
      for (const example of row.examples) expect(text).toContain(example);
    },
  );

  it("loads a function for every command", async () => {
    for (const row of commands) expect(typeof (await row.load()).run).toBe("function");
  });

  it("has only examples that parse", async () => {
    for (const { name, examples } of commands)
      for (const example of examples) {
        const [, ...args] = [...example.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
          ([whole, double, single]) => double ?? single ?? whole,
        );
        expect(example.startsWith(`tenon ${name}`)).toBe(true);
        const deaf = commands.map((row) => ({ ...row, load: async () => ({ run: async () => 7 }) }));
        expect(await outcome(deaf, args)).toEqual({ status: 7, text: "" });
      }
  });

  it("names every command in the list of commands", async () => {
    const { status, text } = await outcome(commands, ["--help"]);
    expect(status).toBe(0);
    for (const { name } of commands) expect(text).toMatch(new RegExp(`^ {2}${name.split(" ")[0]}\\b`, "m"));
  });
});

describe("the help", () => {
  it.each([["--help"], ["-h"], ["help"]])("of `tenon %s` lists the connectors", async (...args) => {
    const { text } = await outcome(commands, args);
    for (const { name, title } of connectors) expect(text).toMatch(new RegExp(`^ {2}${name} +${title}$`, "m"));
  });

  it("of one command does not", async () => {
    expect((await outcome(commands, ["help", "sync"])).text).not.toContain("Connectors,");
  });
});

describe("a command that calls no service", () => {
  const ran: string[] = [];
  const table = [
    command({
      name: "keys",
      summary: "lists",
      stored: "accounts",
      arguments: [],
      flags: {},
      examples: ["tenon keys"],
      load: async () => ({ run: async () => ran.push("keys") - 1 }),
    }),
  ];
  /** What the command writes to standard error under these settings. */
  const said = async (settings: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries({ TENON_URL: "", TENON_DATABASE_URL: "", ...settings })) vi.stubEnv(name, value);
    const spy = vi.spyOn(console, "error").mockReturnValue();
    ran.length = 0;
    try {
      await runCommandLine(table, ["keys"]);
      return spy.mock.calls.flat();
    } finally {
      spy.mockRestore();
      vi.unstubAllEnvs();
    }
  };

  it("says on which data folder or database it worked, without a password", async () => {
    expect(await said({ TENON_DATA_DIR: "/srv/data" })).toEqual(["Used the data folder /srv/data."]);
    const database = { TENON_DATABASE_URL: "postgres://me:canary@db.example/tenon?sslmode=require" };
    expect(await said(database)).toEqual(["Used the database db.example:5432/tenon."]);
  });

  it("is refused where TENON_URL names a service, and does nothing", async () => {
    const refused = said({ TENON_DATA_DIR: "/srv/data", TENON_URL: "https://tenon.example.com" });
    await expect(refused).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(
        /^`tenon keys` calls no service: it would use the data folder \/srv\/data, and not the service/,
      ),
    });
    expect(ran).toEqual([]);
  });

  it("is every command about keys, clients, connectors, the audit log and backups, whose help says so", async () => {
    const stored = commands.filter(({ name }) => /^(key|client|connector) |^(audit|store backup)$/.test(name));
    expect(stored).toHaveLength(16);
    for (const { name, stored: kind } of stored) {
      expect([name, kind]).toEqual([name, expect.any(String)]);
      const { text } = await outcome(commands, [...name.split(" "), "--help"]);
      expect(text.replace(/\s+/g, " ")).toContain(storedNote);
    }
  });
});

describe("a command line", () => {
  const given: unknown[] = [];
  const table = [
    command({
      name: "try",
      summary: "tries",
      arguments: [{ name: "thing", help: "what to try" }],
      flags: {
        name: { kind: "text", value: "NAME", help: "a name" },
        "many-things": { kind: "list", value: "THING", help: "things" },
        "dry-run": { kind: "switch", help: "only looks" },
      },
      examples: ["tenon try x"],
      load: async () => ({
        run: async (args, flags) => {
          given.push([args, flags]);
          return 3;
        },
      }),
    }),
  ];
  const none = { name: undefined, "many-things": [], "dry-run": false };

  it.each<[string[], unknown]>([
    [["x"], none],
    [["x", "--name", "n", "--dry-run"], { ...none, name: "n", "dry-run": true }],
    [["x", "--many-things", "a", "--many-things=b"], { ...none, "many-things": ["a", "b"] }],
    [["--name=--odd", "x"], { ...none, name: "--odd" }],
  ])("%j reaches the command with each flag in the form of its kind", async (args, flags) => {
    expect(await outcome(table, ["try", ...args])).toEqual({ status: 3, text: "" });
    expect(given.pop()).toEqual([["x"], flags]);
  });

  it.each<[string[], RegExp]>([
    [["tyr", "x"], /unknown command 'tyr'[\s\S]*try[\s\S]*See "tenon --help"/],
    [["try"], /missing required argument 'thing'[\s\S]*See "tenon try --help"/],
    [["try", "x", "--nmae", "n"], /unknown option '--nmae'[\s\S]*--name/],
    [[], /A command is missing/],
    [["github"], /^After "tenon github" one of these is missing: .*, repositories, .*See "tenon github --help"\.$/],
    [
      ["github", "issues"],
      /^After "tenon github issues" one of these is missing: get, list, .*See "tenon github issues --help"\.$/,
    ],
    [["github", "isues"], /unknown command 'isues'\s+\(Did you mean issues\?\)\s+See "tenon github --help"/],
    [["github", "issues", "lst"], /unknown command 'lst'\s+\(Did you mean list\?\)\s+See "tenon github issues --help"/],
    [["--name", "n", "try", "x"], /unknown option '--name'\s+Put options after the command\.\s+See "tenon --help"/],
    [
      ["github", "--json", "issues", "get"],
      /unknown option '--json'\s+Put options after the command\.\s+See "tenon github --help"/,
    ],
  ])("%j is refused with a hint and status 64", async (args, message) => {
    const refused = await outcome(table, args).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ exit: 64, message: expect.stringMatching(message) });
  });

  it("passes on what the command throws", async () => {
    const failing = table.map((row) => ({ ...row, load: async () => Promise.reject(new Error("broken")) }));
    await expect(outcome(failing, ["try", "x"])).rejects.toThrow("broken");
  });
});
