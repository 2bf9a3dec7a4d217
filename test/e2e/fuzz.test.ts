import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../runtime/base/error-codes.ts";
import { operatorDocs, storeAction } from "../../runtime/contract/index.ts";
import { connectors } from "../../runtime/main/index.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";
import { problemSchema } from "../../runtime/server/problem-schema.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { actionsOf, invalidValue, nastyText, validParams } from "../property/arbitraries.ts";
import { withoutPace } from "../support/simulated.ts";
import { allModels } from "../support/specs.ts";
import { apiKey, startTenon } from "./support/service.ts";
import { json, startStranger } from "./support/stranger.ts";

// Generated bodies and headers over all entities and actions of all connectors, others in each run. TENON_TEST_FUZZ says how many.

const amount = Number(process.env["TENON_TEST_FUZZ"] ?? 5_000);
const seed = Number(process.env["TENON_TEST_SEED"] ?? Date.now() % 1_000_000);
/** A text that stands in values of the requests, and may stand nowhere else. */
const canary = "canary-5d1f83b2";
/** A request that takes longer than so many milliseconds hangs: two seconds, on a machine that is ten times slower than usual. */
const hang = 20_000;

interface Sent {
  readonly connector: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const models = allModels();
const actions = models.flatMap((model) => actionsOf(model).map((action) => ({ model, action })));
const entities = models.flatMap((model) => model.entities.map((entity) => ({ connector: model.name, entity })));
const names = fc.oneof(fc.constantFrom("__proto__", "constructor", "", "*", "issues ", "ISSUES"), nastyText);
const hostile = fc.oneof(
  nastyText.map((text) => `${canary}${text}`),
  fc.constantFrom<unknown>(null, true, -1, 1e308, 0.1, [], {}, [[]], { $ref: "#" }, Number.MAX_SAFE_INTEGER),
  fc.array(fc.constant("x"), { minLength: 1_001, maxLength: 1_001 }),
);
const right = fc.constantFrom(...actions).chain(({ model, action }) =>
  fc.record({
    connector: fc.constant(model.name),
    value: fc.record({
      entity: fc.constant(action.entity),
      action: fc.constant(action.name),
      params: validParams(action, model),
    }),
  }),
);
const broken = fc.constantFrom(...actions).chain(({ model, action }) => {
  const [first] = action.params;
  const wrong = first === undefined ? fc.constant({}) : invalidValue(first, model).map((value) => ({ [first.name]: value }));
  return fc
    .tuple(validParams(action, model), wrong, fc.dictionary(names, hostile, { maxKeys: 2 }))
    .map(([params, bad, more]) => ({
      connector: model.name,
      value: { entity: action.entity, action: action.name, params: { ...params, ...bad, ...more } },
    }));
});
const conditions = (fields: readonly string[]) =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc
        .tuple(
          fc.constantFrom(...operatorDocs.map(({ name }) => name), "startsWith"),
          fc.dictionary(fields.length === 0 ? names : fc.oneof(fc.constantFrom(...fields), names), hostile, { maxKeys: 2 }),
        )
        .map(([operator, operand]) => ({ [operator]: operand })),
      fc.tuple(fc.constantFrom("and", "or"), fc.array(tie("node"), { maxLength: 3 })).map(([verb, list]) => ({ [verb]: list })),
      fc.record({ not: tie("node") }),
    ),
  })).node;
const search = fc.constantFrom(...entities).chain(({ connector, entity: { name, store } }) => {
  const fields = Object.keys(store.fields);
  const [first = ""] = fields;
  return fc.record({
    connector: fc.constant(connector),
    value: fc.record({
      entity: fc.constant(name),
      action: fc.constant(storeAction),
      params: fc.record(
        {
          query: fc.record(
            {
              filter: fc.oneof(conditions(fields), fc.constant({ eq: { [first]: null } })),
              sort: fc.oneof(hostile, fc.constant([{ [first]: "asc" }])),
            },
            { requiredKeys: [] },
          ),
          limit: fc.oneof(fc.integer({ min: 1, max: 10_000 }), hostile),
          cursor: hostile,
          fields: fc.oneof(fc.constant([first]), hostile),
        },
        { requiredKeys: ["query"] },
      ),
    }),
  });
});
const someConnector = fc.constantFrom(...models.map(({ name }) => name));
const anything = fc.record({
  connector: someConnector,
  value: fc.record({ entity: names, action: names, params: fc.anything(), [canary]: hostile }, { requiredKeys: [] }),
});
const bodies: fc.Arbitrary<Omit<Sent, "headers">> = fc.oneof(
  ...[right, broken, broken, search, search, anything, fc.record({ connector: someConnector, value: fc.jsonValue() })].map(
    (one) =>
      (one as fc.Arbitrary<{ connector: string; value: unknown }>).map(({ connector, value }) => ({
        connector,
        body: JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "",
      })),
  ),
  fc.record({ connector: someConnector, body: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) }),
  fc.record({
    connector: someConnector,
    body: fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  }),
);
const headerText = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
/** A header that few requests have. */
const rare = (values: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
const headers = fc
  .record({
    "content-type": fc.oneof({ weight: 19, arbitrary: fc.constant("application/json") }, headerText),
    authorization: fc.oneof(
      { weight: 19, arbitrary: fc.constant(`Bearer ${apiKey}`) },
      headerText.map((text) => `Bearer ${canary}${text}`),
    ),
    "idempotency-key": rare(headerText.map((text) => `${canary}${text}`)),
    "x-request-id": rare(headerText),
    "x-organization-id": rare(headerText),
    "if-none-match": rare(headerText),
    "content-encoding": rare(fc.constantFrom("identity", "gzip", "br", "nonsense")),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)));
