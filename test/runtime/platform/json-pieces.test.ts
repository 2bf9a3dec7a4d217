import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, type Piece, put } from "../../../runtime/platform/json-pieces.ts";
import { parseLarge } from "../../../runtime/platform/large-json.ts";

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

describe("a large answer", () => {
  const value = { nodes: Array.from({ length: 60_000 }, (_, number) => ({ number, title: `Title ${number}` })) };
  const bytes = () => Buffer.from(JSON.stringify(value)) as Buffer<ArrayBuffer>;
  const never = new AbortController().signal;

  it("is parsed while the event loop goes on", async () => {
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    const found = await parseLarge(bytes(), never);
    done = true;
    expect(found).toEqual(value);
    expect(turns).toBeGreaterThan(10);
  });

  it("that is not JSON is the empty text", async () => {
    expect(await parseLarge(Buffer.from("<html>".repeat(1000)) as Buffer<ArrayBuffer>, never)).toBe("");
  });

  it("that is nested too deeply takes no other answer with it", async () => {
    const nested = Buffer.from("[".repeat(300_000) + "]".repeat(300_000)) as Buffer<ArrayBuffer>;
    const [deep, beside] = await Promise.all([parseLarge(nested, never), parseLarge(bytes(), never)]);
    expect(deep).toBe("");
    expect(beside).toEqual(value);
  });

  it("leaves nothing behind that would keep the process alive", () => {
    const module = JSON.stringify(new URL("../../../runtime/platform/large-json.ts", import.meta.url).href);
    const file = join(mkdtempSync(join(tmpdir(), "tenon-")), "program.mjs");
    writeFileSync(
      file,
      `import { parseLarge } from ${module}; console.log(await parseLarge(Buffer.from("[1,2]"), new AbortController().signal))`,
    );
    expect(execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 })).toBe("[ 1, 2 ]\n");
  });

  it("is given up when its caller goes away, and the next one is not", async () => {
    const gone = new AbortController();
    const first = parseLarge(bytes(), gone.signal);
    const second = parseLarge(bytes(), never);
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect(await second).toEqual(value);
  });
});
