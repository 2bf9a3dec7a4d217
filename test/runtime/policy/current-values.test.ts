import { pino } from "pino";
import { expect, it } from "vitest";
import { linear } from "../../../generated/linear/index.ts";
import { asTenonError } from "../../../runtime/base/errors.ts";
import type { Action } from "../../../runtime/contract/index.ts";
import { checkRequest, type GuardedWrite } from "../../../runtime/execute/index.ts";
import { changesOf, isWithoutEffect } from "../../../runtime/policy/current-values.ts";
import { type Answerer, fakeInstance, unpaced } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

// What a person sees of a write: what it sets, beside what the platform has.

const repository = { owner: "o", repo: "r" };

function writeTo(answer: Answerer, entity: string, action: string, given: object, connector = unpaced) {
  const { instance, seen } = fakeInstance(answer, undefined, connector);
  const params = connector === unpaced ? { ...repository, ...given } : given;
  const request = checkRequest(connector, { entity, action, params });
  if (request.kind !== "platform") throw new Error("no write");
  const context = { timeout: 60_000, signal: new AbortController().signal, log: pino({ level: "silent" }), requestId: "r" };
  const write: GuardedWrite = { instance, request, context };
  return { write, seen };
}

const webhook = { id: 7, active: true, config: { url: "https://a.example" }, updated_at: "2026-01-02T03:04:05Z" };

it("a write that sets nothing has the fields that tell what the record is", async () => {
  const { write } = writeTo(() => ({ ...webhook, events: ["push"] }), "webhooks", "delete", { hook_id: 7 });
  expect(await changesOf(write)).toStrictEqual([
    { field: "id", from: 7 },
    { field: "url", from: "https://a.example" },
    { field: "active", from: true },
    { field: "events", from: ["push"] },
  ]);
});

it("a deletion in GraphQL has the fields of its record, too", async () => {
  const comment = { data: { comment: { id: "c", body: "mine" } } };
  const { write, seen } = writeTo(() => comment, "comments", "delete", { id: "c" }, linear);
  expect(await changesOf(write)).toEqual(expect.arrayContaining([{ field: "body", from: "mine" }]));
  expect(seen).toHaveLength(1);
});

it("a param that is not a field has no current value", async () => {
  const { write } = writeTo(() => webhook, "webhooks", "update", { hook_id: 7, active: false, events: ["push"], secret: "s" });
  expect(await changesOf(write)).toStrictEqual([
    { field: "active", from: true, to: false },
    { field: "events", from: [], to: ["push"] },
    { field: "secret", to: "s" },
  ]);
});

it("only what a write sets is read", async () => {
  const issue = { data: { repository: { issue: { title: "old" } } } };
  const { write, seen } = writeTo(() => issue, "issues", "update", { issue_number: 1, title: "new" });
  expect(await changesOf(write)).toStrictEqual([{ field: "title", from: "old", to: "new" }]);
  expect(seen.map(({ body }) => JSON.stringify(body)).join()).not.toContain("labels");
});

it("a field that is returned only on request has its present value", async () => {
  const pull = { data: { repository: { pullRequest: { maintainerCanModify: true } } } };
  const { write } = writeTo(() => pull, "pull_requests", "update", { pull_number: 1, maintainer_can_modify: false });
  expect(await changesOf(write)).toStrictEqual([{ field: "maintainer_can_modify", from: true, to: false }]);
});

it("a write may be about what is not there yet, but not about what cannot be read", async () => {
  const answering = (status: number) =>
    writeTo(() => Response.json({}, { status }), "webhooks", "update", { hook_id: 7, active: false }).write;
  expect(await changesOf(answering(404))).toStrictEqual([{ field: "active", to: false }]);
  expect(await changesOf(answering(401)).catch((thrown: unknown) => asTenonError(thrown).code)).toBe("platform_unauthorized");
});

it.each([
  ["sets what the platform has", ["title"], [{ field: "title", from: { a: 1, b: 2 }, to: { b: 2, a: 1 } }], true],
  [
    "sets something else too",
    ["title"],
    [
      { field: "title", from: "a", to: "a" },
      { field: "body", from: "a", to: "b" },
    ],
    false,
  ],
  ["sets what nobody can compare", ["title"], [{ field: "title", to: "a" }], false],
  ["sets nothing", ["title"], [], false],
  ["is not an update", undefined, [{ field: "title", from: "a", to: "a" }], false],
])("whether a write is without effect that %s", (_what, updates, changes, expected) => {
  expect(isWithoutEffect(standIn<Action>(updates === undefined ? {} : { changes: updates }), changes)).toBe(expected);
});
