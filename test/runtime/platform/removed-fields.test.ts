import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildASTSchema,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { linear } from "../../../generated/linear/index.ts";
import { buildGraphqlSchema } from "../../../generator/model/read-platform.ts";
import { isHarmless, type Warning } from "../../../runtime/contract/index.ts";
import { type ConnectorInstance, connect } from "../../../runtime/execute/index.ts";
import { singleCredential } from "../../../runtime/platform/credential.ts";
import { RemovedFields } from "../../../runtime/platform/removed-fields.ts";
import { withoutFields } from "../../../runtime/platform/without-fields.ts";
import { type Simulator, startSimulator } from "../../../runtime/simulator/start-thread.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";
import { simulated, withoutPace } from "../../support/simulated.ts";

const sdl = readFileSync(join(import.meta.dirname, "../../../spec/linear/schema.graphql"), "utf8");

/** The schema without some fields. */
function without(...coordinates: readonly string[]): GraphQLSchema {
  let type = "";
  const left = visit(parse(sdl, { noLocation: true }), {
    ObjectTypeDefinition: {
      enter: (node) => {
        type = node.name.value;
      },
    },
    FieldDefinition: (node) => (coordinates.includes(`${type}.${node.name.value}`) ? null : undefined),
  });
  // A type may have no field left.
  return buildASTSchema(left, { assumeValid: true });
}

/** A refusal as Linear's server sends it. */
const refusal = (errors: readonly GraphQLError[]) =>
  Response.json(
    {
      errors: errors.map(({ message, locations }) => ({
        message,
        locations,
        extensions: { code: "GRAPHQL_VALIDATION_FAILED", type: "graphql error" },
      })),
    },
    { status: 400 },
  );

const requests = [
  { entity: "issues", action: "get", params: { id: "ENG-1" } },
  { entity: "issues", action: "list", params: { team: "team-eng", per_page: 2 } },
  { entity: "comments", action: "list", params: { issue: "ENG-1", per_page: 2 } },
  { entity: "projects", action: "list", params: { per_page: 2 } },
  { entity: "teams", action: "list", params: { per_page: 2 } },
  { entity: "issues", action: "update", params: { id: "ENG-1", title: "Another title" } },
];

