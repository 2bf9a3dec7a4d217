import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readOnnxFolder, tokensRead } from "../../../runtime/semantic/onnx-folder.ts";
import { onnxProvider } from "../../../runtime/semantic/onnx-provider.ts";
import type { EmbeddingProvider } from "../../../runtime/semantic/provider.ts";

// TENON_TEST_ONNX names the folder of a sentence transformer. Without it, and without the packages of the engine, only the refusals are
// tested.

const folder = process.env["TENON_TEST_ONNX"] ?? "";
const installed = ["onnxruntime-node", "@huggingface/tokenizers"].every((name) => {
  try {
    return createRequire(import.meta.url).resolve(name) !== "";
  } catch {
    return false;
  }
});
const usable = folder !== "" && installed;
const root = mkdtempSync(join(tmpdir(), "tenon-onnx-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

/** A new folder, with the files of the model when it is asked for. */
function newFolder(files: Readonly<Record<string, string>>, copy = false): string {
  const place = join(root, String(folders++));
  mkdirSync(place);
  if (copy) cpSync(folder, place, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return place;
}

const opening = (place: string) => onnxProvider(place, 20_000);
const signal = AbortSignal.timeout(110_000);

describe("a transformer that cannot be used", () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["no model", { "tokenizer.json": "{}" }, "has no file that ends with .onnx"],
    ["no tokeniser", { "model.onnx": "" }, "has no tokenizer.json"],
    ["a tokeniser that is no JSON", { "model.onnx": "", "tokenizer.json": "{" }, "tokenizer.json is not JSON"],
    ["two models", { "a.onnx": "", "b.onnx": "", "tokenizer.json": "{}" }, "has 2 files that end with .onnx"],
    [
      "neither of the two ways to pool",
      {
        ...{ "model.onnx": "", "tokenizer.json": "{}" },
        "1_Pooling/config.json":
          '{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": false, "pooling_mode_max_tokens": true}',
      },
      "names neither the mean nor the first token",
    ],
  ])("is refused: %s", (_what, files, problem) => {
    expect(() => readOnnxFolder(newFolder(files))).toThrow(problem);
  });

  it("is refused in one line when there is no such folder", async () => {
    const message = await opening(join(root, "nowhere")).then(String, (thrown: Error) => thrown.message);
    expect(message).toMatch(/cannot be used.*there is no folder/);
    expect(message.match(/cannot be used/g)).toHaveLength(1);
    expect(message).not.toContain("\n");
  });

  it.skipIf(installed)("is refused with the command that installs the packages", async () => {
    const place = newFolder({ "model.onnx": "", "tokenizer.json": "{}" });
    await expect(opening(place)).rejects.toThrow("npm install onnxruntime-node @huggingface/tokenizers");
  });

  it.skipIf(!installed)("is refused when a file is not what it should be", async () => {
    await expect(opening(newFolder({ "model.onnx": "x", "tokenizer.json": "{}" }))).rejects.toThrow(
      "tokenizer.json cannot be used",
    );
  });

  it.skipIf(!usable)("is refused when its model is cut", async () => {
    const place = newFolder({}, true);
    truncateSync(join(place, "model_int8.onnx"), 1_000_000);
    await expect(opening(place)).rejects.toThrow("cannot be loaded");
  });
});

it.each([
  [[101, 7, 102], [101, 7, 102], false],
  [[101, 7, 8, 102], [101, 7, 8, 102], false],
  [[101, 7, 8, 9, 102], [101, 7, 8, 102], true],
])("of the tokens %j, the first ones and the last one are read: %j, cut: %j", (all, ids, cut) => {
  expect(tokensRead(all, { longest: 4 })).toEqual({ ids, cut });
});

it("the name of a model is that of its folder, with what tells its files from others", () => {
  const nameOf = (files: Readonly<Record<string, string>>) =>
    readOnnxFolder(newFolder({ "model.onnx": "weights", "tokenizer.json": "{}", ...files })).name.split(" ");
  const [folder, digest] = nameOf({});
  expect([folder, digest]).toEqual([String(folders - 1), expect.stringMatching(/^[0-9a-f]{12}$/)]);
  expect(nameOf({ "tokenizer_config.json": "{}" })[1]).toBe(digest);
  expect(nameOf({ "model.onnx": "others" })[1]).not.toBe(digest);
  expect(nameOf({ "tokenizer.json": '{"a": 1}' })[1]).not.toBe(digest);
});

