import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "vitest";
import { readableJson } from "../../runtime/site/json.ts";
import { command } from "../support/command.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { withoutTimes } from "./examples.ts";

// Follows a page as its reader does: writes the files that it shows, and runs its commands in one shell, from the top to the bottom. The
// second word after a fence says what a block is:
//
//   sh run [STATUS]       commands; the last one ends with this status (0)
//   sh terminal [STATUS]  the same at a terminal, where commands print text for people
//   sh serve [ADDRESS]    a command that goes on, and prints the address where it listens; the page shows ADDRESS (port 8787) for it
//   sh paste              what the service has printed for its user to paste: here it is pasted
//   text output           what the commands before print: `…` stands for any text in a line, and alone for any lines
//   json output           the same as JSON, without what differs from run to run
//   json call, result     a tool that an agent calls over MCP, through the configuration in .mcp.json, and its result
//   <language> path/file  a file

/** One block of a page, without the fences. */
export interface Block {
  readonly role: string;
  /** What stands after the role. */
  readonly more: string | undefined;
  readonly content: string;
}

/** The blocks of a page that have a role. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```\w+ (\S+)(?: (\S+))?\n([\s\S]*?)\n```$/gm)].map(([, role = "", more, content = ""]) => ({
    role,
    more,
    content,
  }));
}

export interface Place {
  /** An existing folder in which the reader begins. */
  readonly folder: string;
  /** The environment besides PATH. Nothing else of the environment of the tests is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** The root of the repository, of whose Makefile the recipes are run. */
  readonly root: string;
  /** Targets of the Makefile that the folder has been made with. */
  readonly made?: readonly string[];
}

/**
 * What the reader's `npm install` becomes. Packages that it has put into one folder of the page are linked into the next one, where npm
 * compares them with what `package.json` names, by the times of their folders too. So 14,000 files are unpacked once.
 */
const installed = `[ -z "$packages" ] || cp ${process.platform === "linux" ? "-RPlp" : "-RPcp"} "$packages" .
npm install
packages=$PWD/node_modules`;

const update = process.env["UPDATE_ANSWERS"] === "1";

/** Ends what a shell has started in the background, with all that this has started. */
const endServices = "for job in $(jobs -p); do kill -- -$job 2> /dev/null; done";

/**
 * Follows pages one after the other in the same shell, and ends all that it has started. With `UPDATE_ANSWERS=1`, the outputs that come
 * now are written into the pages.
 *
 * @throws what `expect` throws at the first block that does not do what the page says
 */
export async function followPages(files: readonly string[], place: Place): Promise<void> {
  const reader = new Reader(place);
  try {
    for (const file of files) {
      let page = readFileSync(file, "utf8");
      const blocks = blocksOf(page);
      expect(blocks.length, file).toBeGreaterThan(0);
      for (const block of blocks) {
        const shown = await reader.follow(block);
        if (update && shown !== undefined) page = page.replace(`\n${block.content}\n`, () => `\n${shown}\n`);
      }
      if (update) writeFileSync(file, page);
    }
  } finally {
    await reader.close();
  }
}

