import { describe, expect, it } from "vitest";
import { bad, good, list } from "./support/service.ts";
import { among, json } from "./support/stranger.ts";

// A platform that sends more than it was asked for, or more than memory should hold.

const at = { owner: "octocat", repo: "hello-world" };

/** How many records a request asks for. */
async function askedFor(request: AsyncIterable<Buffer>): Promise<number> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const { variables } = JSON.parse(Buffer.concat(pieces).toString()) as { variables: { first: number } };
  return variables.first;
}

const page = (count: number, body: string) =>
  JSON.stringify({
    data: {
      repository: {
        issues: {
          nodes: Array.from({ length: count }, (_, index) => ({ number: index + 1, body })),
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      },
    },
  });

describe("an answer of the platform", () => {
  it.concurrent("with more than 16 MiB is read again in smaller pages", () => {
    const asked: number[] = [];
    return among(
      async (request, response) => {
        const count = await askedFor(request);
        asked.push(count);
        json(response, page(count, "x".repeat(1024 * 1024)));
      },
      { timeoutMs: 100_000 },
      async ({ tenon }) => {
        const { data } = good(await tenon.run("issues", "list", { ...at, per_page: 20, fields: ["number"] }));
        expect(asked).toEqual([20, 10]);
        expect(list(data).length).toBe(10);
      },
    );
  });

  it.concurrent("with more than 16 MiB in a single record is refused", () =>
    among(
      (_request, response) => json(response, page(1, "x".repeat(17 * 1024 * 1024))),
      { timeoutMs: 100_000 },
      async ({ tenon }) => {
        const reply = await tenon.run("issues", "list", { ...at, per_page: 1, fields: ["number"] });
        expect(bad(reply, 422, "platform_too_complex")["message"]).toContain("16 MiB");
      },
    ));

  // Not beside the others, which take their share of the 64 MiB that a process reads at a time.
  it.each([
    ["empty objects", "{},".repeat(5_000_000)],
    ["zeros", "0,".repeat(7_500_000)],
  ])("of 15 MiB with millions of %s is read again in smaller pages", (_what, values) => {
    const asked: number[] = [];
    return among(
      async (request, response) => {
        const count = await askedFor(request);
        asked.push(count);
        const whole = page(count, "");
        json(response, count > 10 ? `${whole.slice(0, -1)},"extensions":[${values}0]}` : whole);
      },
      { timeoutMs: 100_000 },
      async ({ tenon }) => {
        const { data } = good(await tenon.run("issues", "list", { ...at, per_page: 20, fields: ["number"] }));
        expect(asked).toEqual([20, 10]);
        expect(list(data).length).toBe(10);
        // It was not given up only because parsing it took too long.
        expect(tenon.log.join("")).not.toContain("was lost");
      },
    );
  });

  it.concurrent("with more records than were requested is a fault of the platform", () =>
    among(
      (_request, response) => json(response, page(31, "")),
      { timeoutMs: 100_000 },
      async ({ tenon }) => {
        const reply = await tenon.run("issues", "list", { ...at, per_page: 30, fields: ["number"] });
        expect(bad(reply, 502, "platform_failed")["message"]).toContain("31 records, but only 30 were requested");
      },
    ));

  it.concurrent("to a write that has more than 16 MiB leaves the write in doubt", () =>
    among(
      (_request, response) => response.writeHead(201).end(JSON.stringify({ body: "x".repeat(17 * 1024 * 1024) })),
      { timeoutMs: 100_000 },
      async ({ tenon, seen }) => {
        bad(await tenon.run("issues", "create", { ...at, title: "once" }), 502, "write_in_doubt");
        expect(seen.length).toBe(1);
      },
    ));
});
