import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { ActionModel } from "../../generator/model/types.ts";
import { TenonError } from "../../runtime/base/errors.ts";
import { sentParam } from "../../runtime/contract/index.ts";
import { fakeInstance, run } from "../support/fake-instance.ts";
import { githubModel } from "../support/specs.ts";
import { actionsOf, nastyText, validParams } from "./arbitraries.ts";

// Any string in any string parameter: the document, the address and the headers keep their shape, and the value arrives whole.

const model = githubModel();
const stringParams = (action: ActionModel) =>
  action.params.filter((param) => param.type.kind === "scalar" && param.type.name === "string" && !param.type.list);
const actions = actionsOf(model).filter((action) => stringParams(action).length > 0);

/** Valid parameters with one string, as it is, in every string parameter that admits it. */
function withText(action: ActionModel): fc.Arbitrary<{ params: Record<string, unknown>; text: string }> {
  return fc.tuple(validParams(action, model), nastyText).map(([params, text]) => {
    const filled = { ...params };
    for (const { name, length } of stringParams(action))
      if (name !== "after" && [...text].length >= (length?.[0] ?? 0) && [...text].length <= (length?.[1] ?? 0))
        filled[name] = text;
    return { params: filled, text };
  });
}

const headerNames = ["accept", "authorization", "content-type", "user-agent", "x-github-api-version"];

describe.each(actions.map((action) => [`${action.entity}.${action.name}`, action] as const))("%s", (_name, action) => {
  it("keeps the shape of what is sent", async () => {
    const operation = github.entities[action.entity]?.actions[action.name]?.operation;
    const { instance, seen } = fakeInstance(() => ({ data: null, errors: [{ type: "NOT_FOUND", message: "Nothing here." }] }));
    await fc.assert(
      fc.asyncProperty(withText(action), async ({ params }) => {
        seen.length = 0;
        const error: unknown = await run(instance, { entity: action.entity, action: action.name, params }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(TenonError);
        if (error instanceof TenonError) expect(error.code).not.toBe("internal");
        for (const one of seen) {
          expect(one.url.origin).toBe("https://api.example.test");
          expect(one.url.username + one.url.password + one.url.hash).toBe("");
          expect([...one.headers.keys()].filter((name) => !headerNames.includes(name))).toEqual([]);
          expect(one.headers.get("authorization")).toBe("Bearer token-of-the-test");
          if (operation?.kind === "rest") {
            const pattern = operation.path.replace(/\{\w+\}/g, "[^/]+");
            expect(one.url.pathname).toMatch(new RegExp(`^${pattern}$`));
            const queried = operation.query.map((sent) => sentParam(sent).name);
            expect([...one.url.searchParams.keys()].every((name) => queried.includes(name))).toBe(true);
            expect(one.method).toBe(operation.method);
            const body = (one.body ?? {}) as Record<string, unknown>;
            const sent = operation.body.map((each) => ({ ...sentParam(each), path: sentParam(each).name.split(".") }));
            for (const { path, param } of sent)
              expect(path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], body)).toEqual(
                param in params ? params[param] : action.params.find(({ name }) => name === param)?.default,
              );
            expect(Object.keys(body).every((name) => sent.some(({ path }) => path[0] === name))).toBe(true);
          } else {
            const { query, variables } = one.body as { query: string; variables: Record<string, unknown> };
            expect(one.url.pathname).toBe("/graphql");
            expect(query.startsWith(operation?.document ?? "?")).toBe(true);
            expect(query).toBe(documents.get(action) ?? query);
            documents.set(action, query);
            for (const name of operation?.variables ?? []) expect(variables[name]).toEqual(params[name] ?? variables[name]);
          }
        }
        // What was not refused was sent.
        if (
          !(
            error instanceof TenonError &&
            ["invalid_request", "forbidden_transition", "bad_cursor", "not_found"].includes(error.code)
          )
        )
          expect(seen.length).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });
});

/** The document of an action is the same text whatever the parameters hold. */
const documents = new Map<ActionModel, string>();
