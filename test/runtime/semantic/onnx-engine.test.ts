import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openOnnx } from "../../../runtime/semantic/onnx-engine.ts";

// The packages of the engine are not installed by default, so these are others in their place.

const folder = mkdtempSync(join(tmpdir(), "tenon-engine-"));
const cut = join(folder, "cut");
mkdirSync(join(cut, "1_Pooling"), { recursive: true });
for (const one of [folder, cut]) for (const file of ["model.onnx", "tokenizer.json"]) writeFileSync(join(one, file), "{}");
writeFileSync(join(cut, "sentence_bert_config.json"), '{"max_seq_length": 3}');
writeFileSync(join(cut, "1_Pooling/config.json"), '{"pooling_mode_cls_token": true}');
afterAll(() => rmSync(folder, { recursive: true }));

class FakeTensor {
  readonly type: string;
  readonly data: BigInt64Array;
  readonly dims: readonly number[];

  constructor(type: string, data: BigInt64Array, dims: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}
type Output = { readonly data: Float32Array; readonly dims: readonly number[] };
interface Fakes {
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  readonly run?: (feeds: Readonly<Record<string, FakeTensor>>) => Readonly<Record<string, Output>>;
  readonly create?: (file: string, options: object) => void;
  readonly tokenizer?: (name: object, config: object) => void;
}

const two = () => ({ last_hidden_state: { data: Float32Array.of(1, 2, 5, 6), dims: [1, 2, 2] } });

/** The packages, of which each token is the length of a word. */
function fakes({ inputs = ["input_ids"], outputs = ["last_hidden_state"], run = two, create, tokenizer }: Fakes) {
  const session = {
    inputNames: inputs,
    outputNames: outputs,
    run: async (feeds: Readonly<Record<string, FakeTensor>>) => run(feeds),
  };
  const engine = {
    Tensor: FakeTensor,
    InferenceSession: {
      create: async (file: string, options: object) => {
        create?.(file, options);
        return session;
      },
    },
  };
  class Tokenizer {
    constructor(given: object, config: object) {
      tokenizer?.(given, config);
    }
    encode(text: string) {
      return { ids: text.split(" ").map(({ length }) => length) };
    }
  }
  return async (name: string) => (name === "onnxruntime-node" ? { default: engine } : { Tokenizer });
}

const fail = (message: string) => () => {
  throw new Error(message);
};

it("gives a text's mean over its tokens, of length 1, from the inputs that the model takes", async () => {
  const fed: Readonly<Record<string, FakeTensor>>[] = [];
  const options: unknown[] = [];
  const run = (feeds: Readonly<Record<string, FakeTensor>>) => {
    fed.push(feeds);
    return two();
  };
  const inputs = ["input_ids", "token_type_ids", "attention_mask"];
  const engine = await openOnnx(folder, fakes({ inputs, run, create: (...given) => options.push(...given) }));
  expect(options).toEqual([join(folder, "model.onnx"), { logSeverityLevel: 4 }]);
  expect([engine.name, engine.dims]).toEqual([expect.stringContaining("tenon-engine-"), 2]);
  const embedding = await engine.embed("a bcd");
  expect(fed.at(-1)).toEqual({
    input_ids: new FakeTensor("int64", BigInt64Array.of(1n, 3n), [1, 2]),
    attention_mask: new FakeTensor("int64", BigInt64Array.of(1n, 1n), [1, 2]),
    token_type_ids: new FakeTensor("int64", BigInt64Array.of(0n, 0n), [1, 2]),
  });
  expect(embedding).toEqual({ vector: Float32Array.of(0.6, 0.8), cut: false });
  expect(fed[0]).toHaveProperty("input_ids.data", BigInt64Array.of(5n));
});

it.each<[what: string, run: () => Readonly<Record<string, Output>>, vector: readonly number[]]>([
  ["one vector", () => ({ sentence_embedding: { data: Float32Array.of(0, 2), dims: [1, 2] } }), [0, 1]],
  ["one vector for one token", () => ({ sentence_embedding: { data: Float32Array.of(3, 0), dims: [1, 1, 2] } }), [1, 0]],
  ["nothing but zeros", () => ({ sentence_embedding: { data: Float32Array.of(0, 0), dims: [1, 2] } }), [0, 0]],
])("takes %s from the output for sentences, and no input that the model lacks", async (_, run, wanted) => {
  const fed: object[] = [];
  const outputs = ["last_hidden_state", "sentence_embedding"];
  const engine = await openOnnx(
    folder,
    fakes({
      outputs,
      run: (feeds) => {
        fed.push(feeds);
        return { ...two(), ...run() };
      },
    }),
  );
  expect([...(await engine.embed("x")).vector]).toEqual(wanted);
  expect(Object.keys(fed[0] ?? {})).toEqual(["input_ids"]);
});

it("takes the first token where the folder says so, and reads as many tokens as it says, with the last one", async () => {
  const fed: unknown[] = [];
  const output = { data: Float32Array.of(0, 3, 5, 6, 7, 8), dims: [1, 3, 2] };
  const run = (feeds: Readonly<Record<string, FakeTensor>>) => {
    fed.push(feeds["input_ids"]?.data);
    return { last_hidden_state: output };
  };
  const engine = await openOnnx(cut, fakes({ run }));
  expect(await engine.embed("a bb ccc dddd eeeee")).toEqual({ vector: Float32Array.of(0, 1), cut: true });
  expect(fed.at(-1)).toEqual(BigInt64Array.of(1n, 2n, 5n));
});

it.each<[message: string, given: Fakes]>([
  [`${join(folder, "model.onnx")} cannot be loaded: no graph`, { create: fail("no graph\nat a place") }],
  ["tokenizer.json cannot be used: no vocabulary", { tokenizer: fail("no vocabulary") }],
  [
    `${join(folder, "model.onnx")} takes pixels, sound; known are input_ids, attention_mask, token_type_ids`,
    { inputs: ["input_ids", "pixels", "sound"] },
  ],
  [`${join(folder, "model.onnx")} fails: ${"x".repeat(300)}`, { run: fail("x".repeat(400)) }],
  ...[
    { data: Float32Array.of(1, 2, 3), dims: [1, 2, 2] },
    { data: Float32Array.of(1, 2, 3), dims: [1, 2] },
    { data: new Float32Array(), dims: [] },
    { data: new Float32Array(), dims: [1, 0] },
    { data: Float32Array.of(1, 2), dims: [2] },
  ].map((output): [string, Fakes] => [
    `${join(folder, "model.onnx")} gives [${output.dims.join(", ")}] instead of one vector, or one for each token`,
    { run: () => ({ last_hidden_state: output }) },
  ]),
  [`${join(folder, "model.onnx")} gives [] instead of one vector, or one for each token`, { run: () => ({}) }],
])("says what is wrong: %s", async (problem, given) => {
  await expect(openOnnx(folder, fakes(given))).rejects.toMatchObject({ problem });
});

it.each([
  [
    Object.assign(new Error("x"), { code: "ERR_MODULE_NOT_FOUND" }),
    "a transformer needs packages that are not installed by default: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node @huggingface/tokenizers",
  ],
  [
    Object.assign(new Error("no library"), { code: "ERR_DLOPEN_FAILED" }),
    "the package onnxruntime-node does not work: no library",
  ],
  [new Error("no code"), "the package onnxruntime-node does not work: no code"],
  ["a text", "the package onnxruntime-node does not work: a text"],
])("says whether a package is missing or broken: %s", async (thrown, problem) => {
  await expect(openOnnx(folder, () => Promise.reject(thrown))).rejects.toMatchObject({ problem });
});
