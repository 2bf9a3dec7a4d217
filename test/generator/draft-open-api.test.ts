import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { exampleOf } from "../../generator/init/draft.ts";
import { draftOpenApi } from "../../generator/init/open-api-draft.ts";
import { OpenApiTypes } from "../../generator/init/open-api-types.ts";
import { repaired } from "../../generator/init/repair.ts";
import { OpenApi } from "../../generator/model/open-api.ts";
import { describePlatform } from "../../generator/model/platform-description.ts";
import { drafted, spelled } from "../support/drafted.ts";

const described = (name: string) => readFileSync(join(import.meta.dirname, "drafts", `${name}.yaml`), "utf8");
const [talk, shop, desk, yard, mill] = [
  described("talk"),
  described("shop"),
  described("desk"),
  described("yard"),
  described("mill"),
];

describe("a draft of a platform whose calls are methods", () => {
  const only = ["rooms=/rooms.list", "posts=GET /rooms.history", "replies=/rooms.replies"];
  const { connector, entities, left } = drafted(talk, only);
  const fields = (entity: string) => spelled(entities[entity]?.["fields"], connector["fields"]);

  it("has the calls of each entity, by what they return and by their common prefix", () => {
    expect(entities["rooms"]?.["actions"]).toMatchObject({
      list: { rest: "GET /rooms.list", page: { by: "cursor", param: "cursor", next: "next_cursor" } },
      get: { rest: "GET /rooms.info", answer: "room" },
    });
    expect(entities["posts"]?.["actions"]).toMatchObject({
      create: { rest: "POST /chat.send", answer: "post" },
      delete: { rest: "POST /chat.delete", effect: "idempotent" },
    });
    expect(Object.keys(entities["replies"]?.["actions"] ?? {})).toEqual(["list"]);
    expect(left).toEqual([]);
  });

  it("takes the platform's own codes for what their words say, and leaves out those that say nothing", () => {
    expect(connector["errors"]).toMatchObject({ when: { ok: false }, places: { code: "error" } });
    const { rest } = connector["errors"] as { rest: Record<string, { code: string }> };
    expect(Object.entries(rest).map(([code, entry]) => [code, entry.code])).toEqual([
      ["room_not_found", "not_found"],
      ["invalid_auth", "platform_unauthorized"],
      ["not_in_room", "platform_forbidden"],
    ]);
  });

  it("calls fields as the finished specs do, and reads texts, times and short objects", () => {
    expect(fields("rooms")).toMatchObject({
      private: { type: "boolean", from: "is_private" },
      members: { type: "integer?", from: "member_count" },
      topic: { type: "string?", from: "topic.value" },
    });
    expect(fields("posts")).toMatchObject({
      user: { type: "string?", from: "user.login" },
      userId: { type: "id?", from: "user.id" },
      sent: { type: "timestamp?", as: "seconds" },
      blocks: { type: "string?", as: "text", search: "text", semantic: { window: 2048 } },
    });
  });

  it("takes from the request what the records of a list do not say, as a part of their key", () => {
    expect(fields("posts")).toMatchObject({ room: { type: "id", param: "room" } });
    expect(fields("replies")).toMatchObject({ parent: { type: "id", param: "ts" } });
    expect(entities["replies"]?.["key"]).toEqual(["room", "parent", "ts"]);
    expect(entities["posts"]?.["sync"]).toEqual([{ scope: "account", each: { entity: "rooms", params: { room: "id" } } }]);
  });
});

describe("a draft of a platform whose calls have paths", () => {
  const { connector, entities, left } = drafted(shop);
  const params = (action: string) => {
    const own = entities["orders"]?.["actions"]?.[action] as { params: object } | undefined;
    return spelled(own?.params, connector["params"]);
  };

  it("begins pages after the last record, and finds a search and what is done with one record", () => {
    expect(entities["orders"]?.["actions"]).toMatchObject({
      list: { page: { by: "cursor", param: "starting_after", next: "data[-1].id", more: "has_more" } },
      api_search: { rest: "GET /orders/search", page: { by: "cursor", param: "page", next: "next_page", more: "has_more" } },
      cancel: { rest: "POST /orders/{order_id}/cancel" },
      archive: { rest: "POST /orders/{order_id}/archive" },
      create: { fixed: { kind: "order" } },
    });
  });

  it("keeps parameters with brackets and objects with members, and says which parameter it leaves out", () => {
    expect(params("list")).toMatchObject({
      states: { type: "[string]", name: "states[]" },
      created: { type: "object", members: { gte: { type: "integer" } } },
    });
    expect(params("create")).toMatchObject({ buyer: { type: "string", name: "buyer.id" } });
    expect(left).toEqual(['orders.yaml: parameter "odd": the description allows several types or none, or lists of lists']);
  });

  it("says where refusals have their code, message and parameter", () => {
    expect(connector["errors"]).toEqual({
      places: { message: "error.message", code: "error.code", field: "error.param" },
      rest: { "402": { code: "platform_rejected", doc: "Not paid." } },
    });
  });

  it("names places by what they are, and reads a list below a record for each of these", () => {
    expect(entities["notes"]?.["actions"]).toMatchObject({ list: { rest: "GET /orders/{order_id}/notes" } });
    expect(entities["notes"]?.["sync"]).toEqual([{ scope: "account", each: { entity: "orders", params: { order: "id" } } }]);
    expect(spelled(entities["orders"]?.["fields"], connector["fields"])).toMatchObject({
      owner: { type: "id", as: "id" },
      createdAt: { type: "timestamp", from: "created_time" },
      shop: { type: "id", from: "shop_id" },
      madeBy: { type: "id", from: "made_by.id" },
    });
    expect(Object.keys(entities["orders"]?.["enums"] ?? {})).toEqual(["OrderState"]);
  });

  it("takes the kind of records that has the name of the entity, of a list that is read by POST", () => {
    const { entities: own } = drafted(shop, ["gifts=POST /find"]);
    expect(own["gifts"]).toMatchObject({
      record: "Gift",
      actions: {
        list: { rest: "POST /find", effect: "none", page: { by: "cursor", param: "start_cursor", next: "next_cursor" } },
      },
    });
  });
});

