import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import type { StorePlan } from "../../runtime/contract/index.ts";
import { cutPassages, type Passage } from "../../runtime/semantic/passages.ts";
import { modelFolder, readMean, StaticModel } from "../../runtime/semantic/static-model.ts";
import { staticProvider } from "../../runtime/semantic/static-provider.ts";
import { factorBytes, packVector, vectorCode } from "../../runtime/semantic/vectors.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { Embedder } from "../../runtime/sync/index.ts";

// A store with very many passages. The texts are the pages of the packages that are installed here. Where these give too few passages, the
// embeddings of further ones are made of theirs: the mean of two, with noise.

export const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    number: { type: "integer", index: "exact" },
    body: { type: "string", index: "text" },
  },
  semantic: { fields: { body: { window: 2048 } }, hit: { id: "id" } },
};
export const plans = { bench: { notes: plan } };
export const collection = { connector: "bench", instance: "one", entity: "notes" };
export const model = new StaticModel(modelFolder);
export const mean = readMean(modelFolder);
export const { dims } = model;

/** The texts of the pages of installed packages, each once. */
export function realTexts(): string[] {
  const texts = new Set<string>();
  const root = join(import.meta.dirname, "../../node_modules");
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }))
    if (/\.md$/i.test(path) && statSync(join(root, path)).isFile()) texts.add(readFileSync(join(root, path), "utf8"));
  return [...texts];
}

/** Each text several times with its paragraphs in another order, so that no passage comes twice. */
export function shuffled(texts: readonly string[], times: number): string[] {
  const random = uniform(3);
  return Array.from({ length: times }, () => texts).flatMap((all) =>
    all.map((text) =>
      text
        .split("\n\n")
        .map((paragraph) => ({ paragraph, place: random() }))
        .sort((a, b) => a.place - b.place)
        .map(({ paragraph }) => paragraph)
        .join("\n\n"),
    ),
  );
}

/** Stores texts and embeds them as a service does. @returns passages a second, end to end */
export async function indexed(dataDir: string, texts: readonly string[]): Promise<{ passages: number; seconds: number }> {
  const store = new SqliteStore({ dataDir, plans });
  const provider = staticProvider();
  await provider.embedPassages(["ready"], AbortSignal.timeout(60_000));
  const embedder = new Embedder(store, provider, pino({ level: "silent" }));
  const began = performance.now();
  embedder.start();
  const scope = { ...collection, scope: "all" };
  const checkpoint = { run: 1, full: true, step: 0 };
  for (let at = 0; at < texts.length; at += 100) {
    const records = texts.slice(at, at + 100).map((body, index) => ({ id: `T${at + index}`, number: at + index, body }));
    await store.save(scope, { records, checkpoint });
  }
  await store.finish(scope, checkpoint, { massDelete: true, parents: [] });
  await embedder.drained(AbortSignal.timeout(600_000), () => undefined);
  const seconds = (performance.now() - began) / 1000;
  await embedder.stop();
  const passages = (await store.semanticStates(collection))[0]?.passages ?? 0;
  await provider.close();
  await store.close();
  return { passages, seconds };
}

/** Embeddings of real passages, and the passages. */
export function realEmbeddings(texts: readonly string[], most: number): { passages: Passage[]; vectors: Float32Array[] } {
  const passages = texts.flatMap((text) => cutPassages(text)).slice(0, most);
  return { passages, vectors: passages.map(({ text }) => model.embed(text)) };
}

/** Fills the file of a store with passages, three to a record. @returns the stored vectors, one after the other, and their factors */
export function fill(file: string, base: readonly Float32Array[], count: number): { bytes: Int8Array; factors: Float32Array } {
  const random = uniform(7);
  const db = new Database(file);
  db.pragma("synchronous = OFF");
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  const bytes = new Int8Array(count * dims);
  const factors = new Float32Array(count);
  db.transaction(() => {
    for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
    for (const table of ["semantic_passages", "semantic_codes", "semantic_texts", "bench_notes:find", "bench_notes:record"])
      db.exec(`DELETE FROM "${table}"`);
    const inst = db.prepare<[], number>("SELECT id FROM store_instances").pluck().get() ?? 0;
    const narrow = db.prepare('INSERT INTO "bench_notes:find" (id, inst, k, members, ":number") VALUES (?, ?, ?, 1, ?)');
    const wide = db.prepare(`INSERT INTO "bench_notes:record" (id, found, ":body", more) VALUES (?, ?, ?, '{}')`);
    const text = db.prepare("INSERT INTO semantic_texts (id, field, k, record, version) VALUES (?, 1, ?, ?, 1)");
    const passage = db.prepare(
      "INSERT INTO semantic_passages (id, model, field, text, start, stop, hash, vector) VALUES (?, 1, 1, ?, 0, 10, ?, ?)",
    );
    const code = db.prepare("INSERT INTO semantic_codes (model, field, passage, record, code) VALUES (1, 1, ?, ?, ?)");
    for (let i = 0; i < count; i++) {
      const record = Math.floor(i / 3) + 1;
      if (i % 3 === 0) {
        const key = `R${String(record).padStart(8, "0")}`;
        narrow.run(record, inst, key, Math.floor(random() * 1_000_000));
        wide.run(record, JSON.stringify({ id: key, number: 1 }), "A note of the bench.");
        text.run(record, key, record);
      }
      const vector = i < base.length ? base[i] : mixed(base, random);
      if (vector === undefined) continue;
      const packed = packVector(vector, dims);
      bytes.set(new Int8Array(packed.buffer, factorBytes), i * dims);
      factors[i] = new DataView(packed.buffer).getFloat32(0, true);
      passage.run(i + 1, record, String(i), packed);
      code.run(i + 1, record, vectorCode(vector, mean));
    }
    db.prepare("UPDATE semantic_indexes SET passages = ?, ready = 1").run(count);
    db.prepare("UPDATE store_counts SET records = ?").run(Math.ceil(count / 3));
    for (const { sql } of triggers) db.exec(sql);
  })();
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  return { bytes, factors };
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function mixed(base: readonly Float32Array[], random: () => number): Float32Array {
  const pick = () => base[Math.floor(random() * base.length)] ?? new Float32Array(dims);
  const [one, other] = [pick(), pick()];
  const share = random();
  const vector = one.map((member, i) => member * share + (other[i] ?? 0) * (1 - share) + (random() + random() - 1) * 0.05);
  const length = Math.hypot(...vector);
  return vector.map((member) => member / length);
}
