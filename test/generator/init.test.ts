import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Generator } from "../../generator/generate.ts";
import { initSpec } from "../../generator/init/init.ts";
import { specFolders } from "../../generator/spec-folders.ts";

const root = join(import.meta.dirname, "../..");
const spec = mkdtempSync(join(tmpdir(), "tenon-init-"));
afterAll(() => rmSync(spec, { recursive: true, force: true }));

const yaml = (name: string, file: string) =>
  parse(readFileSync(join(spec, name, `${file}.yaml`), "utf8")) as Record<string, Record<string, unknown>>;
const diagnosticsOf = async (name: string) => (await new Generator().generate(specFolders(spec, "generated", name))).diagnostics;

/** A description of a shop in YAML, with an envelope, offsets, a path-level parameter, an enumeration and a required header. */
const shop = `
openapi: 3.1.0
info: { title: Shop, version: "1", description: What is sold. And more. }
servers: [{ url: "https://{store}.shop.example/v1/", variables: { store: { default: acme, description: The store. } } }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Order:
      type: object
      description: What a customer wants. More text that nobody needs.
      required: [id, state, created_at]
      properties:
        id: { type: integer }
        state: { type: string, enum: [open, shipped] }
        created_at: { type: string, format: date-time }
        note: { type: [string, "null"] }
        customer: { type: object, properties: { email: { type: string } } }
        old: { type: string, deprecated: true }
paths:
  /orders:
    get:
      summary: Lists orders.
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 50, default: 20 } }
        - { name: offset, in: query, schema: { type: integer } }
      responses: { "200": { content: { application/json: { schema: { type: object, properties: { more: { type: boolean }, orders: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } } } }
    post:
      summary: Makes an order.
      requestBody: { content: { application/json: { schema: { type: object, required: [order], properties: { order: { type: object, required: [state], properties: { state: { type: string, enum: [open, shipped] }, note: { type: string, maxLength: 99 } } } } } } } }
      responses: { "201": { content: { application/json: { schema: { type: object, properties: { order: { $ref: "#/components/schemas/Order" } } } } } } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { content: { application/json: { schema: { type: object, properties: { order: { $ref: "#/components/schemas/Order" } } } } } }, "404": { description: There is no such order. }, "500": {} } }
    delete: { responses: { "204": {} } }
`;

