import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { linear } from "../../../generated/linear/index.ts";
import type { Action, Connector, GraphqlWrite } from "../../../runtime/contract/index.ts";
import { connect, execute } from "../../../runtime/execute/index.ts";
import { singleCredential } from "../../../runtime/platform/credential.ts";
import { withoutPace } from "../../support/simulated.ts";

// Mutations whose payload has a list of the caller's mistakes.

const issues = linear.entities["issues"];
const create = issues?.actions["create"] as Action<object, object>;
const operation: GraphqlWrite = {
  ...(create.operation as GraphqlWrite),
  mistakes: { path: ["issueCreate", "userErrors"], field: "field", code: "code" },
};
const connectorWith = (operation: GraphqlWrite) =>
  ({
    ...withoutPace(linear),
    entities: { ...linear.entities, issues: { ...issues, actions: { ...issues?.actions, create: { ...create, operation } } } },
  }) as Connector;
const withMistakes = connectorWith(operation);

function answered(payload: object | null, errors: readonly object[] = [], connector = withMistakes) {
  const credential = singleCredential(connector.platform.auth.kinds, "lin_api_key_of_the_test");
  const instance = connect({
    id: "linear",
    workspace: "default",
    connector,
    endpoints: { rest: undefined, graphql: "https://api.example.test/graphql" },
    credential: async () => credential,
    userAgent: "tenon/test",
    redact: (text) => text,
    fetch: async () => Response.json({ data: { issueCreate: payload }, ...(errors.length > 0 && { errors }) }),
  });
  const request = { entity: "issues", action: "create", params: { team: "team-eng", title: "A" } };
  const log = pino({ level: "silent" });
  return execute(instance, request, { timeout: 5_000, signal: new AbortController().signal, log, requestId: "test" });
}

describe("the mistakes in a payload", () => {
  const mistake = (message: string, field: unknown = null, code: unknown = null) => ({ message, field, code });

  it("are the error, with the name of the wrong input, which may be a list of keys", async () => {
    const one = answered({ issue: null, success: false, userErrors: [mistake("Title is too short", ["input", "title"])] });
    await expect(one).rejects.toMatchObject({
      code: "platform_rejected",
      message: "Linear did nothing: Title is too short",
      faults: [{ pointer: "/params/title" }],
    });
    const two = answered({ issue: null, success: false, userErrors: [mistake("a", "title"), mistake("b", "team")] });
    await expect(two).rejects.toMatchObject({ message: "Linear did nothing: a; b", faults: [{ pointer: "/params/title" }] });
  });

  it("have the meaning that the spec gives to their texts", async () => {
    const gone = answered({ issue: null, success: false, userErrors: [mistake("Entity not found: Team")] });
    await expect(gone).rejects.toMatchObject({ code: "not_found" });
  });

  it("are none where the list is empty, and then only `success` can say that nothing was done", async () => {
    const done = await answered({ issue: { id: "i1", title: "A" }, success: true, userErrors: [] });
    expect(done.data).toMatchObject({ id: "i1", title: "A" });
    const nothing = answered({ issue: null, success: false, userErrors: [] });
    await expect(nothing).rejects.toMatchObject({ code: "platform_rejected", message: /nothing and did not say why/ });
  });

  it("are the error where they are plain texts", async () => {
    const one = answered({ issue: null, success: true, userErrors: ["Title is too short", null] });
    await expect(one).rejects.toMatchObject({ code: "platform_rejected", message: "Linear did nothing: Title is too short; " });
  });
});

describe("a payload that does not say whether anything was done", () => {
  it.each([{}, { success: null, issue: null }, { success: "true", issue: null }, { success: 0, issue: { id: "i1" } }])(
    "leaves the write in doubt: %j",
    async (payload) => {
      await expect(answered(payload)).rejects.toMatchObject({
        code: "write_in_doubt",
        message: expect.stringContaining("Linear did not say whether it did anything."),
      });
    },
  );
});

describe("a write that was done", () => {
  it("succeeds with a warning where a part of its record could not be read", async () => {
    const error = {
      message: "Feature not accessible",
      path: ["issueCreate", "issue", "project"],
      extensions: { type: "forbidden" },
    };
    const { data, meta } = await answered({ issue: { id: "i1", title: "A" }, success: true, userErrors: [] }, [error]);
    expect(data).toMatchObject({ id: "i1", title: "A" });
    const warning = {
      path: "data.project",
      code: expect.stringMatching(/^platform_/),
      message: expect.stringContaining("accessible"),
    };
    expect(meta.warnings).toEqual(expect.arrayContaining([warning]));
  });

  it("has no record where the platform sends none, and says so", async () => {
    expect(await answered({ issue: null, success: true, userErrors: [] })).toMatchObject({
      data: null,
      meta: { warnings: [{ path: "data", code: "no_content" }] },
    });
    const { success: _, ...untold } = operation;
    expect(await answered({ issue: null, userErrors: [] }, [], connectorWith(untold))).toMatchObject({ data: null });
  });

  it.each([
    ["is in doubt after", "that the spec does not know, while it was carried out", { path: ["issueCreate"] }, "write_in_doubt"],
    ["was not done after", "of its document", { locations: [{ line: 1, column: 1 }] }, "platform_failed"],
    [
      "was not done after",
      "that the spec knows",
      { path: ["issueCreate"], extensions: { code: "INPUT_ERROR" } },
      "platform_rejected",
    ],
  ])("%s an error %s", async (_outcome, _what, error, code) => {
    await expect(answered(null, [{ message: "Lock timeout", ...error }])).rejects.toMatchObject({ code });
  });

  it("is in doubt where nothing but the record could say that it was done", async () => {
    const { success: _, mistakes: __, ...untold } = operation;
    const silent = answered({ issue: null }, [], connectorWith(untold));
    await expect(silent).rejects.toMatchObject({ code: "write_in_doubt", message: expect.stringContaining("sent no record") });
  });
});
