import { readFileSync, statSync } from "node:fs";
import { Kernel } from "./kernel.ts";
import { ModelError } from "./model-error.ts";
import { Tokeniser } from "./tokeniser.ts";

/** A text is read up to this many tokens. */
const mostTokens = 8_192;

/** The layout of a model, as `model.json` describes it. */
interface Description {
  readonly name: string;
  readonly dims: number;
  readonly rows: number;
  readonly hidden: number;
}

/** Addresses in the memory of the kernel. */
interface Places {
  readonly rows: number;
  readonly scales: number;
  /** The matrix of the gate with its columns as rows. */
  readonly gate: number;
  readonly inner: number;
  readonly outer: number;
  readonly tokens: number;
  readonly weights: number;
  readonly x: number;
  readonly shorts: number;
  readonly products: number;
}

/**
 * The model of this project: a table of words, a gate that weighs them, and a small head. The arithmetic is that of "From tokens to the
 * embedding" in model/README.md.
 */
export class StaticModel {
  readonly name: string;
  readonly dims: number;
  readonly #hidden: Float32Array;
  readonly #tokeniser: Tokeniser;
  readonly #kernel = new Kernel();
  readonly #at: Places;
  readonly #scales: Float32Array;
  readonly #gateScales: Float32Array;
  readonly #innerScales: Float32Array;
  readonly #outerScales: Float32Array;
  readonly #bias: Float32Array;

