import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { load } from "sqlite-vec";
import { QueryParser } from "../../runtime/search/index.ts";
import type { SemanticQuery } from "../../runtime/store/semantic.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { median, type Result, type Row, round } from "./report.ts";
import {
  collection,
  dims,
  fill,
  indexed,
  mean,
  model,
  plan,
  plans,
  realEmbeddings,
  realTexts,
  shuffled,
} from "./semantic-file.ts";
import { qualityRows } from "./semantic-quality.ts";

/** Prompts of each measurement, and for the ways that are slow. */
const prompts = 200;
const fewPrompts = 10;
/** Cached searches whose slowest are looked at. */
const cachedSearches = 400;
/** How often each text is indexed, with its paragraphs in another order. */
const copies = 4;

/**
 * Search by meaning: how fast texts are indexed, and how fast and exact searches over very many passages are, beside `sqlite-vec` and a
 * plain scan of floats in the same run.
 */
export async function benchSemantic(count = Number(process.env["TENON_BENCH_PASSAGES"] ?? 1_000_000)): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bench-semantic-"));
  try {
    const texts = realTexts();
    const before = process.cpuUsage();
    const first = await indexed(folder, shuffled(texts, copies));
    const { user, system } = process.cpuUsage(before);
    const { passages, vectors } = realEmbeddings(texts, 40_000);
    const file = join(folder, "context-store.sqlite");
    const { bytes, factors } = fill(file, vectors, count);
    const asked = Array.from({ length: prompts }, (_, index) => {
      const { text } = passages[Math.floor((index * passages.length) / prompts)] ?? { text: "" };
      const words = text.split(" ");
      return model.embed(words.slice(Math.floor(words.length / 3), Math.floor(words.length / 3) + 12).join(" "));
    });
    const rows: Row[] = [
      ...(await qualityRows()),
      { what: "indexing, end to end", value: Math.round(first.passages / first.seconds), unit: "passages/s", aim: "3,000" },
      { what: "indexing: processor time of a passage", value: round((user + system) / 1_000 / first.passages, 2), unit: "ms" },
      ...(await searches(folder, asked, bytes, factors, count)),
      ...plainScan(asked, bytes, factors, count),
      ...vectorExtension(folder, asked, bytes, factors, count),
    ];
    const notes = `${count} passages, three to a record; ${vectors.length} are passages of the pages of installed packages, the others are made of their embeddings. Prompts are 12 words of the middle of real passages.`;
    return { name: "semantic", notes, rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scores of all passages, by float arithmetic on the stored vectors. */
function exact(vector: Float32Array, bytes: Int8Array, factors: Float32Array, count: number): Float32Array {
  const scores = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let at = i * dims, j = 0; j < dims; j++) sum += (bytes[at + j] ?? 0) * (vector[j] ?? 0);
    scores[i] = sum * (factors[i] ?? 0);
  }
  return scores;
}

