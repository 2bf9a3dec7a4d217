import { afterEach, describe, expect, it } from "vitest";
import { GitHub } from "../../../generated/github/client.ts";
import { problem, type Reply, tinyService } from "../../support/tiny-service.ts";

// The iterator over changes, on a service that fails in between.

let service: Awaited<ReturnType<typeof tinyService>> | undefined;
afterEach(() => service?.close());

const entry = (sequence: number) => ({
  sequence,
  kind: "created",
  entity: "issues",
  key: { id: `i${sequence}` },
  cursor: `c${sequence}`,
});
const page = (cursor: string, sequences: readonly number[], more = {}): Reply => ({
  body: { data: sequences.map(entry), meta: { cursor, has_more: false, truncated: false, ...more } },
});

async function clientOf(answers: readonly Reply[]) {
  service = await tinyService((_, nth) => answers[Math.min(nth, answers.length) - 1] ?? "cut");
  const { requests, url } = service;
  const cursors = () => requests.map(({ path }) => new URL(path, "http://host").searchParams.get("cursor"));
  return { github: new GitHub({ baseUrl: url, apiKey: "key", retries: 0 }), requests, cursors };
}

describe("changes of a client", () => {
  it("go on where they were after failures that may pass, and say when some are missing", async () => {
    const soon = problem(503, "overloaded", { retryable: true }, { "Retry-After": "0" });
    const gap = page("c9", [], { truncated: true });
    const { github, cursors, requests } = await clientOf([
      page("c2", [1, 2]),
      soon,
      "cut",
      page("c3", [3]),
      gap,
      page("c11", [10, 11]),
    ]);
    const gone = new AbortController();
    const seen: unknown[] = [];
    const followed = github.changes({ entity: ["issues", "comments"], signal: gone.signal });
    await expect(async () => {
      for await (const change of followed) {
        seen.push(change.kind === "truncated" ? `truncated ${change.cursor}` : change.sequence);
        if (seen.length === 6) gone.abort(new Error("enough"));
      }
    }).rejects.toThrow("enough");
    expect(seen).toEqual([1, 2, 3, "truncated c9", 10, 11]);
    expect(cursors()).toEqual([null, "c2", "c2", "c2", "c3", "c9"]);
    expect(requests[0]?.path).toBe("/api/v1/integrations/connectors/github/changes?entity=issues%2Ccomments&wait=25");
  });

  it("end at the last one where they are not to be followed, and fail at once", async () => {
    const { github, cursors } = await clientOf([page("c2", [1, 2], { has_more: true }), page("c3", [3])]);
    const filter = { eq: { state: "open" } };
    const seen: unknown[] = [];
    for await (const { cursor } of github.changes({ follow: false, entity: "issues", filter, fields: ["state"], cursor: "c0" }))
      seen.push(cursor);
    expect([seen, cursors()]).toEqual([
      ["c1", "c2", "c3"],
      ["c0", "c2"],
    ]);
    const failing = await clientOf([problem(503, "overloaded", { retryable: true })]);
    await expect(failing.github.changes({ follow: false })[Symbol.asyncIterator]().next()).rejects.toThrow("overloaded");
  });

  it("fail for what does not pass, such as a wrong cursor, and in local mode", async () => {
    const { github } = await clientOf([problem(422, "bad_cursor")]);
    await expect(github.changes()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "bad_cursor" });
    const local = new GitHub({ accessToken: "t" }).changes()[Symbol.asyncIterator]();
    await expect(local.next()).rejects.toMatchObject({ code: "context_store_unavailable" });
  });
});
