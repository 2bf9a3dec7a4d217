import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linear } from "../../generated/linear/index.ts";
import type { Connector, FieldPlan } from "../../runtime/contract/index.ts";
import { connect } from "../../runtime/execute/index.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";
import { run } from "../support/fake-instance.ts";
import { type Simulated, simulated, withoutPace } from "../support/simulated.ts";

// A platform with only GraphQL: mutations for writes, an API key without `Bearer`, refusals by rate limits with status 400.

let platform: Simulated;
beforeAll(async () => {
  platform = await simulated(linear);
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });

describe("reads of Linear", () => {
  it("page through a list", async () => {
    const first = await ask("issues", "list", { team: "team-eng", per_page: 100 });
    const second = await ask("issues", "list", { team: "team-eng", per_page: 100, after: first.meta["end_cursor"] });
    expect([first.data, second.data].flat()).toHaveLength(122);
    expect(second.meta["has_next_page"]).toBe(false);
  });

  it("give whole numbers for numbers that the platform calls Float", async () => {
    const { data } = await ask("issues", "get", { id: "ENG-1", fields: ["number", "estimate", "labels.name", "dueDate"] });
    expect(data).toEqual({ number: 1, estimate: 3, labels: [{ name: "Bug" }], dueDate: "2026-05-20" });
  });

  it("find nothing where the platform says so only in its message", async () => {
    await expect(ask("teams", "get", { id: "none" })).rejects.toMatchObject({ code: "not_found" });
    const cursor = ask("issues", "list", { team: "team-eng", after: "none" });
    await expect(cursor).rejects.toMatchObject({ code: "bad_cursor", faults: [{ pointer: "/params/after" }] });
  });

  it("get an error with its kind and code where the caller made the mistake", async () => {
    const { graphql = "", token: authorization } = platform.platform;
    const body = JSON.stringify({ query: "{ teams(first: 251) { nodes { id } } }" });
    const answered = await fetch(graphql, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body,
    });
    const message = "Argument Validation Error - first must be from 1 to 250";
    const extensions = { type: "invalid input", code: "INPUT_ERROR", userError: true };
    expect(await answered.json()).toMatchObject({ errors: [{ message, extensions }] });
  });
});

describe("writes to Linear", () => {
  it("keep absent, null and the empty list apart", async () => {
    const { data } = await ask("issues", "create", { team: "team-eng", title: "A", labels: ["label-bug"], assignee: "user-ana" });
    const { id } = data as { id: string };
    expect(data).toMatchObject({ title: "A", labels: [{ name: "Bug" }], assigneeName: "Ana Ruiz" });
    expect((await ask("issues", "update", { id, title: "B" })).data).toMatchObject({ title: "B", labels: [{ name: "Bug" }] });
    const emptied = await ask("issues", "update", { id, labels: [], assignee: null });
    expect(emptied.data).toMatchObject({ labels: [], assignee: null });
  });

  it("refuse a date that is none before anything is sent", async () => {
    const wrong = ask("issues", "create", { team: "team-eng", title: "A", dueDate: "tomorrow" });
    await expect(wrong).rejects.toMatchObject({ faults: [{ pointer: "/params/dueDate", code: "wrong_type" }] });
  });

  it("have actions with names of their own", async () => {
    expect((await ask("issues", "archive", { id: "ENG-2" })).data).toMatchObject({
      identifier: "ENG-2",
      archivedAt: expect.any(String),
    });
    expect((await ask("comments", "delete", { id: "comment-2" })).data).toEqual({ id: "comment-2", success: true });
  });
});

/** An instance whose network answers the same every time; `sent` counts the calls. */
function answering(answer: () => Response | Error) {
  const sent: { headers: Headers; body: string }[] = [];
  const instance = connect({
    id: "linear",
    workspace: "default",
    connector: withoutPace(linear),
    endpoints: { rest: undefined, graphql: "https://linear.example/graphql" },
    credential: async () => singleCredential(linear.platform.auth.kinds, "lin_api_key"),
    userAgent: "tenon/test",
    redact: (text) => text,
    fetch: async (_url, init) => {
      sent.push({ headers: new Headers(init?.headers), body: String(init?.body) });
      const given = answer();
      if (given instanceof Error) throw given;
      return given;
    },
  });
  return { instance, sent };
}