describe("a draft of an OpenAPI description", () => {
  it("generates without a diagnostic, and has what the description says", async () => {
    const file = join(spec, "shop.yaml");
    writeFileSync(file, shop);
    const made = await initSpec({ name: "shop", openApi: file, only: [], spec });
    expect(made).toMatchObject({ entities: 1, left: [], diagnostics: [] });
    expect(await diagnosticsOf("shop")).toEqual([]);
    expect(yaml("shop", "connector")).toMatchObject({ doc: "What is sold." });
    expect(yaml("shop", "orders")["actions"]).toMatchObject({ list: { params: { per_page: { default: 20 } } } });
    const { platform, errors } = yaml("shop", "connector") as { platform: Record<string, unknown>; errors: unknown };
    expect(errors).toEqual({ rest: { "404": { code: "not_found", doc: "There is no such order." } } });
    expect(platform).toMatchObject({
      auth: { header: "X-Key" },
      variables: { store: { default: "acme" } },
      rest: { url: "https://{store}.shop.example/v1" },
    });
    const { actions, fields } = yaml("shop", "orders");
    expect(actions?.["list"]).toMatchObject({
      rest: "GET /orders",
      answer: "orders",
      page: { by: "offset", param: "offset", more: "more" },
    });
    expect(actions?.["create"]).toMatchObject({ rest: "POST /orders", body: "order", answer: "order" });
    expect(actions?.["get"]).toMatchObject({ rest: "GET /orders/{id}", answer: "order" });
    expect(actions?.["delete"]).toMatchObject({ effect: "idempotent" });
    expect(fields).toMatchObject({
      id: { type: "integer", search: "exact" },
      createdAt: { type: "timestamp", from: "created_at" },
      note: { type: "string?" },
    });
    expect(fields).not.toHaveProperty("old");
    const extract = JSON.parse(readFileSync(join(spec, "shop", "description.json"), "utf8")) as object;
    expect(extract).toMatchObject({ info: { "x-extracted-from": "shop.yaml" } });
    expect(JSON.stringify(extract)).not.toContain("nobody needs");
  });

  it("names an action that it leaves out, and why", async () => {
    const file = join(spec, "untyped.yaml");
    writeFileSync(file, shop.replace("name: id, in: path, required: true, schema: { type: integer }", "name: id, in: path"));
    const { left } = await initSpec({ name: "untyped", openApi: file, only: [], spec });
    expect(left.toSorted()).toEqual([
      'orders.yaml actions.delete: the path names "{id}", but the action has no such parameter',
      'orders.yaml actions.get: the path names "{id}", but the action has no such parameter',
      'orders.yaml: parameter "id": the description allows several types or none, or lists of lists',
    ]);
  });

  it("does not overwrite a spec, and names what the description does not have", async () => {
    const file = join(spec, "shop.yaml");
    await expect(initSpec({ name: "shop", openApi: file, only: [], spec })).rejects.toThrow("has files already");
    await expect(initSpec({ name: "other", openApi: file, only: ["customers"], spec })).rejects.toThrow("no list for customers");
    await expect(initSpec({ name: "other", openApi: "/none", only: [], spec })).rejects.toThrow("cannot read");
    await expect(initSpec({ name: "other", openApi: file, only: ["order"], spec })).rejects.toThrow(
      'no list for order; did you mean "orders"?',
    );
  });

  it.each([
    [
      "#/components/schemas/Order",
      "#/components/schemas/Ordr",
      'the reference "#/components/schemas/Ordr" at #/paths/~1orders/get/',
    ],
    ["#/components/schemas/Order", "#/components/schemas/Ordr", 'is to nothing; did you mean "Order"?'],
    ["#/components/schemas/Order", "order.yaml#/Order", '"order.yaml#/Order" at #/paths'],
    ["responses:", "respones:", 'GET /orders has no key `responses`; did you mean the key "respones"?'],
    ["\npaths:", "\npath:", 'it has no key `paths`; did you mean the key "path"?'],
    [/\npaths:[\s\S]*/g, "\npaths: [a, b]", "`paths` must be a mapping from paths to their calls"],
    [/\npaths:[\s\S]*/g, "\npaths: {}", "a list is a GET whose response of JSON is an array of objects"],
  ])("says why %s written as %s leaves no list", async (text, wrong, message) => {
    const file = join(spec, "broken.yaml");
    writeFileSync(file, shop.replaceAll(text, wrong));
    await expect(initSpec({ name: "broken", openApi: file, only: [], spec })).rejects.toThrow(message);
  });

  it("names a reference to nothing also where there are other lists", async () => {
    const file = join(spec, "referring.yaml");
    const more = '\n  /notes:\n    get: { responses: { "200": { $ref: "#/components/responses/Notes" } } }';
    writeFileSync(file, shop.replace(/(\npaths:)/, `$1${more}`));
    const { left } = await initSpec({ name: "referring", openApi: file, only: [], spec });
    expect(left).toContain('the reference "#/components/responses/Notes" at #/paths/~1notes/get/responses/200 is to nothing');
  });
});

