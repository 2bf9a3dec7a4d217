import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../simulator/client.ts";
import { embed } from "../support/embeddings.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { hello, newFolder, openCache, type Row } from "./support/cache.ts";
import { apiKey, bad, good, startTenon, type Tenon } from "./support/service.ts";

// Search by meaning by an endpoint that first gives vectors of a wrong length, over records that the model of the project has embedded.

const dims = 32;
let platform: Platform;
let endpoint: Server;
let tenon: Tenon;
let dataDir: string;
/** What the endpoint was sent, and how long its vectors are. */
const sent: string[] = [];
let length = dims - 1;

beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const cache = await openCache(platform, { dataDir });
  expect((await cache.sync([hello])).outcome).toBe("complete");
  await cache.close();
  endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    sent.push(...input);
    response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: [...embed(text, length)] })) }));
  }).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
});

afterAll(async () => {
  await tenon.service.close();
  endpoint.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const ownModel = "tenon-static-en-v1";
const search = (prompt: string) =>
  tenon.run("issues", "context_store_search", { semantic: { field: "body", prompt }, limit: 3, explain: true });
const meta = (body: Json) => shaped<{ warnings?: Row[]; plan: Row }>(body["meta"]);

/** Waits until the index of a model of the issues is in a state. */
async function until(model: string, state: string): Promise<Row> {
  for (;;) {
    const reply = await tenon.send("GET", "/api/v1/integrations/connectors/github/sync", undefined, {
      Authorization: `Bearer ${apiKey}`,
    });
    const { semantic } = shaped<{ semantic: readonly Row[] }>(good(reply)["meta"]);
    const found = semantic.find((row) => row["entity"] === "issues" && String(row["model"]).startsWith(model));
    if (found?.["state"] === state) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("an endpoint for embeddings that is chosen later", () => {
  const settings = () => {
    const { port } = endpoint.address() as AddressInfo;
    return {
      dataDir,
      embeddings: `http://127.0.0.1:${port}/v1/embeddings`,
      embeddingsModel: "other",
      embeddingsDimensions: dims,
      embeddingsTimeoutMs: 5_000,
    };
  };

  it("is shown with its problem when no model has an index yet, and the prompt is not sent there", async () => {
    tenon = await startTenon(platform, settings());
    expect(await until("other", "failing")).toMatchObject({
      ready: false,
      passages: 0,
      problem: `The endpoint for embeddings gives embeddings of ${dims - 1} dimensions instead of ${dims}.`,
    });
    bad(await search("a prompt that nobody may see"), 409, "semantic_index_not_ready");
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).not.toContain("a prompt that nobody may see");
    await tenon.service.close();
  });

  it("lets the earlier model answer until its own index is complete", async () => {
    tenon = await startTenon(platform, { dataDir });
    await until(ownModel, "complete");
    await tenon.service.close();
    tenon = await startTenon(platform, settings());
    await until("other", "failing");
    const earlier = meta(good(await search("it crashes")));
    expect(earlier.plan["model"]).toBe(ownModel);
    expect(earlier.warnings).toMatchObject([{ code: "semantic_model_replaced" }]);
    expect(sent).not.toContain("it crashes");
    length = dims;
    await tenon.service.close();
    tenon = await startTenon(platform, settings());
    await until("other", "complete");
    const later = meta(good(await search("it crashes")));
    expect(String(later.plan["model"])).toMatch(/^other at /);
    expect(later.warnings).toBeUndefined();
    expect(sent).toContain("it crashes");
  });
});
