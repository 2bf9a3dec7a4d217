import { withoutByteOrderMark } from "../base/byte-order-mark.ts";
import { TenonError } from "../base/errors.ts";
import { grouped } from "../base/grouped.ts";
import { LargeJson, TooManyValues } from "../base/large-json.ts";
import { pause } from "../base/pause.ts";
import { retryAfter } from "../base/retry-after.ts";
import { HourlyBudget } from "./hourly-budget.ts";
import type { EmbeddingProvider } from "./provider.ts";

export interface HttpProviderOptions {
  /** Address of an endpoint that speaks OpenAI's interface for embeddings, with its path: `https://…/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly dims: number;
  /** Sent as `Authorization: Bearer …`; empty for none. */
  readonly key: string;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** The most passages that are sent within an hour; 0 for no bound. Prompts are not counted, because callers wait for them. */
  readonly perHour: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds before the first repetition; each further one waits twice as long. */
  readonly pause?: number;
}

/** How often a request is sent at most, when the endpoint refuses it by 429 or fails with 5xx. */
const attempts = 4;
/** Passages in one request. */
const mostPassages = 64;
/** The longest time (ms) that an endpoint may ask to wait. */
const longestWait = 30_000;
/** Bytes of an answer: more is refused before it is parsed. */
const largestAnswer = 64 * 1024 * 1024;
/** Bytes from which an answer is parsed in another thread, because parsing it here would hold up all requests. */
const large = 256 * 1024;
/** Values of an answer: the vectors of all its passages have fewer, with the most dimensions that any model has. */
const mostValues = 2_000_000;

/** The thread of this process for the answers of endpoints. */
const largeAnswers = new LargeJson({ values: mostValues, heap: 512 });

/**
 * Embeds by an endpoint that speaks OpenAI's interface for embeddings. Nothing but passages and prompts is sent to it.
 * https://platform.openai.com/docs/api-reference/embeddings
 */
export function httpProvider(options: HttpProviderOptions): EmbeddingProvider {
  const { url, model, dims } = options;
  const budget = new HourlyBudget(options.perHour);
  const embed = async (texts: readonly string[], signal: AbortSignal) =>
    vectorsOf(await ask(options, texts, signal), texts.length, dims);
  return {
    // Two endpoints may give the same name to different models.
    model: `${model} at ${new URL(url).host}`,
    dims,
    longestPrompt: 8_192,
    // A larger batch than the budget of an hour could never be sent.
    batch: options.perHour === 0 ? mostPassages : Math.min(mostPassages, options.perHour),
    embedPrompt: async (prompt, signal) => {
      const [vector = new Float32Array(dims)] = await embed([prompt], signal);
      return { vector, cut: false };
    },
    embedPassages: async (passages, signal) => {
      budget.take(passages.length);
      return embed(passages, signal);
    },
    close: async () => undefined,
  };
}

async function ask(options: HttpProviderOptions, texts: readonly string[], signal: AbortSignal): Promise<unknown> {
  const { pause: firstPause = 1_000 } = options;
  for (let attempt = 1; ; attempt++) {
    const answer = await send(options, texts, signal);
    const again = answer.status === 429 || answer.status >= 500;
    if (!again) return readAnswer(answer, signal);
    await answer.body?.cancel();
    if (attempt === attempts) throw failed(`responds with ${answer.status}`);
    const asked = retryAfter(answer.headers, Date.now()) ?? 0;
    await pause(Math.min(longestWait, Math.max(asked, firstPause * 2 ** (attempt - 1))), signal);
    signal.throwIfAborted();
  }
}

async function send(options: HttpProviderOptions, texts: readonly string[], signal: AbortSignal): Promise<Response> {
  const { url, model, dims, key, timeout, fetch = globalThis.fetch } = options;
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key === "" ? {} : { Authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts, dimensions: dims, encoding_format: "float" }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      // A redirect could send texts and key elsewhere.
      redirect: "error",
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const late = thrown instanceof Error && thrown.name === "TimeoutError";
    throw failed(late ? `does not respond within ${timeout} ms` : "cannot be reached", thrown);
  }
}

async function readAnswer(answer: Response, signal: AbortSignal): Promise<unknown> {
  if (!answer.ok) {
    await answer.body?.cancel();
    throw failed(`responds with ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > largestAnswer) throw failed("responds with more than 64 MiB");
      chunks.push(chunk);
    }
    const bytes = withoutByteOrderMark(Buffer.concat(chunks));
    if (bytes.length < large) return JSON.parse(bytes.toString());
    const parsed = await largeAnswers.parse(bytes, signal);
    if (parsed === undefined) throw failed("does not respond with JSON");
    return parsed.value;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof TooManyValues) throw failed(`responds with more than ${grouped(mostValues)} values`);
    throw thrown instanceof TenonError ? thrown : failed("does not respond with JSON", thrown);
  }
}

/** The vectors of an answer in the order of the texts, each made as long as 1. */
function vectorsOf(answer: unknown, count: number, dims: number): Float32Array[] {
  const data = typeof answer === "object" && answer !== null && "data" in answer ? answer.data : undefined;
  if (!Array.isArray(data) || data.length !== count) throw failed(`does not return one embedding for each of ${count} texts`);
  const vectors = new Map<number, Float32Array>();
  for (const [place, one] of data.entries() as Iterable<[number, { index?: unknown; embedding?: unknown }]>) {
    const { index = place, embedding } = one;
    if (!Array.isArray(embedding) || embedding.length !== dims)
      throw failed(`gives embeddings of ${Array.isArray(embedding) ? embedding.length : "no"} dimensions instead of ${dims}`);
    if (!embedding.every((member) => typeof member === "number" && Number.isFinite(member)))
      throw failed("gives embeddings that are not lists of numbers");
    vectors.set(Number(index), unit(Float32Array.from(embedding as number[])));
  }
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (vector === undefined) throw failed(`does not return one embedding for each of ${count} texts`);
    return vector;
  });
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((member) => member / length);
}

function failed(what: string, cause?: unknown): TenonError {
  return new TenonError("embedding_failed", `The endpoint for embeddings ${what}.`, cause === undefined ? {} : { cause });
}
