import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stripe } from "../../generated/stripe/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST platform that pages by the id of the last record, takes forms, and does a write with a key once.

let platform: Simulated;
let lost = 0;
let calls: string[] = [];
beforeAll(async () => {
  platform = await simulated(stripe, (method, path) => {
    calls.push(`${method} ${path}`);
    return lost-- > 0 ? new Response(null, { status: 502 }) : undefined;
  });
});
afterAll(() => platform.close());

const ask = async (entity: string, action: string, params: object): Promise<{ data: unknown; meta: Record<string, unknown> }> => {
  calls = [];
  lost = Math.max(0, lost);
  return platform.run({ entity, action, params });
};

it("a customer of Stripe that was removed is not taken for one without a name", async () => {
  const removed = await simulated(stripe, (_method, path) =>
    path === "/v1/customers/cus_Ana" ? { id: "cus_Ana", object: "customer", deleted: true } : undefined,
  );
  const read = (id: string) =>
    removed.run({
      entity: "customers",
      action: "get",
      params: { id, fields: ["id", "deleted", "name", "created", "balance", "livemode"] },
    });
  try {
    const { data, meta } = await read("cus_Ana");
    expect(data).toEqual({ id: "cus_Ana", deleted: true, name: null, created: null, balance: null, livemode: null });
    expect(meta["warnings"]).toBeUndefined();
    expect((await read("cus_Ben")).data).toMatchObject({ id: "cus_Ben", deleted: null });
  } finally {
    await removed.close();
  }
});

describe("lists of Stripe", () => {
  it("are read to their end from the last record of each page, each record once", async () => {
    const ids: unknown[] = [];
    let after = "";
    let pages = 0;
    do {
      const { data, meta } = await ask("customers", "list", { per_page: 30, after, fields: ["id"] });
      ids.push(...(data as { id: string }[]).map(({ id }) => id));
      after = String(meta["end_cursor"] ?? "");
      pages++;
    } while (after !== "");
    expect([ids.length, new Set(ids).size, pages]).toEqual([66, 66, 3]);
  });

  it("are read in smaller pages where a response is too large, and go on after the last record", async () => {
    const sizes: number[] = [];
    const large = await simulated(stripe, (_method, _path, _body, query) => {
      const size = Number(new URLSearchParams(query).get("limit"));
      sizes.push(size);
      return size > 20
        ? new Response(new Uint8Array(17 * 2 ** 20), { headers: { "content-type": "application/json" } })
        : undefined;
    });
    try {
      const list = (after: unknown) =>
        large.run({ entity: "customers", action: "list", params: { per_page: 66, after, fields: ["id"] } });
      const first = await list("");
      expect([sizes, (first.data as unknown[]).length, first.meta["has_next_page"]]).toEqual([[66, 33, 17], 17, true]);
      const second = await list(first.meta["end_cursor"]);
      const ids = [first, second].flatMap(({ data }) => (data as { id: string }[]).map(({ id }) => id));
      expect([ids.length, new Set(ids).size]).toEqual([34, 34]);
    } finally {
      await large.close();
    }
  });

  it("filter by an object, which stands in the query in brackets", async () => {
    const params = { created: { gte: 1777800000, lt: 1777900000 }, fields: ["id"] };
    expect((await ask("customers", "list", params)).data).toEqual([{ id: "cus_Ben" }]);
    const { meta } = await ask("customers", "list", { ...params, dryRun: true });
    expect(decodeURIComponent(String(meta["document"]))).toContain("created[gte]=1777800000&created[lt]=1777900000");
    await expect(ask("customers", "list", { created: {} })).rejects.toMatchObject({ faults: [{ pointer: "/params/created" }] });
  });

  it("point to the parameter that the platform names", async () => {
    await expect(ask("customers", "update", { id: "cus_Ana", metadata: { a: "x".repeat(501) } })).rejects.toMatchObject({
      code: "platform_rejected",
      faults: [{ pointer: "/params/metadata" }],
    });
    await expect(ask("customers", "get", { id: "cus_None" })).rejects.toMatchObject({
      code: "not_found",
      faults: [{ pointer: "/params/id" }],
    });
  });

  it("are searched in the platform's own language, page by page", async () => {
    const { data, meta } = await ask("customers", "api_search", { query: "name:'Customer '", per_page: 50, fields: ["id"] });
    expect([(data as unknown[]).length, meta["has_next_page"]]).toEqual([50, true]);
    const rest = await ask("customers", "api_search", { query: "name:'Customer '", per_page: 50, after: meta["end_cursor"] });
    expect([(rest.data as unknown[]).length, rest.meta["has_next_page"]]).toEqual([14, false]);
  });
});