class Reader {
  readonly #place: Place;
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #errors: string;
  readonly #logs: string[] = [];
  /** Where the services listen, by the addresses that the page shows. */
  readonly #addresses = new Map<string, string>();
  #output = "";
  #printed = "";
  #result = "";
  #agent: Client | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.#errors = join(place.folder, ".errors");
    const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
    const env = { PATH: path, HOME: place.folder, PORT: "0", ...place.env };
    this.#shell = endsWithTests(spawn("bash", ["--norc", "-s"], { cwd: place.folder, env, stdio: "pipe" }));
    this.#shell.stderr.pipe(process.stderr);
    // The services that it starts end with it, also when the tests are killed and its input ends.
    // Each has a group of its own processes, because npm does not pass every signal on.
    this.#shell.stdin.write(`set -m\ntrap '${endServices}' EXIT\ntrap 'exit 143' TERM\n`);
  }

  /** @returns for an output, the text that the page should show; undefined where that is what it shows */
  async follow({ role, more, content }: Block): Promise<string | undefined> {
    switch (role) {
      case "run":
        this.#output = await this.#run(this.#command(content), Number(more ?? 0));
        return undefined;
      case "terminal":
        this.#output = await this.#run(atTerminal(this.#command(content)), Number(more ?? 0));
        return undefined;
      case "serve":
        await this.#serve(this.#command(content), more ?? "http://127.0.0.1:8787");
        return undefined;
      case "paste":
        expect(this.#printed).toMatch(new RegExp(`^${content.replace("…", ".*")}`, "m"));
        await this.#run(this.#printed.slice(this.#printed.indexOf("export ")).split("\n")[0] ?? "", 0);
        return undefined;
      case "output":
        return content.startsWith("{") ? this.#compareJson(JSON.parse(this.#output), content) : this.#compareText(content);
      case "call":
        this.#result = await this.#call(JSON.parse(content) as Call);
        return undefined;
      case "result":
        return content.startsWith("{")
          ? this.#compareJson(JSON.parse(this.#result), content)
          : this.#compareText(content, this.#result);
    }
    if (!/[./]/.test(role)) return undefined;
    const path = join((await this.#run("pwd", 0)).trim(), role);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${this.#withAddresses(content)}\n`);
    return undefined;
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    // The services are children of the shell.
    this.#shell.stdin.end(`${endServices}\nwait\n`);
    if (this.#shell.exitCode === null) await new Promise((resolve) => this.#shell.once("close", resolve));
  }

  /** The recipes of the Makefile in the place of `make`, which would look after packages that other tests use, and the real addresses. */
  #command(code: string): string {
    const makefile = readFileSync(join(this.#place.root, "Makefile"), "utf8");
    const made = code.replace(/^make ([a-z-]+)(?: +#.*)?$/gm, (line, target: string) => {
      const recipe = new RegExp(`^${target}:.*\\n((?:\\t.*\\n)*)`, "m").exec(makefile)?.[1];
      if (recipe === undefined) throw new Error(`the Makefile has no target for "${line}"`);
      if (this.#place.made?.includes(target)) return ":";
      return (
        recipe
          .replace(/^\t@?(exec )?/gm, "")
          .replace("$(COMMAND)", command)
          .trim() || ":"
      );
    });
    return this.#withAddresses(made.replace(/^npm install$/gm, installed));
  }

  #withAddresses(text: string): string {
    return [...this.#addresses].reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
  }

  /** Runs commands in the shell, and gives what they print: on standard error where nothing is on standard output. */
  async #run(code: string, expected: number): Promise<string> {
    const end = `-end-${Math.random()}-`;
    // Every command of a block has to succeed, unless the page says with which status the last one ends.
    const failing = expected === 0 ? "set -e" : "set +e";
    this.#shell.stdin.write(`${failing}\n{ ${code}\n} < /dev/null 2> '${this.#errors}'\nprintf '%s%s\\0' '${end}' $?\n`);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let all = "";
    const read = (chunk: Buffer) => {
      all += String(chunk);
      if (all.endsWith("\0")) resolve(all);
    };
    const closed = () => reject(new Error(`a command has failed:\n${code}\n${all}${readFileSync(this.#errors, "utf8")}`));
    this.#shell.stdout.on("data", read);
    this.#shell.once("close", closed);
    const [printed = "", status] = (await promise).slice(0, -1).split(end);
    this.#shell.stdout.off("data", read);
    this.#shell.off("close", closed);
    const errors = readFileSync(this.#errors, "utf8");
    expect(Number(status), `${code}\n${printed}${errors}`).toBe(expected);
    return printed === "" ? errors : printed;
  }

  async #serve(code: string, shown: string): Promise<void> {
    const log = join(this.#place.folder, `.log-${this.#logs.push(code)}`);
    // Any free port takes the place of the one that the page chooses.
    await this.#run(`${code.trim().replace(/\bPORT=\d+ /, "PORT=0 ")} > '${log}' 2>&1 &`, 0);
    // The shell waits for the address, or for the end of a service that cannot start.
    const wait = `until grep -Eq 'at http://127.0.0.1:[0-9]+' '${log}'; do kill -0 $! && sleep 0.1 || break; done; cat '${log}'`;
    this.#printed = await this.#run(wait, 0);
    const real = /\bat (http:\/\/127\.0\.0\.1:\d+)/.exec(this.#printed)?.[1];
    if (real === undefined) throw new Error(`it ended without an address:\n${code}\n${this.#printed}`);
    this.#addresses.set(shown, real);
  }

  async #call(call: Call): Promise<string> {
    this.#agent ??= await this.#startAgent();
    const { content } = await this.#agent.callTool(call);
    const [first] = content as [{ readonly text: string }];
    return first.text;
  }

  /** Starts what the configuration of Claude Code in the reader's folder names, as Claude Code does. */
  async #startAgent(): Promise<Client> {
    const folder = (await this.#run("pwd", 0)).trim();
    const env = Object.fromEntries(
      (await this.#run("env -0 | tr '\\0\\n' '\\n '", 0)).split("\n").map((line) => line.split(/=(.*)/).slice(0, 2)),
    ) as Record<string, string>;
    const filled = readFileSync(join(folder, ".mcp.json"), "utf8").replace(
      /\$\{(\w+):-\}/g,
      (_, name: string) => env[name] ?? "",
    );
    const { tenon } = (JSON.parse(filled) as { mcpServers: { tenon: Server } }).mcpServers;
    const agent = new Client({ name: "reader", version: "1" });
    const { PATH = "", HOME = "" } = env;
    await agent.connect(new StdioClientTransport({ ...tenon, env: { PATH, HOME, ...tenon.env }, stderr: "ignore" }));
    return agent;
  }

  #compareJson(value: unknown, shown: string): string | undefined {
    const came = JSON.parse(this.#withShownAddresses(JSON.stringify(value))) as unknown;
    if (!update) expect(withoutTimes(came, true)).toEqual(withoutTimes(JSON.parse(shown), true));
    return JSON.stringify(withoutTimes(came, true)) === JSON.stringify(withoutTimes(JSON.parse(shown), true))
      ? undefined
      : readableJson(withoutDuration(came));
  }

  #compareText(shown: string, output = this.#output): string | undefined {
    // A command says that all texts are embedded only where it had to wait for that, which depends on the machine.
    const always = (text: string) => text.replace(/^✓ search by meaning: all texts are embedded\n/m, "");
    const escaped = always(shown).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = new RegExp(`^${escaped.replace(/^…$/gm, "[\\s\\S]*").replaceAll("…", ".*")}$`);
    const came = always(this.#withShownAddresses(asSeen(output)).trim());
    if (!update) expect(came).toMatch(pattern);
    return pattern.test(came) ? undefined : came;
  }

  #withShownAddresses(text: string): string {
    return [...this.#addresses].reduce((all, [shown, real]) => all.replaceAll(real, shown), text);
  }
}

/** What stays on a terminal: no colours, and only the last text of a line that was written several times. */
function asSeen(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return output.replace(/\r(?=\n)|.*\x1b\[2K|\x1b\[[\d;?]*[A-Za-z]/g, "");
}

/** What a page shows of a response: how long it took on the machine of the tests says nothing to the reader. */
function withoutDuration(response: unknown): unknown {
  return JSON.parse(JSON.stringify(response, (key, value: unknown) => (key === "took_ms" ? undefined : value)));
}

/** The command on a terminal of its own. */
function atTerminal(command: string): string {
  const quoted = `'${command.replaceAll("'", "'\\''")}'`;
  return process.platform === "linux" ? `script -qec ${quoted} /dev/null` : `script -q /dev/null bash -c ${quoted}`;
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

interface Server {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}