describe("the process of a transformer", () => {
  const start = (timeout: number) => onnxProvider(root, timeout, new URL("./onnx-child.ts", import.meta.url));
  let provider: EmbeddingProvider;
  beforeAll(async () => {
    provider = await start(100_000);
  });
  afterAll(() => provider.close());
  const lengths = async (...texts: readonly string[]) => (await provider.embedPassages(texts, signal)).map(([length]) => length);

  it("gives one vector for each text, and says when one was cut", async () => {
    expect([provider.model, provider.dims]).toEqual(["fake", 2]);
    expect(await lengths("a", "bb")).toEqual([1, 2]);
    expect(await provider.embedPrompt("cut", signal)).toEqual({ vector: Float32Array.of(3, 0), cut: true });
  });

  it.each([
    ["fail", "The transformer failed: it cannot embed a text."],
    ["end", "The transformer failed: its process has ended (3)."],
  ])("fails at a text with which it has to %s, and goes on with the next one", async (text, message) => {
    await expect(provider.embedPrompt(text, signal)).rejects.toMatchObject({ code: "embedding_failed", message });
    expect(await lengths("again")).toEqual([5]);
  });

  it("is ended when it does not respond", async () => {
    const hasty = await start(1);
    const message = "The transformer failed: no response within 1 ms.";
    await expect(hasty.embedPrompt("hang", signal)).rejects.toMatchObject({ code: "embedding_failed", message });
    await hasty.close();
  });
});

describe.skipIf(!usable)("a transformer", () => {
  let provider: EmbeddingProvider;
  beforeAll(async () => {
    provider = await opening(folder);
  });
  afterAll(() => provider.close());
  const open: EmbeddingProvider[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const embed = async (text: string) => (await provider.embedPrompt(text, signal)).vector;
  const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, member, at) => sum + member * (b[at] ?? 0), 0);

  it("gives vectors of length 1, near for the same meaning and far for another", async () => {
    const [leak, same, other] = await Promise.all(
      ["memory usage grows until the process is killed", "it leaks RAM and dies", "the button has the wrong colour"].map(embed),
    );
    if (leak === undefined || same === undefined || other === undefined) throw new Error("unreachable");
    expect(leak).toHaveLength(provider.dims);
    expect(product(leak, leak)).toBeCloseTo(1, 5);
    expect(product(leak, same)).toBeGreaterThan(product(leak, other) + 0.2);
  });

  it("gives a text the same vector whatever is embedded with it", async () => {
    const texts = ["a crash at start", "The parser is slow. ".repeat(30), "日本語 🦊 \u0000 end"];
    const together = await provider.embedPassages(texts, signal);
    for (const [index, text] of texts.entries()) expect([...(await embed(text))]).toEqual([...(together[index] ?? [])]);
  });

  it("says when it has not read all of a prompt", async () => {
    expect((await provider.embedPrompt("crash", signal)).cut).toBe(false);
    expect((await provider.embedPrompt("crash ".repeat(400), signal)).cut).toBe(true);
  });

  it("lets a prompt go before passages that wait", async () => {
    let done = false;
    const many = provider
      .embedPassages(
        Array.from({ length: 12 }, (_, index) => `passage ${index} `.repeat(60)),
        signal,
      )
      .then(() => {
        done = true;
      });
    await embed("urgent");
    expect(done).toBe(false);
    await many;
  });

  it("ends a text that takes too long, and goes on with the next one", async () => {
    const hasty = await onnxProvider(folder, 400);
    open.push(hasty);
    const many = Array.from({ length: 400 }, () => "slow ".repeat(300));
    await expect(hasty.embedPassages(many, signal)).rejects.toMatchObject({ code: "embedding_failed" });
    expect((await hasty.embedPassages(["again"], signal))[0]).toHaveLength(hasty.dims);
  });

  it("stops waiting when its caller does", async () => {
    const reason = new Error("nobody waits");
    const ended = new AbortController();
    const waiting = provider.embedPassages(["slow ".repeat(300)], ended.signal);
    ended.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await embed("next")).toHaveLength(provider.dims);
  });

  it("has another name when its files are others", async () => {
    const tokenizer = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8")) as object;
    const place = newFolder({ "tokenizer.json": JSON.stringify({ ...tokenizer, version: "other" }) }, true);
    writeFileSync(join(place, "tokenizer.json"), JSON.stringify({ ...tokenizer, version: "other" }));
    const other = await opening(place);
    open.push(other);
    expect(other.model.split(" ")[1]).not.toBe(provider.model.split(" ")[1]);
    expect(other.model).toMatch(/^\d+ [0-9a-f]{12}$/);
  });
});
