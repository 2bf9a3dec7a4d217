import { writeSync } from "node:fs";
import { pino } from "pino";
import type { StorePlan } from "../../../runtime/contract/index.ts";
import { staticProvider } from "../../../runtime/semantic/static-provider.ts";
import { createRandom } from "../../../runtime/simulated/github/seed/random.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { Embedder } from "../../../runtime/sync/index.ts";

// A process that stores, changes and removes texts and embeds them beside that, until all are embedded or it is killed. Started by the kill
// test with its task as JSON in the last argument.

export interface EmbedTask {
  readonly dataDir: string;
  /** Seeds of the sets of records that are stored one after the other. What the last one lacks is removed again. */
  readonly steps: readonly number[];
}

const plan: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, body: { type: "string", index: "text" } },
  semantic: { fields: { body: { window: 200 } }, hit: { id: "id" } },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const words = "crash memory leak slow button colour login token refresh page export import parser queue worker deadline".split(
  " ",
);

/** The same records for the same seed. Records of two seeds have keys in common, and paragraphs. */
function recordsOf(seed: number): { id: string; body: string }[] {
  const random = createRandom(seed);
  const paragraph = (number: number) => {
    const own = createRandom(number);
    return Array.from({ length: 90 }, () => words[own.below(words.length)]).join(" ");
  };
  return Array.from({ length: 120 }, (_, index) => ({
    id: `r${index}`,
    body: Array.from({ length: 1 + random.below(4) }, () => `${paragraph(random.below(60))}.`).join("\n\n"),
  })).filter(() => random.chance(0.8));
}

const { dataDir, steps } = JSON.parse(process.argv.at(-1) ?? "") as EmbedTask;
const store = new SqliteStore({ dataDir, plans: { test: { things: plan } } });
await store.ready;
const provider = staticProvider();
const embedder = new Embedder(store, provider, pino({ level: "silent" }));
embedder.start();
writeSync(1, "begun\n");
for (const [index, seed] of steps.entries()) {
  const checkpoint = { run: Date.now() + index, full: true, step: 0 };
  const records = recordsOf(seed);
  for (let at = 0; at < records.length; at += 20)
    await store.save(collection, { records: records.slice(at, at + 20), checkpoint });
  await store.finish(collection, checkpoint, { massDelete: true, parents: [] });
}
await embedder.drained(AbortSignal.timeout(100_000), () => undefined);
await embedder.stop();
await provider.close();
await store.close();
writeSync(1, "complete\n");
