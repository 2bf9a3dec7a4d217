import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cut, type Piece, put } from "../../../runtime/base/json-pieces.ts";
import { LargeJson } from "../../../runtime/base/large-json.ts";

function piecesOf(value: unknown): (Piece & { readonly text: string })[] {
  const pieces: (Piece & { readonly text: string })[] = [];
  for (const { path, text } of cut(value)) pieces.push({ path, text, value: JSON.parse(text) as unknown });
  return pieces;
}

const together = (pieces: readonly Piece[]) => pieces.reduce<unknown>(put, undefined);

/** Long enough that lists of a few texts are cut. */
const long = "x".repeat(30_000);

describe("a value cut into pieces", () => {
  it("is the same when it is put together", () => {
    const texts = fc.oneof(fc.string(), fc.constant(long));
    const values = fc
      .jsonValue({ maxDepth: 4 })
      .chain((value) => fc.array(texts).map((more) => ({ value, more, inner: [{ more }, value] })));
    fc.assert(
      fc.property(values, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(together(piecesOf(plain))).toEqual(plain);
      }),
    );
  });

  it.each([
    ["a list within a list", [[long, long, [long, long, long]], [], [long, long, long]]],
    ["an empty list and an empty object beside long ones", { a: [], b: {}, c: [long, long, long], d: null, e: 0 }],
    ["a key called __proto__", JSON.parse(`{"__proto__":["${long}","${long}","${long}"],"a":{"__proto__":1}}`) as unknown],
    ["elements behind a long one", [1, { a: [long, long, long] }, 2, null, 3]],
    ["a text alone", long.repeat(4)],
    ["null", null],
  ])("keeps %s", (_name, value) => {
    const found = together(piecesOf(value));
    expect(found).toEqual(value);
    expect(JSON.stringify(found)).toBe(JSON.stringify(value));
  });

  it("has short pieces, whatever its length", () => {
    const value = { data: { nodes: Array.from({ length: 5000 }, (_, number) => ({ number, title: `Title ${number}` })) } };
    const lengths = piecesOf(value).map(({ text }) => text.length);
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(70_000);
  });
});

describe("a large text", () => {
  const json = new LargeJson();
  const value = { nodes: Array.from({ length: 60_000 }, (_, number) => ({ number, title: `Title ${number}` })) };
  const bytes = () => Buffer.from(JSON.stringify(value));
  const never = new AbortController().signal;
  /** Those that were started for the parses, the present one last. */
  const threads: Worker[] = [];
  const note = (worker: Worker) => void threads.push(worker);
  process.on("worker", note);
  afterAll(() => void process.off("worker", note));

  it("is parsed while the event loop goes on", async () => {
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await json.parse(bytes(), never);
    done = true;
    expect(found).toEqual({ value });
    expect(turns).toBeGreaterThan(10);
  });

  it("that is not JSON is undefined", async () => {
    expect(await json.parse(Buffer.from("<html>".repeat(1000)), never)).toBeUndefined();
  });

  it("that is nested too deeply is undefined, and others are parsed all the same", async () => {
    const deep = Buffer.from("[".repeat(200_000) + "]".repeat(200_000));
    expect(await Promise.all([json.parse(deep, never), json.parse(bytes(), never)])).toEqual([undefined, { value }]);
  });

  it("is parsed by the next thread when the one before failed a moment ago and has not ended yet", async () => {
    const first = json.parse(bytes(), never);
    const worker = threads.at(-1);
    worker?.emit("error", new Error("out of memory"));
    await expect(first).rejects.toThrow("out of memory");
    const second = json.parse(bytes(), never);
    worker?.emit("exit", 1);
    expect(await second).toEqual({ value });
    expect(threads.at(-1)).not.toBe(worker);
  });

  it("with more values than it may have is refused before it is parsed", async () => {
    const limited = new LargeJson({ values: 1_000, heap: 16 });
    const [first, last] = ["{},".repeat(5_000_000), "{}"];
    await expect(limited.parse(Buffer.from(`[${first}${last}]`), never)).rejects.toMatchObject({ limit: 1_000 });
    expect(await limited.parse(Buffer.from(`[${"0,".repeat(998)}0]`), never)).toEqual({ value: Array(999).fill(0) });
  });

  it("that takes more memory than the thread may have ends only the thread", async () => {
    const limited = new LargeJson({ heap: 16 });
    const huge = Buffer.from(`[${"{},".repeat(600_000)}{}]`);
    await expect(limited.parse(huge, never)).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
    expect(await limited.parse(Buffer.from("[1]"), never)).toEqual({ value: [1] });
  });

  it("waits where others fill the memory of the thread", async () => {
    const limited = new LargeJson({ values: 100_000 });
    const many = () => limited.parse(Buffer.from(`[${"{},".repeat(80_000)}{}]`), never);
    const gone = new AbortController();
    const [first, second, third] = [many(), limited.parse(Buffer.from(`[${"1,".repeat(80_000)}1]`), gone.signal), many()];
    gone.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    const value = Array.from({ length: 80_001 }, () => ({}));
    expect(await Promise.all([first, third])).toEqual([{ value }, { value }]);
  });

  it("leaves no thread when there is none for some time", async () => {
    const brief = new LargeJson({ idle: 1 });
    await brief.parse(Buffer.from("[1]"), never);
    const worker = threads.at(-1);
    await new Promise((ended) => worker?.once("exit", ended));
    expect(await brief.parse(Buffer.from("[2]"), never)).toEqual({ value: [2] });
    expect(threads.at(-1)).not.toBe(worker);
  });

  it("does not keep the process alive afterwards", () => {
    const module = JSON.stringify(new URL("../../../runtime/base/large-json.ts", import.meta.url).href);
    const file = join(mkdtempSync(join(tmpdir(), "tenon-")), "program.mjs");
    writeFileSync(
      file,
      `import { LargeJson } from ${module}; console.log(await new LargeJson().parse(Buffer.from("[1,2]"), new AbortController().signal))`,
    );
    expect(execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 })).toBe("{ value: [ 1, 2 ] }\n");
  });

  it("is no longer parsed when its caller goes away, but the next one is", async () => {
    const gone = new AbortController();
    const first = json.parse(bytes(), gone.signal);
    const second = json.parse(bytes(), never);
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect(await second).toEqual({ value });
  });
});
