import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { readableJson } from "../../runtime/site/json.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { withoutTimes } from "./examples.ts";

// Follows the tutorial in a folder of its own: writes the files that it shows, runs its commands, sends its requests.

const root = join(import.meta.dirname, "../..");
const page = join(root, "runtime/site/text/tutorial.md");
const text = readFileSync(page, "utf8");
const blocks = [...text.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)\n```$/gm)].map(([, , role = "", content = ""]) => ({
  role,
  content,
}));
const update = process.env["UPDATE_ANSWERS"] === "1";

const folder = mkdtempSync(join(tmpdir(), "tenon-tutorial-"));
for (const shared of ["runtime", "node_modules", "package.json"]) symlinkSync(join(root, shared), join(folder, shared));

let service: { readonly url: string; readonly child: ChildProcess } | undefined;
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  if (service === undefined) return;
  service.child.kill("SIGTERM");
  await once(service.child, "exit");
  service = undefined;
}

const driver = join(import.meta.dirname, "tutorial-driver.ts");

async function start(): Promise<string> {
  if (service !== undefined) return service.url;
  const child = endsWithTests(spawn(process.execPath, [driver, folder, "serve"], { stdio: ["ignore", "pipe", "inherit"] }));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  service = { url: String(line).trim(), child };
  return service.url;
}

/** Runs a command of the tutorial, and gives what it prints. */
async function command(code: string): Promise<string> {
  await stop();
  const generate = [process.execPath, join(root, "generator/cli.ts")].join(" ");
  const script = code.replaceAll("make generate", generate);
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return stderr === "" ? stdout : stderr;
}

async function ask(body: string): Promise<unknown> {
  const response = await fetch(`${await start()}/api/v1/integrations/connectors/todo/execute`, {
    method: "POST",
    headers: { authorization: "Bearer key-of-the-tutorial", "content-type": "application/json" },
    body,
  });
  return response.json();
}

describe("the tutorial", () => {
  it("works step by step as it stands", { timeout: 120_000 }, async () => {
    let output = "";
    let answer: unknown;
    let updated = text;
    for (const [index, { role, content }] of blocks.entries()) {
      if (role.includes("/")) {
        mkdirSync(dirname(join(folder, role)), { recursive: true });
        writeFileSync(join(folder, role), `${content}\n`);
      } else if (role === "run") {
        output = await command(content);
        const told = blocks[index + 1]?.role === "output";
        if (!told) expect(output).toMatch(/^(wrote|removed|\d+ files)/);
      } else if (role === "output") {
        if (update) updated = updated.replace(content, () => output.trim());
        else expect(output.trim()).toBe(content);
      } else if (role === "sync") {
        await stop();
        const scope = /--scope (\S+)/.exec(content)?.[1] ?? "";
        const { stdout } = await promisify(execFile)(process.execPath, [driver, folder, "sync", scope]);
        expect(stdout.trim()).toBe("complete");
      } else if (role === "ask") answer = await ask(content);
      else if (role === "told") {
        if (update) updated = updated.replace(`told\n${content}`, () => `told\n${readableJson(answer)}`);
        else expect(withoutTimes(answer, true)).toEqual(withoutTimes(JSON.parse(content), true));
      } else throw new Error(`a block of the tutorial has the unknown role "${role}"`);
    }
    if (update) writeFileSync(page, updated);
    expect(blocks.filter(({ role }) => role === "told").length).toBeGreaterThan(3);
  });
});