async function searches(
  dataDir: string,
  asked: readonly Float32Array[],
  bytes: Int8Array,
  factors: Float32Array,
  count: number,
): Promise<Row[]> {
  const before = process.memoryUsage.rss();
  const store = new SqliteStore({ dataDir, plans, searchTime: 60_000 });
  await store.ready;
  const query = (vector: Float32Array, more: Partial<SemanticQuery> = {}): SemanticQuery => {
    return {
      field: "body",
      model: model.name,
      vector,
      mean,
      dedup: "none",
      contextSize: 200,
      limit: 10,
      fields: null,
      explain: true,
      ...more,
    };
  };
  const search = (given: SemanticQuery) => store.searchByMeaning(collection, given, performance.now() + 60_000);
  const began = performance.now();
  await search(query(asked[0] ?? new Float32Array(dims)));
  const rows: Row[] = [
    {
      what: "first search after a start, which reads the codes",
      value: Math.round(performance.now() - began),
      unit: "ms",
      aim: "2,000",
    },
  ];
  const grown = Math.round((process.memoryUsage.rss() - before) / 1024 / 1024);
  rows.push({
    what: "memory of the process after it, beyond that before the store",
    value: grown,
    unit: "MiB",
    aim: "150 for the index",
  });
  const numbers = new Database(join(dataDir, "context-store.sqlite"), { readonly: true });
  const all = numbers.prepare<[], [number, number]>('SELECT id, ":number" FROM "bench_notes:find"').raw().all();
  const numberOf = new Map(all);
  numbers.close();
  for (const share of [1, 0.5, 0.1, 0.01]) {
    const filter =
      share === 1 ? undefined : new QueryParser("notes", plan.fields).filter({ lt: { number: share * 1_000_000 } }, []);
    const more = filter === undefined ? {} : { filter };
    for (const dedup of ["none", "max"] as const) {
      const times: number[] = [];
      const work: number[] = [];
      const recalls: number[] = [];
      for (const [index, vector] of asked.entries()) {
        const start = performance.now();
        const before = process.cpuUsage();
        const { hits } = await search(query(vector, { ...more, dedup }));
        times.push(performance.now() - start);
        const { user, system } = process.cpuUsage(before);
        work.push((user + system) / 1_000);
        if (dedup === "max" || index >= 25) continue;
        const scores = exact(vector, bytes, factors, count);
        const allowed = (i: number) => share === 1 || (numberOf.get(Math.floor(i / 3) + 1) ?? 0) < share * 1_000_000;
        let least = Number.NEGATIVE_INFINITY;
        const best: number[] = [];
        for (let i = 0; i < count; i++) {
          const score = scores[i] ?? 0;
          if (score <= least || !allowed(i)) continue;
          best.push(score);
          best.sort((a, b) => b - a);
          best.length = Math.min(best.length, 10);
          if (best.length === 10) least = best[9] ?? least;
        }
        const tenth = best.at(-1) ?? 0;
        recalls.push(hits.filter(({ metadata }) => metadata.score >= tenth - 1e-5).length / Math.max(1, best.length));
      }
      const what = `${share === 1 ? "no filter" : `filter that leaves ${share * 100} %`}, dedup ${dedup}`;
      times.sort((a, b) => a - b);
      rows.push({ what: `${what}: p50`, value: round(median(times), 1), unit: "ms", aim: "15" });
      rows.push({ what: `${what}: p95`, value: round(times[Math.floor(times.length * 0.95)] ?? 0, 1), unit: "ms", aim: "30" });
      rows.push({ what: `${what}: processor time, p50`, value: round(median(work), 1), unit: "ms" });
      if (recalls.length > 0) {
        const recall = recalls.reduce((sum, one) => sum + one) / recalls.length;
        rows.push({ what: `${what}: recall@10 of the exact answer`, value: round(recall, 3), unit: "", aim: "0.98" });
      }
    }
  }
  rows.push(...(await cachedBeside(store, () => search(query(asked[0] ?? new Float32Array(dims))))));
  await store.close();
  return rows;
}

/** How slow the slowest cached searches are, alone and while searches by meaning run one after the other. */
async function cachedBeside(store: SqliteStore, search: () => Promise<unknown>): Promise<Row[]> {
  const slowest = async () => {
    const times: number[] = [];
    for (let index = 0; index < cachedSearches; index++) {
      const filter = new QueryParser("notes", plan.fields).filter({ gte: { number: (index * 7_919) % 1_000_000 } }, []);
      const start = performance.now();
      const given = { sort: [], limit: 20, fields: null, explain: false, ...(filter === undefined ? {} : { filter }) };
      await store.search(collection, given, start + 60_000);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[Math.floor(cachedSearches * 0.99)] ?? 0;
  };
  await slowest();
  const alone = await slowest();
  let ended = false;
  const others = (async () => {
    while (!ended) await search();
  })();
  const beside = await slowest();
  ended = true;
  await others;
  return [
    { what: "cached search alone: p99", value: round(alone, 1), unit: "ms" },
    { what: "cached search beside searches by meaning: p99", value: round(beside, 1), unit: "ms", aim: "as alone" },
  ];
}

function plainScan(asked: readonly Float32Array[], bytes: Int8Array, factors: Float32Array, count: number): Row[] {
  const times = asked.slice(0, fewPrompts).map((vector) => {
    const start = performance.now();
    exact(vector, bytes, factors, count).toSorted();
    return performance.now() - start;
  });
  return [{ what: "plain scan in JavaScript: p50", value: Math.round(median(times)), unit: "ms" }];
}

function vectorExtension(
  folder: string,
  asked: readonly Float32Array[],
  bytes: Int8Array,
  factors: Float32Array,
  count: number,
): Row[] {
  const db = new Database(join(folder, "sqlite-vec.sqlite"));
  load(db);
  db.exec(`CREATE VIRTUAL TABLE v USING vec0(embedding float[${dims}] distance_metric=cosine)`);
  const insert = db.prepare("INSERT INTO v (rowid, embedding) VALUES (?, ?)");
  db.transaction(() => {
    for (let i = 0; i < count; i++) {
      const vector = Float32Array.from(bytes.subarray(i * dims, (i + 1) * dims), (byte) => byte * (factors[i] ?? 0));
      insert.run(BigInt(i + 1), Buffer.from(vector.buffer));
    }
  })();
  const find = db.prepare("SELECT rowid, distance FROM v WHERE embedding MATCH ? AND k = 10 ORDER BY distance");
  const times = asked.slice(0, fewPrompts).map((vector) => {
    const start = performance.now();
    find.all(Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    return performance.now() - start;
  });
  db.close();
  return [{ what: "sqlite-vec: p50", value: Math.round(median(times)), unit: "ms" }];
}