describe("a draft of a GraphQL schema", () => {
  it("of Linear generates without a diagnostic, with mutations, a cursor and the platform's own scalars", async () => {
    const made = await initSpec({
      name: "tracker",
      graphql: join(root, "spec/linear/schema.graphql"),
      only: ["issues", "teams"],
      spec,
    });
    expect(made).toMatchObject({ entities: 2, diagnostics: [] });
    expect(await diagnosticsOf("tracker")).toEqual([]);
    const { actions, fields, sync } = yaml("tracker", "issues");
    expect(Object.keys(actions ?? {})).toEqual(["list", "get", "archive", "create", "update"]);
    expect(actions?.["list"]).toMatchObject({ graphql: "issues(orderBy: updatedAt) { nodes { ...record } }" });
    expect(fields).toMatchObject({ dueDate: { type: "date?" } });
    expect(sync).toMatchObject([{ cursor: { field: "updatedAt" } }]);
  });

  it("of GitHub's public schema finds lists inside of repositories", async () => {
    const schema = join(root, "node_modules/@octokit/graphql-schema/schema.graphql");
    const made = await initSpec({ name: "hub", graphql: schema, only: ["issues", "labels"], spec });
    expect(made).toMatchObject({ entities: 2, diagnostics: [] });
    expect(yaml("hub", "issues")["actions"]).toMatchObject({
      get: { graphql: "repository(name: $name, owner: $owner) { issue(number: $number) { ...record } }" },
    });
  });

  it("finds lists below records, one record of the root, names of types, and places that are given", async () => {
    const schema = join(root, "node_modules/@octokit/graphql-schema/schema.graphql");
    const items = "project_items=organization.projectV2.items";
    const only = ["issues", "comments", "users", "viewer", "projects", items, "tags=repository.refs"];
    const made = await initSpec({ name: "deep", graphql: schema, only, spec });
    expect(made).toMatchObject({ entities: 7, diagnostics: [] });
    expect(await diagnosticsOf("deep")).toEqual([]);
    const listed = (entity: string) => (yaml("deep", entity) as Partial<Entity>).actions?.["list"]?.graphql;
    expect(listed("comments")).toBe(
      "repository(name: $name, owner: $owner) { issue(number: $number) { comments(orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { ...record } } } }",
    );
    expect(yaml("deep", "comments")).toMatchObject({
      actions: { get: { graphql: "node(id: $id) { ...record }" } },
      sync: [{ scope: "repository", each: { entity: "issues", params: { number: "number" } } }],
    });
    expect(yaml("deep", "viewer")).toMatchObject({ like: "users", sync: [{ scope: "account", action: "get" }] });
    expect(listed("project_items")).toContain("projectV2(number: $number) { items");
    expect(listed("tags")).toContain("refs(refPrefix: $refPrefix");
    expect(yaml("deep", "connector")["fields"]).toMatchObject({ authorLogin: { from: "author.login", search: "name" } });
    expect(yaml("deep", "issues")["fields"]).toMatchObject({
      commentCount: { type: "integer", from: "comments.totalCount" },
      labels: { type: "[LabelReference]?", from: "labels.nodes" },
    });
  });
});

describe("a draft beside the final spec of the same platform", () => {
  const only = {
    github: [
      ...["repositories", "comments", "discussions", "issues", "labels", "milestones", "organizations"],
      "project_items=organization.projectV2.items",
      ...["projects", "pull_requests", "releases", "reviews", "stargazers", "teams", "users", "viewer", "viewer_repositories"],
      ...["org_repositories=organization.repositories", "branches=repository.refs", "tags=repository.refs"],
    ],
    linear: ["comments", "cycles", "issues", "labels=issueLabels", "projects", "teams", "users", "workflow_states"],
    figma: [],
  };
  const schema = join(root, "node_modules/@octokit/graphql-schema/schema.graphql");
  const from = {
    github: { graphql: schema },
    linear: { graphql: join(root, "spec/linear/schema.graphql") },
    figma: { openApi: join(root, "spec/figma/description.json") },
  };

  // The least shares of entities, fields and actions, in percent: those that were measured when the test was written.
  it.each([
    ["github", [83, 71, 73]],
    ["linear", [100, 98, 83]],
    ["figma", [100, 65, 78]],
  ] as const)("of %s has most of its entities, fields and actions", async (name, least) => {
    const drafts = join(spec, "beside");
    await initSpec({ name, ...from[name], only: only[name], spec: drafts });
    const final = entitiesOf(join(root, "spec", name));
    const draft = entitiesOf(join(drafts, name));
    // What a draft is made of is all of GraphQL or all of REST: the schema of GitHub's GraphQL API has no webhooks.
    // Nor does it write files or publish releases.
    const rest =
      name === "github"
        ? ["code", "gists", "notifications", "webhook_deliveries", "webhooks", "workflow_jobs", "workflow_runs"]
        : [];
    const restOnly = name === "github" ? ["put", "POST /repos/{owner}/{repo}/releases"] : [];
    const pairs = [...final]
      .filter(([entity]) => !rest.includes(entity))
      .map(([entity, one]) => [one, draft.get(entity)] as const);
    const names = (whole: Entity | undefined, part: "fields" | "actions") =>
      Object.entries(whole?.[part] ?? {}).flatMap(([key, one]: [string, { readonly rest?: string } | null]) =>
        restOnly.includes(key) || restOnly.includes(one?.rest ?? "") ? [] : [key],
      );
    const share = (part: "fields" | "actions") => {
      const wanted = pairs.reduce((sum, [one]) => sum + names(one, part).length, 0);
      const right = pairs.reduce((sum, [one, other]) => {
        const known = new Set(names(other, part));
        return sum + names(one, part).filter((each) => known.has(each)).length;
      }, 0);
      return (100 * right) / wanted;
    };
    const shares = [
      (100 * pairs.filter(([, other]) => other !== undefined).length) / pairs.length,
      share("fields"),
      share("actions"),
    ];
    for (const [place, value] of shares.entries()) expect(value, shares.join()).toBeGreaterThanOrEqual(least[place] ?? 100);
  });
});