const requests: fc.Arbitrary<Sent> = fc.tuple(bodies, headers).map(([body, given]) => ({ ...body, headers: given }));

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

interface Answered {
  readonly status: number;
  readonly text: string;
  /** Milliseconds. */
  readonly took: number;
}

function exchange(url: string, { connector, body, headers: given }: Sent): Promise<Answered> {
  const address = `${url}/api/v1/integrations/connectors/${connector}/execute`;
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(address, { method: "POST", agent, headers: given, timeout: hang }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, text, took: performance.now() - began });
      });
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("it hangs")));
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bytes of the heap after everything that is not needed is gone. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Whatever the platform answers here, it is not our fault. */
const platformCodes = ["platform_failed", "write_in_doubt", "semantic_unavailable"];

describe("generated requests", () => {
  it(`are all answered, with errors that fit their schema, and leave no trace of their values (seed ${seed})`, async () => {
    const missing = JSON.stringify({
      data: null,
      errors: [{ type: "NOT_FOUND", path: ["repository"], message: "Entity not found" }],
    });
    const platform = await startStranger((request, response) =>
      request.url === "/graphql"
        ? json(response, missing)
        : void response.writeHead(404, { "content-type": "application/json" }).end("{}"),
    );
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-fuzz-"));
    const address = { rest: platform.url, graphql: `${platform.url}/graphql` };
    const platforms = Object.fromEntries(
      connectors.map(({ name, platform: { auth } }) => [
        name,
        { credential: singleCredential(auth.kinds, ownerToken), ...address },
      ]),
    );
    const tenon = await startTenon(
      { url: platform.url, graphqlUrl: address.graphql },
      { dataDir, connectors: connectors.map(withoutPace), platforms, maxConnections: 100 },
    );
    let closed = false;
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(problemSchema());
    const wrong: unknown[] = [];
    const codes = new Map<string, number>();
    let slowest = { took: 0, request: "" };
    const note = (connector: string, code: string) => {
      for (const name of [code, `${code} of ${connector}`]) codes.set(name, (codes.get(name) ?? 0) + 1);
    };
    const check = (sent: Sent, { status, text, took }: Answered) => {
      if (took > slowest.took) slowest = { took, request: `${sent.connector} ${String(sent.body).slice(0, 200)}` };
      if (status < 400) return note(sent.connector, "done");
      const problem: unknown = JSON.parse(text);
      const code = String((problem as { code: unknown }).code);
      note(sent.connector, code);
      const ours = status >= 500 && !platformCodes.includes(code);
      if (!fits(problem) || !Object.hasOwn(errorCodes, code) || ours)
        wrong.push([status, text, fits.errors, String(sent.body).slice(0, 500)]);
    };
    let drawn = 0;
    const run = async (count: number) => {
      const all = fc.sample(requests, { numRuns: count, seed: seed + drawn });
      drawn += count;
      for (let at = 0; at < all.length; at += 32)
        await Promise.all(all.slice(at, at + 32).map(async (sent) => check(sent, await exchange(tenon.url, sent))));
      // What the test itself keeps is no growth of the service.
      const lines = (tenon.log as string[]).splice(0);
      (platform.seen as string[]).length = 0;
      expect(lines.filter((line) => line.includes(canary))).toEqual([]);
    };
    try {
      const part = Math.min(1_000, amount / 2);
      await run(part);
      const before = heap();
      while (drawn < amount) await run(Math.min(part, amount - drawn));
      const grown = (heap() - before) / 2 ** 20;
      expect(wrong).toEqual([]);
      const counts = [...codes].filter(([name]) => !name.includes(" ")).map(([code, count]) => `${code} ${count}`);
      console.log(`${counts.join(", ")}; the heap grew by ${grown.toFixed(1)} MiB`);
      console.log(`slowest: ${Math.round(slowest.took)} ms, ${slowest.request}`);
      // All kinds of outcomes came often, so that the requests are not all stopped by the first check.
      for (const code of ["done", "invalid_request", "invalid_json", "unauthorized"])
        expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
      expect(codes.get("not_found") ?? 0).toBeGreaterThan(amount / 50);
      // What the stranger answers means that there is nothing, or to a platform with other signs of that, no more than a refusal.
      const reached = (name: string, code: string) => codes.get(`${code} of ${name}`) ?? 0;
      for (const { name } of models)
        expect(reached(name, "not_found") + reached(name, "platform_rejected"), name).toBeGreaterThan(0);
      expect(grown).toBeLessThan(50);
      const metrics = await tenon.send("GET", "/metrics", undefined, { authorization: `Bearer ${apiKey}` });
      expect(metrics.text).not.toContain(canary);
      expect(tenon.log.join("")).not.toContain(canary);
      closed = true;
      await tenon.service.close();
      for (const file of readdirSync(dataDir))
        expect([file, readFileSync(join(dataDir, file)).includes(canary)]).toEqual([file, false]);
    } finally {
      if (!closed) await tenon.service.close();
      rmSync(dataDir, { recursive: true, force: true });
      platform.close();
      agent.destroy();
    }
  }, 1_200_000);
});
