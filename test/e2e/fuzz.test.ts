import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../runtime/base/errors.ts";
import { operatorDocs, storeAction } from "../../runtime/contract/index.ts";
import { problemSchema } from "../../runtime/server/problem-schema.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { actionsOf, invalidValue, nastyText, validParams } from "../property/arbitraries.ts";
import { unpaced } from "../support/fake-instance.ts";
import { githubModel } from "../support/specs.ts";
import { apiKey, executePath, startTenon } from "./support/service.ts";
import { json, startStranger } from "./support/stranger.ts";

// Generated bodies and headers over all entities and actions. TENON_TEST_FUZZ says how many.

const amount = Number(process.env["TENON_TEST_FUZZ"] ?? 10_000);
const seed = Number(process.env["TENON_TEST_SEED"] ?? Date.now() % 1_000_000);
/** A text that stands in values of the requests, and may stand nowhere else. */
const canary = "canary-5d1f83b2";
/** A request that has no answer after so many milliseconds hangs. */
const hang = 30_000;

interface Sent {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const model = githubModel();
const actions = actionsOf(model);
const names = fc.oneof(fc.constantFrom("__proto__", "constructor", "", "*", "issues ", "ISSUES"), nastyText);
const hostile = fc.oneof(
  nastyText.map((text) => `${canary}${text}`),
  fc.constantFrom<unknown>(null, true, -1, 1e308, 0.1, [], {}, [[]], { $ref: "#" }, Number.MAX_SAFE_INTEGER),
  fc.array(fc.constant("x"), { minLength: 1_001, maxLength: 1_001 }),
);
const right = fc
  .constantFrom(...actions)
  .chain((action) =>
    fc.record({ entity: fc.constant(action.entity), action: fc.constant(action.name), params: validParams(action, model) }),
  );
const broken = fc.constantFrom(...actions).chain((action) => {
  const [first] = action.params;
  const wrong = first === undefined ? fc.constant({}) : invalidValue(first, model).map((value) => ({ [first.name]: value }));
  return fc
    .tuple(validParams(action, model), wrong, fc.dictionary(names, hostile, { maxKeys: 2 }))
    .map(([params, bad, more]) => ({
      entity: action.entity,
      action: action.name,
      params: { ...params, ...bad, ...more },
    }));
});
const condition = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc
      .tuple(
        fc.constantFrom(...operatorDocs.map(({ name }) => name), "startsWith"),
        fc.dictionary(fc.oneof(fc.constantFrom("title", "state", "createdAt"), names), hostile, { maxKeys: 2 }),
      )
      .map(([operator, operand]) => ({ [operator]: operand })),
    fc.tuple(fc.constantFrom("and", "or"), fc.array(tie("node"), { maxLength: 3 })).map(([verb, list]) => ({ [verb]: list })),
    fc.record({ not: tie("node") }),
  ),
})).node;
const search = fc.record({
  entity: fc.constantFrom("issues", "labels", "users", "commits"),
  action: fc.constant(storeAction),
  params: fc.record(
    {
      query: fc.record({ filter: condition, sort: fc.oneof(hostile, fc.constant([{ title: "asc" }])) }, { requiredKeys: [] }),
      limit: hostile,
      cursor: hostile,
      fields: hostile,
    },
    { requiredKeys: ["query"] },
  ),
});
const anything = fc.record({ entity: names, action: names, params: fc.anything(), [canary]: hostile }, { requiredKeys: [] });
const bodies = fc.oneof(
  ...[right, broken, broken, search, search, anything, fc.jsonValue()].map((one) =>
    (one as fc.Arbitrary<unknown>).map(
      (value) => JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "",
    ),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
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
const requests: fc.Arbitrary<Sent> = fc.record({ body: bodies, headers });

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

function exchange(url: string, { body, headers: given }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${executePath}`, { method: "POST", agent, headers: given, timeout: hang }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
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
    const missing = JSON.stringify({ data: null, errors: [{ type: "NOT_FOUND", path: ["repository"], message: "no" }] });
    const platform = await startStranger((request, response) =>
      request.url === "/graphql"
        ? json(response, missing)
        : void response.writeHead(404, { "content-type": "application/json" }).end("{}"),
    );
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-fuzz-"));
    const tenon = await startTenon(
      { url: platform.url, graphqlUrl: `${platform.url}/graphql` },
      { dataDir, connectors: [unpaced], token: ownerToken, maxConnections: 100 },
    );
    let closed = false;
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(problemSchema());
    const wrong: unknown[] = [];
    const codes = new Map<string, number>();
    const check = (sent: Sent, { status, text }: { status: number; text: string }) => {
      if (status < 400) return;
      const problem: unknown = JSON.parse(text);
      const code = String((problem as { code: unknown }).code);
      codes.set(code, (codes.get(code) ?? 0) + 1);
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
    };
    try {
      const part = Math.min(1_000, amount / 2);
      await run(part);
      const before = heap();
      while (drawn < amount) await run(Math.min(part, amount - drawn));
      const grown = (heap() - before) / 2 ** 20;
      expect(wrong).toEqual([]);
      // Both kinds of outcomes came often, so that the requests are not all stopped by the first check.
      for (const code of ["invalid_request", "not_found", "invalid_json", "unauthorized"])
        expect([code, codes.get(code) ?? 0]).toEqual([code, expect.any(Number)]);
      expect(codes.get("not_found") ?? 0).toBeGreaterThan(amount / 50);
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