interface Entity {
  readonly entity: string;
  readonly like?: string;
  readonly fields?: object;
  readonly actions?: Readonly<Record<string, { readonly graphql?: string; readonly rest?: string }>>;
}

/** The entities of a spec. One that is like another has the fields of that one. */
function entitiesOf(folder: string): Map<string, Entity> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml") && file !== "connector.yaml");
  const all = new Map(
    files.map((file): [string, Entity] => {
      const entity = parse(readFileSync(join(folder, file), "utf8")) as Entity;
      return [entity.entity, entity];
    }),
  );
  return new Map([...all].map(([name, one]) => [name, { ...all.get(one.like ?? name), ...one }]));
}

describe("the questions of a draft", () => {
  it("are asked only where the description cannot tell, again after a wrong answer, and have usual answers", async () => {
    const questions: string[] = [];
    const answers = ["nowhere", "https://graph.example.org/v2", "X-Key", ""];
    const ask = (question: string, fallback: string) => {
      questions.push(`${question} [${fallback}]`);
      return Promise.resolve(answers.shift() ?? "");
    };
    await initSpec({ name: "asked", graphql: join(root, "spec/linear/schema.graphql"), only: ["teams"], spec, ask });
    expect(questions).toEqual([
      "Address of the platform's GraphQL API [https://api.example.com/graphql]",
      "Address of the platform's GraphQL API [https://api.example.com/graphql]",
      "Header with the credential [Authorization]",
      "Value of this header [{token}]",
    ]);
    expect(yaml("asked", "connector")["platform"]).toMatchObject({
      auth: { header: "X-Key", value: "{token}" },
      graphql: { url: "https://graph.example.org/v2" },
    });
    questions.length = 0;
    await initSpec({ name: "told", openApi: join(spec, "shop.yaml"), only: [], spec, ask });
    expect(questions).toEqual([]);
  });
});

