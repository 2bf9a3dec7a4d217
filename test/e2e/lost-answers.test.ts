import { describe, expect, it } from "vitest";
import { unpaced } from "../support/fake-instance.ts";
import { authorized, executePath, startTenon } from "./support/service.ts";
import { startStranger } from "./support/stranger.ts";

// Many writes against a platform that loses requests and answers. TENON_TEST_CREATES says how many.

const amount = Number(process.env["TENON_TEST_CREATES"] ?? 1_000);

describe("writes whose answers are lost", () => {
  it("are done at most once each, and every uncertain one is in doubt", async () => {
    const done = new Map<string, number>();
    let nth = 0;
    const platform = await startStranger(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { title } = JSON.parse(Buffer.concat(chunks).toString()) as { title: string };
      const act = () => done.set(title, (done.get(title) ?? 0) + 1);
      const answer = (status: number) => response.writeHead(status, { "content-type": "application/json" }).end('{"number":1}');
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
    });
    const tenon = await startTenon({ url: platform.url, graphqlUrl: `${platform.url}/graphql` }, { connectors: [unpaced] });
    try {
      const create = async (title: string): Promise<string> => {
        const body = JSON.stringify({ entity: "issues", action: "create", params: { owner: "o", repo: "r", title } });
        const headers = { "content-type": "application/json", authorization: authorized.authorization, "idempotency-key": title };
        const response = await fetch(`${tenon.url}${executePath}`, { method: "POST", headers, body });
        return response.ok ? "done" : String(((await response.json()) as { code: string }).code);
      };
      const wrong: unknown[] = [];
      const each = async (title: string) => {
        const first = await create(title);
        const repeats = [await create(title), await create(title)];
        const times = done.get(title) ?? 0;
        const expected = first === "done" ? "done" : "in_doubt";
        const right = (first === "done" && times === 1) || (first === "write_in_doubt" && times <= 1);
        if (!right || repeats.some((one) => one !== expected)) wrong.push([title, first, repeats, times]);
      };
      const titles = Array.from({ length: amount }, (_, index) => `title-${index}`);
      const work = async () => {
        for (let title = titles.shift(); title !== undefined; title = titles.shift()) await each(title);
      };
      await Promise.all(Array.from({ length: 16 }, work));
      expect(wrong).toEqual([]);
      expect(platform.seen).toHaveLength(amount);
      expect([...done.values()].every((times) => times === 1)).toBe(true);
    } finally {
      await tenon.service.close();
      platform.close();
    }
  }, 600_000);
});