  /**
   * Reads a model of about 10 MB.
   *
   * @throws ModelError when a file is missing, cut, or does not fit the others
   */
  constructor(folder: URL) {
    const description = readDescription(folder);
    const { name, dims, rows, hidden } = description;
    this.name = name;
    this.dims = dims;
    this.#hidden = new Float32Array(hidden);
    const entries = read(folder, "vocab.txt").toString().replace(/\n$/, "").split("\n");
    if (entries.length !== rows) throw new ModelError(`vocab.txt has ${entries.length} entries instead of ${rows}`);
    this.#tokeniser = new Tokeniser(entries);
    const table = sized(folder, "embeddings.i8", rows * dims);
    this.#scales = floatsOf(sized(folder, "scales.f32", rows * 4));
    const lengths = headParts(description);
    const head = partsOf(
      sized(
        folder,
        "head.bin",
        lengths.reduce((sum, one) => sum + one),
      ),
      lengths,
    );
    const [bias, gateScales, innerScales, outerScales, gate, inner, outer] = head;
    this.#bias = floatsOf(bias);
    this.#gateScales = floatsOf(gateScales);
    this.#innerScales = floatsOf(innerScales);
    this.#outerScales = floatsOf(outerScales);
    const put = (bytes: Uint8Array) => {
      const at = this.#kernel.reserve(bytes.length);
      this.#kernel.bytes(at, bytes.length).set(bytes);
      return at;
    };
    this.#at = {
      rows: put(table),
      scales: put(new Uint8Array(this.#scales.buffer)),
      gate: put(transposed(gate, dims)),
      inner: put(inner),
      outer: put(outer),
      tokens: this.#kernel.reserve(mostTokens * 4),
      weights: this.#kernel.reserve(mostTokens * 4),
      x: this.#kernel.reserve(dims * 4),
      shorts: this.#kernel.reserve(Math.max(dims, hidden) * 2),
      products: this.#kernel.reserve(Math.max(dims, hidden) * 4),
    };
  }

  /** The embedding of a text, of length 1; all zeros when no word of the text is known. */
  embed(text: string): Float32Array {
    const { dims } = this;
    const at = this.#at;
    const { run } = this.#kernel;
    const tokens = this.#tokeniser.tokens(text, mostTokens);
    const { length } = tokens;
    if (length === 0) return new Float32Array(dims);
    this.#kernel.integers(at.tokens, length).set(tokens);
    const weights = this.#kernel.floats(at.weights, length);
    const x = this.#kernel.floats(at.x, dims);
    for (let i = 0; i < length; i++) weights[i] = this.#scales[tokens[i] ?? 0] ?? 0;
    run.sumRows(at.rows, at.tokens, at.weights, length, dims, at.x);
    scale(x, 4);
    for (let i = 0; i < dims; i++) x[i] = (x[i] ?? 0) * (this.#gateScales[i] ?? 0);
    this.#multiply(at.gate, dims, x, x);
    run.dotRows(at.rows, at.scales, at.tokens, length, dims, at.x, at.weights);
    for (let i = 0; i < length; i++) weights[i] = (2 / (1 + Math.exp(-(weights[i] ?? 0)))) * (this.#scales[tokens[i] ?? 0] ?? 0);
    run.sumRows(at.rows, at.tokens, at.weights, length, dims, at.x);
    scale(x, 16);
    const hidden = this.#hidden;
    this.#multiply(at.inner, hidden.length, x, hidden);
    for (let i = 0; i < hidden.length; i++)
      hidden[i] = gelu((hidden[i] ?? 0) * (this.#innerScales[i] ?? 0) + (this.#bias[i] ?? 0));
    const y = new Float32Array(dims);
    this.#multiply(at.outer, dims, hidden, y);
    for (let i = 0; i < dims; i++) y[i] = (x[i] ?? 0) + 4 * (y[i] ?? 0) * (this.#outerScales[i] ?? 0);
    scale(y, 1);
    return y;
  }

  /**
   * Multiplies a matrix of signed bytes with a vector, whose members are rounded to 16 bits for this: that is three times as fast as with
   * floats, and the error is below that of the bytes by far.
   */
  #multiply(matrix: number, rows: number, vector: Float32Array, out: Float32Array): void {
    const width = vector.length;
    const { shorts: shortsAt, products: productsAt } = this.#at;
    const shorts = this.#kernel.shorts(shortsAt, width);
    let largest = 0;
    for (let i = 0; i < width; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
    // Even when all bytes and all members are the largest ones, a sum fits into 32 bits.
    const most = Math.min(32_767, Math.floor((2 ** 31 - 1) / (128 * width)));
    const factor = largest === 0 ? 1 : most / largest;
    for (let i = 0; i < width; i++) shorts[i] = Math.round((vector[i] ?? 0) * factor);
    this.#kernel.run.multiplyRows(matrix, rows, width, shortsAt, productsAt);
    const products = this.#kernel.integers(productsAt, rows);
    for (let i = 0; i < rows; i++) out[i] = (products[i] ?? 0) / factor;
  }
}

/** The folder of the model that belongs to this project. */
export const modelFolder = new URL("./model/", import.meta.url);

/** The mean embedding of many passages. It is subtracted before the sign bits of an embedding are taken. @throws ModelError */
export function readMean(folder: URL): Float32Array {
  return floatsOf(sized(folder, "mean.f32", readDescription(folder).dims * 4));
}

/** Gives a vector a length. One of length 0 stays as it is. */
function scale(vector: Float32Array, length: number): void {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) ** 2;
  const factor = sum === 0 ? 0 : length / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * factor;
}

/** Values of gelu between -`reach` and `reach`, so many to the unit. Between two of them the error of a straight line is below 1e-6. */
const reach = 8;
const perUnit = 512;
const geluValues = Float32Array.from({ length: 2 * reach * perUnit + 2 }, (_, index) => exactGelu(index / perUnit - reach));

/** x/2 (1 + erf(x / sqrt 2)) */
function gelu(x: number): number {
  if (x >= reach) return x;
  if (!(x > -reach)) return 0;
  const place = (x + reach) * perUnit;
  const index = Math.floor(place);
  const before = geluValues[index] ?? 0;
  return before + ((geluValues[index + 1] ?? 0) - before) * (place - index);
}

function exactGelu(x: number): number {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: the error is below 1.5e-7.
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = (1 - series * Math.exp(-z * z)) * Math.sign(x);
  return (x / 2) * (1 + erf);
}

/** Reads what a model is called and how large it is, and checks that its files have the right sizes. @throws ModelError */
export function checkModel(folder: URL): Description {
  const description = readDescription(folder);
  const { dims, rows } = description;
  const sizes = {
    "embeddings.i8": rows * dims,
    "scales.f32": rows * 4,
    "head.bin": headParts(description).reduce((sum, one) => sum + one),
    "mean.f32": dims * 4,
  };
  for (const [file, size] of Object.entries(sizes)) refuseSize(file, statOf(folder, file), size);
  statOf(folder, "vocab.txt");
  return description;
}

function readDescription(folder: URL): Description {
  const given = readJson(folder, "model.json");
  const { name, dims, rows, hidden } = given;
  const fits = [dims, rows, hidden].every((one) => Number.isInteger(one) && Number(one) > 0);
  if (typeof name !== "string" || !fits || Number(dims) % 16 !== 0 || Number(hidden) % 16 !== 0)
    throw new ModelError(
      "model.json must have name, and dims, rows and hidden as whole numbers, dims and hidden divisible by 16",
    );
  return { name, dims: Number(dims), rows: Number(rows), hidden: Number(hidden) };
}

/** Bytes of the parts of `head.bin`: the bias, the factors of the three matrices, and the matrices. */
function headParts({ dims, hidden }: Description): number[] {
  return [hidden * 4, dims * 4, hidden * 4, dims * 4, dims * dims, hidden * dims, dims * hidden];
}

function readJson(folder: URL, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(read(folder, file).toString()) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    if (thrown instanceof ModelError) throw thrown;
    throw new ModelError(`${file} is not JSON`);
  }
}

function read(folder: URL, file: string): Buffer {
  return found(file, () => readFileSync(new URL(file, folder)));
}

function statOf(folder: URL, file: string): number {
  return found(file, () => statSync(new URL(file, folder)).size);
}

function found<Value>(file: string, look: () => Value): Value {
  try {
    return look();
  } catch (thrown) {
    throw new ModelError(
      `${file} cannot be read (${thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown"})`,
    );
  }
}

function sized(folder: URL, file: string, bytes: number): Uint8Array {
  const content = read(folder, file);
  refuseSize(file, content.length, bytes);
  return content;
}

function refuseSize(file: string, size: number, wanted: number): void {
  if (size !== wanted) throw new ModelError(`${file} has ${size} bytes instead of ${wanted}`);
}

/** A square matrix with its columns as rows. */
function transposed(matrix: Uint8Array, size: number): Uint8Array {
  return matrix.map((_, at) => matrix[(at % size) * size + Math.floor(at / size)] ?? 0);
}

/** A copy, because the bytes of a file need not begin at a multiple of four. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

type Seven<Value> = [Value, Value, Value, Value, Value, Value, Value];

function partsOf(bytes: Uint8Array, lengths: readonly number[]): Seven<Uint8Array> {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return bytes.subarray(end - length, end);
  }) as Seven<Uint8Array>;
}