describe("what a draft does with difficult descriptions", () => {
  const long = "a_property_whose_name_goes_on_and_on_until_it_has_more_than_the_sixty_four_characters";
  const list = (schema: object, more: object = {}) => ({
    parameters: [],
    responses: { 200: { content: { "application/json": { schema } } } },
    ...more,
  });
  const arrayOf = (name: string) => ({ type: "array", items: { $ref: `#/components/schemas/${name}` } });
  const query = (...names: string[]) => names.map((name) => ({ name, in: "query", schema: { type: "integer" } }));
  const description = {
    openapi: "3.0.3",
    info: { title: "Odd", version: "1" },
    servers: [{ url: "https://api.odd.example" }],
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
      schemas: {
        Customer: { type: "object", required: ["id"], properties: { id: { type: "string" }, [long]: { type: "string" } } },
        Customer_: { type: "object", properties: { nick: { type: "string" } } },
        Order: {
          type: "object",
          required: ["id"],
          properties: {
            id: { type: "string" },
            created_at: { type: "string" },
            createdAt: { type: "string" },
            by: { $ref: "#/components/schemas/Customer" },
            other: { $ref: "#/components/schemas/Customer_" },
            [`${long}_object`]: { type: "object", properties: { x: { type: "string" } } },
          },
        },
      },
    },
    paths: {
      "/orders": {
        get: list(
          {
            type: "object",
            properties: { data: arrayOf("Order"), count: { type: "integer" }, total_count: { type: "integer" } },
          },
          { parameters: query("limit", "offset") },
        ),
      },
      "/orders/{id}": {
        parameters: [{ name: "id", in: "path", required: true, description: "Id of the order.", schema: { type: "string" } }],
        get: list({ $ref: "#/components/schemas/Order" }),
        post: list(
          { $ref: "#/components/schemas/Order" },
          {
            requestBody: {
              content: { "application/json": { schema: { type: "object", properties: { nick: { type: "string" } } } } },
            },
          },
        ),
      },
      "/customers": { get: list(arrayOf("Customer"), { parameters: query("page") }) },
      "/customer": { get: list(arrayOf("Customer")) },
      "/customers/search": { get: list(arrayOf("Customer"), { parameters: query("text") }) },
      "/both": { get: list({ type: "object", properties: { orders: arrayOf("Order"), customers: arrayOf("Customer") } }) },
      "/words": { get: list({ type: "array", items: { type: "string" } }) },
      "/former": { get: list(arrayOf("Order"), { deprecated: true }) },
    },
  };

  it("keeps names apart and short, and says why a list is missing", async () => {
    const file = join(spec, "odd.json");
    writeFileSync(file, JSON.stringify(description));
    const made = await initSpec({ name: "odd", openApi: file, only: [], spec });
    expect(made.left.filter((line) => line.startsWith("GET "))).toEqual([
      "GET /both: its answer has several lists: orders, customers; `answer` names one",
      "GET /words: the description does not say what the elements of its list have",
      "GET /former: it is deprecated",
      'GET /customers: the entity "customer" is GET /customer',
    ]);
    // Nothing else had to be taken out.
    expect(made.left).toHaveLength(5);
    expect(made.left).toContain('Order: "createdAt" would have the name of the field "createdAt"');
    const { types } = yaml("odd", "connector");
    for (const name of Object.keys(types ?? {})) expect(name.length).toBeLessThanOrEqual(64);
    const names = ["orders", "customer", "customers_search"].map((one) => String(yaml("odd", one)["record"]));
    expect(new Set([...names, ...Object.keys(types ?? {})].map((name) => name.toLowerCase())).size).toBe(
      names.length + Object.keys(types ?? {}).length,
    );
    const { actions } = yaml("odd", "orders");
    expect(actions?.["list"]).toMatchObject({ page: { by: "offset", param: "offset", total: "total_count" } });
    expect(actions?.["update"]).toMatchObject({ rest: "POST /orders/{id}" });
    expect(yaml("odd", "connector")["params"]).toMatchObject({ id: { doc: "Id of the order." } });
    expect(made.diagnostics).toEqual([]);
    expect(await diagnosticsOf("odd")).toEqual([]);
  });

  it("does not generate a list whose pages the description does not explain", async () => {
    const file = join(spec, "paged.json");
    const { "/customers": customers } = description.paths;
    writeFileSync(file, JSON.stringify({ ...description, paths: { "/customers": customers } }));
    const made = await initSpec({ name: "paged", openApi: file, only: [], spec });
    expect(yaml("paged", "customers")["actions"]).toMatchObject({ list: { page: "TODO" } });
    expect(made.diagnostics).toHaveLength(1);
    expect(made.diagnostics[0]?.message).toContain("TODO");
    expect(made.open).toEqual([
      "customers.yaml actions.list.page: the description does not explain the pages. Query params: page; next to the list: none",
    ]);
    const entity = join(spec, "paged", "customers.yaml");
    writeFileSync(entity, readFileSync(entity, "utf8").replace("page: TODO", "page: single"));
    expect(await diagnosticsOf("paged")).toEqual([]);
  });

  it("takes a member that every response has for the sign of a refusal, and says that it has to be checked", async () => {
    const file = join(spec, "envelope.json");
    const envelope = (more: object) =>
      list({ type: "object", properties: { ok: { type: "boolean" }, error: { type: "string" }, ...more } });
    const paths = {
      "/orders": { get: envelope({ orders: arrayOf("Order") }) },
      "/customers": { get: envelope({ customers: arrayOf("Customer") }) },
    };
    writeFileSync(file, JSON.stringify({ ...description, paths }));
    const made = await initSpec({ name: "envelope", openApi: file, only: [], spec });
    expect(yaml("envelope", "connector")["errors"]).toEqual({ when: { ok: false }, places: { code: "error", message: "error" } });
    expect(made.open).toEqual([expect.stringContaining('every response has "ok"')]);
    expect(await diagnosticsOf("envelope")).toEqual([]);
    // A member of one response alone says nothing of the platform.
    const { "/customers": customers } = description.paths;
    writeFileSync(
      file,
      JSON.stringify({ ...description, paths: { ...paths, "/customers": { get: { ...customers.get, parameters: [] } } } }),
    );
    const other = await initSpec({ name: "partly", openApi: file, only: [], spec });
    expect(yaml("partly", "connector")["errors"]).toBeUndefined();
    expect(other.open).toEqual([]);
  });
});