describe("a platform whose schema has lost fields", () => {
  let platform: Simulator;
  beforeAll(async () => {
    if (linear.simulator === undefined) throw new Error("Linear has no simulator");
    platform = await startSimulator(linear.simulator);
  });
  afterAll(() => platform.close());

  /** Linear with another schema, and the documents that it is sent. */
  function platformWith(schema: GraphQLSchema): { instance: ConnectorInstance; sent: string[] } {
    const sent: string[] = [];
    const instance = connect({
      id: "linear",
      workspace: "default",
      connector: withoutPace(linear),
      endpoints: { rest: undefined, graphql: platform.graphql },
      credential: async () => singleCredential(linear.platform.auth.kinds, platform.token),
      userAgent: "tenon/test",
      redact: (text) => text,
      fetch: async (input, init) => {
        const { query } = JSON.parse(String(init?.body));
        sent.push(query);
        const errors = validate(schema, parse(query));
        return errors.length === 0 ? fetch(input, init) : refusal(errors);
      },
    });
    return { instance, sent };
  }

  /** The fields that the requests read, and whether each is in a record only or leads to one. */
  async function fieldsRead(): Promise<ReadonlyMap<string, "record" | "way">> {
    const schema = buildGraphqlSchema(sdl);
    const { instance, sent } = platformWith(schema);
    for (const request of requests) await run(instance, request);
    const all = new Map<string, "record" | "way">();
    for (const text of sent) {
      const info = new TypeInfo(schema);
      let part: "record" | "way" = "way";
      visit(
        parse(text),
        visitWithTypeInfo(info, {
          FragmentDefinition: {
            enter: () => {
              part = "record";
            },
          },
          Field: ({ name }) => {
            const path = `${info.getParentType()?.name}.${name.value}`;
            if (all.get(path) !== "way") all.set(path, part);
          },
        }),
      );
    }
    return all;
  }

  const count = Number(process.env["TENON_TEST_SEEDS"] ?? 0) || 30;

  it(`costs the values of the fields, and no action that can do without them, on ${count} schemas`, async () => {
    const removable = [...(await fieldsRead())].filter(([, part]) => part === "record").map(([path]) => path);
    expect(removable.length).toBeGreaterThan(30);
    let warned = 0;
    for (let number = 0; number < count; number++) {
      // One field each first, then several: all of them are lost somewhere.
      const several = 1 + Math.floor((number * 7) / removable.length);
      const lost = Array.from({ length: several }, (_, nth) => removable[(number * 7 + nth * 11) % removable.length] ?? "");
      const { instance } = platformWith(without(...lost));
      for (const request of requests) {
        const { data, meta } = await run(instance, request).catch((thrown: unknown) => {
          throw new Error(`${lost.join()}: ${request.entity}.${request.action}`, { cause: thrown });
        });
        expect(data).toBeTruthy();
        const warnings = (meta["warnings"] ?? []) as Warning[];
        expect(warnings.every(isHarmless)).toBe(true);
        warned += warnings.filter(({ code }) => code === "field_removed").length;
      }
    }
    expect(warned).toBeGreaterThanOrEqual(count);
  });

  it("is called once with the whole document, then with what it still has", async () => {
    const { instance, sent } = platformWith(without("Issue.branchName", "Issue.assignee", "LabelReference.color"));
    const request = { entity: "issues", action: "get", params: { id: "ENG-1", fields: ["title", "branchName", "assigneeName"] } };
    const first = await run(instance, request);
    expect(first.data).toEqual({ title: expect.any(String), branchName: null, assigneeName: null });
    const message = "Linear no longer has what is read for assigneeName, branchName: the value is null, or an empty list.";
    expect(first.meta).toMatchObject({ warnings: [{ path: "data", code: "field_removed", message }] });
    expect(sent).toHaveLength(2);
    expect(await run(instance, request)).toMatchObject({ data: first.data, meta: { warnings: [{ code: "field_removed" }] } });
    expect(sent).toHaveLength(3);
  });

  it("causes a warning in the response to a write, too", async () => {
    const { instance } = platformWith(without("Issue.branchName"));
    const params = { id: "ENG-1", title: "Another title", fields: ["title", "branchName"] };
    const { data, meta } = await run(instance, { entity: "issues", action: "update", params });
    expect(data).toEqual({ title: "Another title", branchName: null });
    expect(meta.warnings).toMatchObject([{ path: "data", code: "field_removed" }]);
  });

  it("is synced without them", async () => {
    const schema = without("Issue.branchName", "IssueLabel.color", "Comment.editedAt");
    const refused: string[] = [];
    const synced = await simulated(linear, (_method, _path, body) => {
      const { query } = JSON.parse(body);
      const errors = validate(schema, parse(query));
      if (errors.length > 0) refused.push(query);
      return errors.length === 0 ? undefined : refusal(errors);
    });
    try {
      expect((await synced.syncExamples()).outcome).toBe("complete");
      expect(refused.length).toBeGreaterThan(0);
      const filter = { eq: { identifier: "ENG-1" } };
      const found = await synced.run({
        entity: "issues",
        action: "context_store_search",
        params: { query: { filter }, limit: 1 },
      });
      expect(found.data).toEqual([expect.objectContaining({ identifier: "ENG-1", title: expect.any(String) })]);
    } finally {
      await synced.close();
    }
  });

  it("fails where the way to the record is gone", async () => {
    const { instance, sent } = platformWith(without("Query.issue"));
    await expect(run(instance, { entity: "issues", action: "get", params: { id: "ENG-1" } })).rejects.toMatchObject({
      message: expect.stringContaining('Cannot query field "issue"'),
    });
    expect(sent).toHaveLength(1);
  });
});