describe("a draft of a platform that is searched by POST", () => {
  const { entities, left, connector } = drafted(yard, ["parts=POST /find", "sheds"]);
  const actions = (entities["parts"]?.["actions"] ?? {}) as Record<string, { params: object }>;

  it("has a search beside the list of the same call, and lists of the same records below others", () => {
    expect(Object.keys(actions)).toEqual(["list", "get", "api_search", "query", "create"]);
    expect(actions["list"]).toMatchObject({ rest: "POST /find" });
    expect(actions["api_search"]).toMatchObject({ rest: "POST /find", effect: "none", answer: "results" });
    expect(spelled(actions["api_search"]?.params, connector["params"])).toMatchObject({ query: { required: true } });
    expect(spelled(actions["list"]?.params, connector["params"])).not.toMatchObject({ query: { required: true } });
    expect(actions["query"]).toMatchObject({ rest: "POST /sheds/{shed_id}/query", list: true });
    expect(Object.keys(entities["sheds"]?.["actions"] ?? {})).toEqual(["list", "get"]);
  });

  it("writes the first of a list, and a text as a document", () => {
    expect(actions["create"]).toMatchObject({ rest: "POST /bulk/find", body: "parts[0]", answer: "made[0]" });
    expect(actions["create"]?.params).toMatchObject({
      shed: { type: "string", name: "shed_id", required: true },
      text: { type: "string", as: { type: "doc", version: 1 } },
    });
  });

  it("leaves out an action that cannot be drafted, and nothing beside it", () => {
    expect(left).toEqual([
      'parts.yaml: parameter "grid": the description allows several types or none, or lists of lists',
      expect.stringMatching(/^parts.yaml actions.update: the call's body requires "grid"/),
    ]);
  });

  it("calls an enumeration as the description does, without the version of a call", () => {
    expect(Object.keys(entities["parts"]?.["enums"] ?? {})).toEqual(["PartState"]);
  });
});

describe("a draft whose example calls an action that does not exist", () => {
  it("has the first call of its first entity as its example, and says why", () => {
    const draft = draftOpenApi("draft", new OpenApi(parse(talk) as never), ["rooms=/rooms.list"]);
    Object.assign(draft.connector, { example: { entity: "rooms", action: "burn", params: {} } });
    const { files, left, diagnostics } = repaired("draft", draft, () => talk);
    const { example } = parse(files.get("connector.yaml") ?? "") as Record<string, unknown>;
    expect([example, left, diagnostics]).toEqual([
      { entity: "rooms", action: "list", params: {} },
      [expect.stringMatching(/^connector.yaml example: the example calls rooms.burn, which does not exist/)],
      [],
    ]);
  });
});

describe("a draft with records that are read elsewhere than below their list", () => {
  it("has the call that returns one of them", () => {
    const one = '"200": { content: { application/json: { schema: { $ref: "#/components/schemas/gone" } } } }';
    const all = one.replace(/\{ \$ref: [^}]*\}/, "{ type: array, items: $& }");
    const code = "{ name: code, in: path, required: true, schema: { type: string } }";
    const paths = `  /crates: { get: { responses: { ${all} } } }\n  /lookup/{code}: { get: { parameters: [${code}], responses: { ${one} } } }\n`;
    const { entities } = drafted(yard.replace("\npaths:\n", `\npaths:\n${paths}`), ["crates"]);
    expect(entities["crates"]?.["actions"]?.["get"]).toMatchObject({ rest: "GET /lookup/{code}" });
  });
});

describe("a draft of a write that takes a text to search for", () => {
  it("has no search: the write lists nothing", () => {
    const job =
      '  /jobs: { post: { requestBody: { content: { application/json: { schema: { type: object, properties: { query: { type: string } } } } } }, responses: { "201": { content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } } } }\n';
    const { entities } = drafted(yard.replace("\npaths:\n", `\npaths:\n${job}`), ["sheds", "jobs=POST /jobs"]);
    expect(Object.keys(entities["jobs"]?.["actions"] ?? {})).toEqual(["create"]);
  });
});

