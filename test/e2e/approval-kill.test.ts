import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type AccountStore, createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { openDatabase } from "../../runtime/postgres/index.ts";
import { tokenCredential } from "../support/credential.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { shaped } from "../support/shaped.ts";
import { apiKey, defaultSettings, executePath, sendTo } from "./support/service.ts";
import { startStranger } from "./support/stranger.ts";

// Services that are killed between the approval of writes and their ends, and two that get the same approval. TENON_TEST_APPROVED says
// how many writes are approved.

const together = 20;
const rounds = Math.ceil(Number(process.env["TENON_TEST_APPROVED"] ?? together) / together);
const secretKey = ["secret-key-of-the-killed-approvals"];
const childFile = fileURLToPath(new URL("./support/write-child.ts", import.meta.url));

interface Seen {
  readonly id: string;
  readonly hash: string;
  readonly state: string;
}

/** A GitHub that counts the writes by their title, and says when the one comes that it never answers. */
async function startPlatform() {
  const sent = new Map<string, number>();
  const titles = new Map<string, string>();
  const hold = { left: -1, held: () => undefined as unknown };
  const platform = await startStranger(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const answer = (value: object) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.url === "/graphql") {
      const issue = { title: titles.get(String(body.variables.number)) ?? "first" };
      return void answer({ data: { repository: { issue } } });
    }
    const number = String(request.url).split("/").at(-1) ?? "";
    sent.set(body.title, (sent.get(body.title) ?? 0) + 1);
    titles.set(number, body.title);
    if (hold.left-- === 0) return void hold.held();
    answer({ id: 1, node_id: "n", number: Number(number), title: body.title });
  });
  return { ...platform, sent, hold };
}

/** A service in a process of its own. */
async function startChild(settings: object) {
  const child: ChildProcessByStdio<null, Readable, null> = endsWithTests(
    spawn(process.execPath, [childFile, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  const [told] = (await once(child.stdout, "data")) as [Buffer];
  const send = sendTo(told.toString().trim());
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { send, kill };
}

async function prove(engine: "SQLite" | "PostgreSQL"): Promise<Map<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-killed-"));
  const place = engine === "PostgreSQL" ? await startOnServer() : undefined;
  const databaseUrl = place?.url ?? "";
  const platform = await startPlatform();
  const policy = join(dataDir, "policy.json");
  writeFileSync(policy, '{"rules": [{"effect": "require_approval"}]}');
  const platforms = {
    github: { credential: tokenCredential("token-of-the-test"), rest: platform.url, graphql: `${platform.url}/graphql` },
  };
  const settings = { ...defaultSettings, dataDir, databaseUrl, policy, secretKey, platforms };
  let service = await startChild(settings);
  const database = place && openDatabase(databaseUrl, { connections: 1 });
  const store: AccountStore = database === undefined ? openSqliteAccounts(dataDir) : openPostgresAccounts(database);
  const grant = { ...fullGrant, rights: ["approve" as const] };
  const { secret } = await createCaller(store, deriveKeys(secretKey), { kind: "key", name: "boss", grant, expiresAt: null });
  await store.close();
  await database?.close();
  const as = (key: string) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });
  const approve = async ({ id, hash }: Seen, by = service) => {
    const { status } = await by.send("POST", `/api/v1/proposals/${id}/approve`, JSON.stringify({ hash }), as(secret));
    return status;
  };
  const look = async ({ id }: Seen) => {
    return shaped<Seen>((await service.send("GET", `/api/v1/proposals/${id}`, undefined, as(secret))).body.data);
  };
  /** How often each end came, with how often the write was sent. */
  const ends = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const proposals = await Promise.all(
      Array.from({ length: together }, async (_, index) => {
        const number = round * together + index + 1;
        const params = { owner: "o", repo: "r", issue_number: number, title: `title ${number}` };
        const body = JSON.stringify({ entity: "issues", action: "update", params });
        const reply = await service.send("POST", executePath, body, as(apiKey));
        expect(reply.status, reply.text).toBe(403);
        return { title: params.title, ...shaped<Seen>(reply.body["proposal"]) };
      }),
    );
    expect(proposals.filter(({ title }) => platform.sent.has(title))).toEqual([]);
    // One is never approved, and one later by two processes. The others are approved at once, and the process is killed while one of
    // them is sent.
    const [first, second, ...others] = proposals;
    const held = new Promise((resolve) => {
      Object.assign(platform.hold, { left: (round * 5) % 9, held: () => resolve(undefined) });
    });
    const approvals = others.map((one) => approve(one).catch(() => "gone"));
    await held;
    await service.kill();
    await Promise.all(approvals);
    service = await startChild(settings);
    const another = await startChild(settings);
    for (const one of others) {
      const { state } = await look(one);
      const before = platform.sent.get(one.title) ?? 0;
      // What nobody has begun to send can be approved again. What is done or in doubt cannot.
      const status = await approve(one);
      expect([state, status]).toEqual([state, state === "pending" ? 200 : 409]);
      const after = { state: (await look(one)).state, sent: platform.sent.get(one.title) ?? 0 };
      expect([state, after.sent]).toEqual([state, state === "pending" ? 1 : before]);
      expect(after.state === "done" ? after.sent === 1 : after.state === "in_doubt" && after.sent <= 1).toBe(true);
      const end = `${state}, then ${after.state}, sent ${after.sent}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    if (first === undefined || second === undefined) throw new Error("no proposals");
    expect([platform.sent.has(first.title), platform.sent.has(second.title)]).toEqual([false, false]);
    // Both are processes that did not propose it.
    const statuses = await Promise.all([approve(first), approve(first, another)]);
    expect([statuses.sort(), platform.sent.get(first.title)]).toEqual([[200, 409], 1]);
    await another.kill();
    await service.send("POST", `/api/v1/proposals/${second.id}/reject`, undefined, as(secret));
  }
  await service.kill();
  platform.close();
  await place?.close();
  rmSync(dataDir, { recursive: true, force: true });
  return ends;
}

describe("a service that is killed between approvals and the ends of their writes", () => {
  it.each(["SQLite", "PostgreSQL"] as const)(
    `sends each of ${rounds * together} at most once, and tells which are in doubt, on %s`,
    {
      timeout: 3_600_000,
    },
    async (engine) => {
      if (engine === "PostgreSQL" && !hasServer) return;
      const ends = await prove(engine);
      if (rounds > 1) process.stderr.write(`${engine}: ${JSON.stringify(Object.fromEntries(ends))}\n`);
      // The one that was held.
      expect(ends.get("in_doubt, then in_doubt, sent 1") ?? 0).toBeGreaterThan(0);
    },
  );
});