describe("an object with members", () => {
  it.each([
    [{ address: { town: "Porto" } }, "/params/address/town", "unknown_param", 'address has no member "town".'],
    [
      { address: { country: "PRT" } },
      "/params/address/country",
      "out_of_range",
      "address.country must have at most 2 characters.",
    ],
    [{ address: { city: 7 } }, "/params/address/city", "wrong_type", "address.city must be a string."],
    [{ address: "Porto" }, "/params/address", "wrong_type", "address must be an object."],
  ])("is checked member by member: %j", async (params, pointer, code, message) => {
    await expect(ask("customers", "create", params)).rejects.toMatchObject({ faults: [{ pointer, code, message }] });
    expect(calls).toEqual([]);
  });

  it("says which members there are", async () => {
    const refused = ask("customers", "create", { address: { citty: "Porto" } });
    await expect(refused).rejects.toMatchObject({ faults: [{ suggestion: "city" }] });
  });

  it("is sent with the platform's names of its members", async () => {
    const params = { address: { city: "Porto", postalCode: "4000" }, fields: ["address.city", "address.postalCode"] };
    expect((await ask("customers", "create", params)).data).toEqual({ address: { city: "Porto", postalCode: "4000" } });
  });
});

describe("a charge", () => {
  it("has the id of its customer, and the customer where it is asked for", async () => {
    const fields = ["customer", "customerObject"];
    expect((await ask("charges", "get", { id: "ch_1", fields })).data).toEqual({ customer: "cus_Ana", customerObject: null });
    const { data, meta } = await ask("charges", "get", { id: "ch_1", expand: ["customer"], fields });
    expect(data).toMatchObject({ customer: "cus_Ana", customerObject: { id: "cus_Ana", name: "Ana Ruiz" } });
    expect(meta["warnings"]).toBeUndefined();
  });
});

describe("writes to Stripe", () => {
  it("are forms with objects in brackets", async () => {
    const params = { name: "Cleo & Co", address: { city: "Porto" }, metadata: { "a b": "c=d" } };
    const fields = ["name", "city", "metadata", "created"];
    const { data } = await ask("customers", "create", { ...params, fields });
    expect(data).toEqual({ name: "Cleo & Co", city: "Porto", metadata: { "a b": "c=d" }, created: expect.stringMatching(/^20/) });
  });

  it("are sent again when the answer was lost, and done once", async () => {
    lost = 2;
    const { data } = await ask("products", "create", { name: "Once", fields: ["id", "name"] });
    expect(data).toMatchObject({ name: "Once" });
    expect(calls).toEqual(Array.from({ length: 3 }, () => "POST /v1/products"));
  });

  it("change, remove and pay back", async () => {
    const { data } = await ask("products", "update", { id: "prod_Chair", active: false, fields: ["id", "active", "name"] });
    expect(data).toEqual({ id: "prod_Chair", active: false, name: "Office chair" });
    const emptied = await ask("products", "update", { id: "prod_Chair", description: "", fields: ["description"] });
    expect(emptied.data).toEqual({ description: null });
    expect((await ask("customers", "delete", { id: "cus_bulk64" })).data).toMatchObject({ id: "cus_bulk64", deleted: true });
    expect((await ask("refunds", "create", { charge: "ch_1", amount: 100 })).data).toMatchObject({ charge: "ch_1", amount: 100 });
    await expect(ask("refunds", "create", { charge: "ch_9" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a sync of Stripe", () => {
  it("stores every record, and finds it", async () => {
    const result = await platform.syncExamples();
    expect(result.entities.map(({ entity, outcome }) => [entity, outcome])).toEqual(
      ["charges", "customers", "invoices", "prices", "products", "refunds", "subscriptions"].map((entity) => [
        entity,
        "complete",
      ]),
    );
    const query = { filter: { fuzzy: { description: "repair what breaks" } } };
    const { data } = await ask("products", "context_store_search", { query, fields: ["id"] });
    expect(data).toEqual([{ id: "prod_Care" }]);
  });
});