describe("a draft with a list that needs what no param can be", () => {
  it("leaves out its entity, with the reason", () => {
    const odd =
      '  /rows: { get: { parameters: [{ name: odd, in: query, required: true, schema: { type: [string, integer] } }], responses: { "200": { content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/gone" } } } } } } } }\n';
    const { left } = drafted(yard.replace("\npaths:\n", `\npaths:\n${odd}`), ["sheds", "rows"]);
    expect(left).toContainEqual(expect.stringMatching(/^rows.yaml: the call requires the query parameter "odd"/));
  });
});

describe("a draft of a platform whose params have brackets", () => {
  const { connector, entities, left } = drafted(desk);
  const list = (name: string) => (entities[name]?.["actions"]?.["list"] ?? {}) as { page?: object; params?: object };

  it("pages by them, also where the description has them as members of an object", () => {
    const page = { by: "cursor", param: "page[after]", next: "meta.after_cursor", more: "meta.has_more" };
    for (const name of ["tickets", "users"]) {
      expect(list(name).page).toEqual(page);
      expect(spelled(list(name).params, connector["params"])).toMatchObject({ per_page: { name: "page[size]", range: [1, 50] } });
    }
    expect(Object.keys(list("tickets").params ?? {})).toEqual(["filterState", "per_page", "after"]);
  });

  it("finds the next cursor two objects below the answer, and gives pages a size where the default is none", () => {
    expect(list("queues").page).toEqual({ by: "cursor", param: "after", next: "paging.next.after" });
    expect(spelled(list("queues").params, connector["params"])).toMatchObject({ per_page: { name: "limit", default: 30 } });
  });

  it("loses only the param that no spec can have, with a line for each place", () => {
    expect(connector["platform"]).toMatchObject({ rest: { url: "https://desk.example" } });
    expect(left).toEqual([
      'connector.yaml params.odd: "odd." has an empty part',
      expect.stringMatching(/^tickets.yaml actions.list.params.odd: parameter "odd" has no `type`/),
      expect.stringMatching(/^users.yaml actions.list.params.odd: parameter "odd" has no `type`/),
    ]);
  });
});

describe("a draft of lists whose pages the description does not explain", () => {
  const draft = draftOpenApi("draft", new OpenApi(parse(mill) as never), ["grains", "sacks"]);
  const { files, diagnostics, left } = repaired("draft", draft, () => mill);
  const read = (file: string) => parse(files.get(file) ?? "") as Record<string, Record<string, Record<string, unknown>>>;
  const { actions = {} } = read("grains.yaml");
  const { example = {}, platform = {}, params = {} } = read("connector.yaml");

  it("leaves a TODO line for each of them, and nothing else to correct", () => {
    expect(diagnostics.map(({ file, message }) => `${file.split("/").at(-1)} ${message}`)).toEqual(
      ["list", "api_search"].map(() => 'grains.yaml "page" cannot be "TODO"'),
    );
    expect(Object.entries(actions).map(([name, { page }]) => [name, page])).toEqual([
      ["list", "TODO"],
      ["get", undefined],
      ["api_search", "TODO"],
    ]);
    expect(left).toContainEqual(expect.stringMatching(/^grains.yaml actions.api_search.page: "pages.next_cursor" is object/));
  });

  it("has an example with a value for each param that is required, as its type and format are", () => {
    expect(example).toEqual({ entity: "grains", action: "list", params: { kinds: ["rye"], since: "2026-01-01" } });
    expect(spelled(actions["get"]?.["params"] as object, params)).toMatchObject({
      grain: { example: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  it("keeps the name of the header with the credential", () => {
    expect(platform["auth"]).toMatchObject({ header: "mill_key" });
  });
});

it("a draft gives each type a name of its own, however it is written, and none that is too long", () => {
  const rest = new OpenApi({});
  const types = new OpenApiTypes(rest, describePlatform({ key: "", graphql: undefined, scalars: {}, rest }));
  const [room, other] = [{}, {}];
  expect([types.name("Room", room), types.name("room", other), types.name("Room", room)]).toEqual(["Room", "room2", "Room"]);
  expect(types.name("A".repeat(80), {})).toHaveLength(60);
});

it("an example of a text is what the format of its param says, and as long as the param allows", () => {
  const ajv = new Ajv();
  formats.default(ajv);
  for (const format of ["uuid", "email", "uri", "url", "hostname", "ipv4", "ipv6", "date", "date-time", "time"]) {
    const example = exampleOf({ type: "string", length: [1, 255] }, {}, format);
    expect(example, format).not.toBe("example");
    expect(ajv.validate({ type: "string", format }, example), `${format} ${example}`).toBe(true);
  }
  expect(exampleOf({ type: "string", length: [1, 9] }, {}, "constructor")).toBe("example");
  expect(exampleOf({ type: "string", length: [9, 12] }, {}, "ipv4")).toBe("192.0.2.1");
  expect(exampleOf({ type: "string", length: [10, 12] }, {}, "ipv4")).toBe("example---");
  expect(exampleOf({ type: "string", length: [1, 4] }, {}, "ipv4")).toBe("exam");
});
