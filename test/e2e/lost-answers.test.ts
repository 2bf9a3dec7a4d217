import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tokenCredential } from "../support/credential.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { unpaced } from "../support/fake-instance.ts";
import { authorized, defaultSettings, executePath, startTenon } from "./support/service.ts";
import { startStranger } from "./support/stranger.ts";

// Many writes against a platform that loses requests and answers, and by services that are killed while they write. TENON_TEST_CREATES says
// how many.

const amount = Number(process.env["TENON_TEST_CREATES"] ?? 1_000);
/** Creates that come at once to a service which is killed, and how many such services there are: they do a tenth of all creates. */
const together = 25;
const kills = Math.ceil(amount / 10 / together);
const childFile = fileURLToPath(new URL("./support/write-child.ts", import.meta.url));

describe("writes whose answers are lost", () => {
  it("are done at most once each, and every uncertain one is in doubt", async () => {
    const arrived = new Map<string, number>();
    const done = new Map<string, number>();
    const add = (counts: Map<string, number>, title: string) => counts.set(title, (counts.get(title) ?? 0) + 1);
    let nth = 0;
    /** Takes the answer to a write that is never sent; absent while all are sent. */
    let hold: { left: number; readonly held: (title: string) => void } | undefined;
    const respond = (title: string, response: ServerResponse) => {
      const act = () => add(done, title);
      const answer = (status: number) =>
        response.writeHead(status, { "content-type": "application/json" }).end('{"id":1,"number":1}');
      if (hold !== undefined && hold.left-- === 0) {
        if (nth++ % 2 === 0) act();
        return hold.held(title);
      }
      switch (nth++ % 5) {
        case 0:
          return void response.destroy();
        case 1:
          act();
          return void response.destroy();
        case 2:
          return void answer(502);
        case 3:
          act();
          return void answer(502);
        default:
          act();
          answer(201);
      }
    };
    const platform = await startStranger(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { title } = JSON.parse(Buffer.concat(chunks).toString()) as { title: string };
      add(arrived, title);
      respond(title, response);
    });
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-lost-"));
    const address = { rest: platform.url, graphql: `${platform.url}/graphql` };
    const tenon = await startTenon({ url: platform.url, graphqlUrl: address.graphql }, { dataDir, connectors: [unpaced] });
    const create = async (url: string, title: string): Promise<string> => {
      const body = JSON.stringify({ entity: "issues", action: "create", params: { owner: "o", repo: "r", title } });
      const headers = { "content-type": "application/json", authorization: authorized.authorization, "idempotency-key": title };
      const response = await fetch(`${url}${executePath}`, { method: "POST", headers, body });
      return response.ok ? "done" : String(((await response.json()) as { code: string }).code);
    };
    const wrong: unknown[] = [];
    /**
     * Repeats a create twice. Both tell what the first answer told, or whether it is known that the write was done. One that the killed
     * service had not begun is done by the first repetition.
     */
    const check = async (title: string, first: string) => {
      const repeats = [await create(tenon.url, title), await create(tenon.url, title)] as const;
      const times = done.get(title) ?? 0;
      const told = first === "gone" ? repeats[0] : first;
      const known = told === "write_in_doubt" ? "in_doubt" : told;
      const right = known === "done" ? times === 1 : known === "in_doubt" && times <= 1;
      const same = repeats[1] === known && repeats[0] === (first === "gone" ? told : known);
      if (!right || !same || (arrived.get(title) ?? 0) > 1) wrong.push([title, first, repeats, times]);
      return repeats[0];
    };
    const killed = async (round: number) => {
      const platforms = { github: { credential: tokenCredential("token-of-the-test"), ...address } };
      const settings = { ...defaultSettings, dataDir, platforms };
      const child = endsWithTests(
        spawn(process.execPath, [childFile, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] }),
      );
      try {
        const [told] = (await once(child.stdout, "data")) as [Buffer];
        const held = Promise.withResolvers<string>();
        hold = { left: (round * 7) % together, held: held.resolve };
        const titles = Array.from({ length: together }, (_, index) => `killed-${round}-${index}`);
        const firsts = titles.map((title) => create(told.toString().trim(), title).catch(() => "gone"));
        const lost = await held.promise;
        hold = undefined;
        child.kill("SIGKILL");
        await once(child, "exit");
        const outcomes = await Promise.all(firsts);
        const repeated = await Promise.all(titles.map((title, index) => check(title, outcomes[index] ?? "")));
        const at = titles.indexOf(lost);
        expect([lost, outcomes[at], repeated[at]]).toEqual([lost, "gone", "in_doubt"]);
      } finally {
        child.kill("SIGKILL");
      }
    };
    try {
      const titles = Array.from({ length: amount - kills * together }, (_, index) => `title-${index}`);
      const asked = titles.length;
      const work = async () => {
        for (let title = titles.shift(); title !== undefined; title = titles.shift())
          await check(title, await create(tenon.url, title));
      };
      await Promise.all(Array.from({ length: 16 }, work));
      expect(platform.seen).toHaveLength(asked);
      for (let round = 0; round < kills; round++) await killed(round);
      expect(wrong).toEqual([]);
      expect([...done.values()].every((times) => times === 1)).toBe(true);
    } finally {
      await tenon.service.close();
      platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 600_000);
});