const create = { entity: "issues", action: "create", params: { team: "t", title: "A" } };

describe("a mutation", () => {
  it("is signed with the key alone, and sends exactly the parameters of the caller", async () => {
    const { instance, sent } = answering(() => Response.json({ data: { issueCreate: { success: true, issue: { id: "1" } } } }));
    await run(instance, create);
    expect(sent[0]?.headers.get("authorization")).toBe("lin_api_key");
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({ variables: { input: { teamId: "t", title: "A" } } });
  });

  it("that the payload says was not done has failed", async () => {
    const { instance } = answering(() => Response.json({ data: { issueCreate: { success: false, issue: null } } }));
    await expect(run(instance, create)).rejects.toMatchObject({ code: "platform_rejected" });
  });

  it("is sent once when its answer is lost, and its fate is in doubt", async () => {
    const { instance, sent } = answering(() => new TypeError("fetch failed"));
    await expect(run(instance, create)).rejects.toMatchObject({ code: "write_in_doubt" });
    expect(sent).toHaveLength(1);
  });

  it("is sent again when it is idempotent", async () => {
    let calls = 0;
    const archived = { data: { issueArchive: { success: true, entity: { id: "1" } } } };
    const { instance, sent } = answering(() => (calls++ === 0 ? new TypeError("fetch failed") : Response.json(archived)));
    await run(instance, { entity: "issues", action: "archive", params: { id: "1" } });
    expect(sent).toHaveLength(2);
  });

  it("waits for the budget when status 400 says that it is used up, until the time in milliseconds", async () => {
    const errors = [{ message: "Rate limit exceeded", extensions: { code: "RATELIMITED", type: "ratelimited" } }];
    const headers = { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": String(Date.now() + 3_600_000) };
    const { instance, sent } = answering(() => Response.json({ errors }, { status: 400, headers }));
    await expect(run(instance, create, 2_000)).rejects.toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
    expect(sent).toHaveLength(1);
  });
});

describe("a sync of Linear", () => {
  it("reads only what has changed the second time", async () => {
    expect((await platform.syncExamples()).outcome).toBe("complete");
    const filter = { and: [{ eq: { team: "team-eng" } }, { keyword: { title: "login" } }] };
    const { data } = await ask("issues", "context_store_search", { query: { filter } });
    expect(data).toMatchObject([{ identifier: "ENG-1" }]);
    const { entities } = await platform.syncExamples();
    expect(entities.find(({ entity }) => entity === "issues")).toMatchObject({ calls: 1, full: false });
    // The comments of two issues: those that the tests above changed a moment ago, which may change again at the same time.
    expect(entities.find(({ entity }) => entity === "comments")).toMatchObject({ calls: 2 });
  });
});

/** The connector as if pages of issues had only the first label of each. */
function withOneLabel(connector: Connector): Connector {
  const { issues } = connector.entities;
  const labels = issues?.record.fields["labels"];
  if (issues === undefined || !Array.isArray(labels?.select)) throw new Error("issues have no labels");
  const shorter: FieldPlan = { ...labels, select: labels.select.map((text) => text.replace("first:20", "first:1")) };
  const record = { ...issues.record, fields: { ...issues.record.fields, labels: shorter } };
  const sync = issues.sync.map((plan) => ({
    ...plan,
    action: { ...plan.action, operation: { ...plan.action.operation, record } },
  }));
  return { ...connector, entities: { ...connector.entities, issues: { ...issues, record, sync } } };
}

describe("a list inside a record that a page has only the beginning of", () => {
  it("is read to its end by the record's id", async () => {
    const short = await simulated(withOneLabel(linear));
    try {
      const labels = ["label-bug", "label-feature"];
      const made = await short.run({ entity: "issues", action: "create", params: { team: "team-eng", title: "A", labels } });
      expect((await short.syncExamples()).outcome).toBe("complete");
      const filter = { eq: { id: (made.data as { id: string }).id } };
      const found = await short.run({ entity: "issues", action: "context_store_search", params: { query: { filter } } });
      expect(found.data).toMatchObject([{ labels: [{ name: "Bug" }, { name: "Feature" }] }]);
    } finally {
      await short.close();
    }
  });
});