describe("errors of GitHub's server", () => {
  const error = (column: number, code: string, path?: string[]) => ({
    message: "Field 'stateReason' doesn't accept argument 'enableDuplicate'",
    locations: [{ line: 1, column }],
    extensions: { code },
    ...(path === undefined ? {} : { path }),
  });
  const request = {
    entity: "issues",
    action: "get",
    params: { owner: "o", repo: "r", number: 1, fields: ["title", "stateReason"] },
  };

  it("have a code for each kind", async () => {
    const { instance, seen } = fakeInstance(({ body }) => {
      const { query } = body as { query: string };
      const at = query.indexOf("enableDuplicate");
      return at < 0 ? { data: { repository: { issue: { title: "A" } } } } : { errors: [error(at + 1, "argumentNotAccepted")] };
    });
    expect(await run(instance, request)).toMatchObject({
      data: { title: "A", stateReason: null },
      meta: { warnings: [{ code: "field_removed" }] },
    });
    expect(seen).toHaveLength(2);
  });

  it("of a value are no sign that its field is gone", async () => {
    const { instance, seen } = fakeInstance(({ body }) => {
      const at = (body as { query: string }).query.indexOf("stateReason");
      const failed = { ...error(at + 1, "SOMETHING", ["repository", "issue", "stateReason"]), message: "It failed." };
      return { data: null, errors: [failed] };
    });
    await expect(run(instance, request)).rejects.toMatchObject({ code: "platform_failed" });
    expect(seen).toHaveLength(1);
  });
});

describe("what is left out of a document", () => {
  const names = Array.from({ length: 120 }, (_, at) => `f${at}`);
  const whole = `{way{...record}} fragment record on T{${names.join(" ")} last}`;
  const fault = (document: string, name: string) => ({
    type: undefined,
    message: `Cannot query field "${name}" on type "T".`,
    path: [],
    extensions: {},
    locations: [{ line: 1, column: document.search(new RegExp(`\\b${name}\\b`)) + 1 }],
  });

  it("are a hundred fields at most, one try each", async () => {
    const removed = new RemovedFields();
    let tries = 0;
    for (const name of names) if (await removed.learn(whole, [fault(removed.of(whole).document, name)])) tries++;
    expect([tries, removed.of(whole).removed.length]).toEqual([100, 100]);
  });

  it("is sent again after an hour", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const removed = new RemovedFields();
      expect(await removed.learn(whole, [fault(whole, "f1")])).toBe(true);
      vi.advanceTimersByTime(3_599_999);
      expect(removed.of(whole).removed).toEqual(["f1"]);
      vi.advanceTimersByTime(1);
      expect(removed.of(whole)).toEqual({ document: whole, removed: [] });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a document without some of its fields", () => {
  const left = (text: string, mark: string, more = 0) =>
    withoutFields(text, [{ line: 1, column: text.indexOf(mark) + 1 + more }])
      ?.document.replace(/\s+/g, " ")
      .trim();

  it("loses what holds nothing else, and the variables that nothing uses", () => {
    const text = "query Q($a:Int $b:Int){way(b:$b){...record}} fragment record on T{x y:z(a:$a){gone}}";
    expect(left(text, "gone")).toBe("query Q($b: Int) { way(b: $b) { ...record } } fragment record on T { x }");
    expect(left("{way{...record}} fragment record on T{gone}", "gone")).toBe(
      "{ way { ...record } } fragment record on T { __typename }",
    );
    expect(left("{way{...record}} fragment record on T{x ... on Gone{y}}", "Gone")).toBe(
      "{ way { ...record } } fragment record on T { x }",
    );
  });

  it("loses the field at a position in any line, and nothing at a position behind its end", () => {
    const text = "{\n  way { ...record }\n}\nfragment record on T {\n  x\n  gone\n}";
    expect(withoutFields(text, [{ line: 6, column: 3 }])?.removed).toEqual(["gone"]);
    expect(withoutFields(text, [{ line: 5, column: 3 }])?.removed).toEqual(["x"]);
    expect(withoutFields(text, [{ line: 8, column: 1 }])).toBeUndefined();
  });

  it("loses them also where the rest of a list is read, without the fragment of a record", () => {
    const text = "query Q($id:ID!){p0:issue(id:$id){labels(first:9){nodes{id gone}pageInfo{hasNextPage endCursor}}}}";
    expect(left(text, "gone")).toContain("nodes { id } pageInfo { hasNextPage endCursor }");
    expect(left(text, "hasNextPage")).toBeUndefined();
  });

  it("keeps what leads to the records, their pages, and what a write says of itself", () => {
    const list = "{list{nodes{...record}pageInfo{hasNextPage endCursor}totalCount}} fragment record on T{x}";
    for (const mark of ["list", "nodes", "...record", "pageInfo", "endCursor", "T{"]) expect(left(list, mark)).toBeUndefined();
    expect(left(list, "totalCount")).toContain("pageInfo");
    expect(left("mutation{write{success issue{...record}}} fragment record on T{x}", "success")).toBeUndefined();
  });
});
