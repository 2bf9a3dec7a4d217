import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pause } from "../base/pause.ts";
import { EmbeddingThread, niceOfPassages } from "../semantic/embedding-calls.ts";
import type { Passage } from "../semantic/passages.ts";
import type { EmbeddingProvider } from "../semantic/provider.ts";
import { packVector, vectorCode } from "../semantic/vectors.ts";
import { newLeaseOwner } from "../store/lease.ts";
import type { EmbeddedText, EmbeddingQueue, WaitingText } from "../store/semantic.ts";

/** Characters of the texts that are embedded and stored together. */
const batchCharacters = 200_000;
/** Milliseconds between two looks at a queue that was empty. */
const idlePause = 500;
/** Milliseconds to wait after a failure; the pause doubles with each further failure, up to the longest. */
const firstPause = 2_000;
const longestPause = 300_000;
/** How much the last batch counts in the measured speed. */
const share = 0.3;

/** How far the texts are embedded, and why they are not embedded at present. */
export interface EmbeddingProgress {
  readonly waiting: number;
  readonly problem?: string;
}

/** Texts, and the passages into which they were cut. */
interface Prepared {
  readonly texts: readonly WaitingText[];
  readonly passages: readonly (readonly Passage[])[];
}

/**
 * Embeds the texts that wait in the queue of the store. Cutting and embedding run in threads, and the writer of the store only stores what
 * they made. Texts whose passages were not stored when it ended or crashed still wait.
 */
export class Embedder {
  readonly #queue: EmbeddingQueue;
  readonly #provider: EmbeddingProvider;
  readonly #log: Logger;
  readonly #owner = newLeaseOwner();
  readonly #cutter = new EmbeddingThread(niceOfPassages);
  readonly #end = new AbortController();
  /**
   * What was made of the present texts, by hash. It is kept when the model fails midway, so that the next attempt asks, and pays, only for
   * the rest.
   */
  readonly #made = new Map<string, { readonly vector: Uint8Array; readonly code: Uint8Array }>();
  #running: Promise<void> = Promise.resolve();
  #perSecond = 0;
  /** The last failure, while it lasts. */
  #failed: TenonError | undefined;

  constructor(queue: EmbeddingQueue, provider: EmbeddingProvider, log: Logger) {
    this.#queue = queue;
    this.#provider = provider;
    this.#log = log;
  }

  /** Begins to embed, and goes on until `stop`. */
  start(): void {
    this.#running = this.#run();
  }

  /**
   * Waits until no text waits any longer, until the model fails, or until the signal. Another process may be embedding by the same model.
   */
  async drained(signal: AbortSignal, onProgress: (progress: EmbeddingProgress) => void): Promise<void> {
    for (let first = true; !signal.aborted && !this.#end.signal.aborted; first = false) {
      const waiting = await this.#queue.waitingCount(this.#provider.model);
      const problem = waiting === 0 ? undefined : this.#failed?.message;
      if (waiting > 0 || !first) onProgress({ waiting, ...(problem === undefined ? {} : { problem }) });
      if (waiting === 0 || problem !== undefined) return;
      await pause(idlePause / 2, AbortSignal.any([signal, this.#end.signal]), "idle");
    }
  }

  /** Ends after the batch that is being stored. The provider stays open, because prompts may still need it. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#cutter.close();
    await this.#running;
    // Where the store has failed, its lease runs out by itself.
    await this.#queue.endEmbedding(this.#provider.model, this.#owner).catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { model, dims } = this.#provider;
    let failurePause = firstPause;
    for (let open = false; !this.#end.signal.aborted; ) {
      try {
        if (!open) await this.#queue.openModel({ name: model, dims });
        open = true;
        const worked = await this.#embedAll();
        if (this.#failed !== undefined) await this.#queue.noteProblem(model, null);
        this.#failed = undefined;
        failurePause = firstPause;
        if (!worked && !(await this.#queue.dropOtherModels(model))) await pause(idlePause, this.#end.signal, "idle");
      } catch (thrown) {
        if (this.#end.signal.aborted) return;
        await this.#noteFailure(asTenonError(thrown));
        await pause(failurePause, this.#end.signal, "idle");
        failurePause = Math.min(longestPause, failurePause * 2);
      }
    }
  }

  async #noteFailure(error: TenonError): Promise<void> {
    if (error.message !== this.#failed?.message)
      this.#log.warn({ err: error, model: this.#provider.model }, "texts cannot be embedded");
    this.#failed = error;
    // A store that has failed itself cannot note it.
    await this.#queue.noteProblem(this.#provider.model, error.message).catch(() => undefined);
  }

  /**
   * Embeds until the queue is empty. The next texts are read and cut while the present ones are embedded.
   *
   * @returns whether there were any
   */
  async #embedAll(): Promise<boolean> {
    let next = this.#prepare(0);
    let worked = false;
    try {
      for (;;) {
        const { texts, passages } = await next;
        const last = texts.at(-1);
        if (last === undefined || this.#end.signal.aborted) return worked;
        worked = true;
        next = this.#prepare(last.id);
        // This promise may be rejected before it is awaited, while the present texts are embedded.
        next.catch(() => undefined);
        await this.#embed(texts, passages);
      }
    } finally {
      // After a failure, nothing else awaits the texts that are being prepared.
      await next.catch(() => undefined);
    }
  }

  async #prepare(after: number): Promise<Prepared> {
    const texts = await this.#queue.waitingTexts(this.#provider.model, this.#owner, after, batchCharacters);
    return { texts, passages: texts.length === 0 ? [] : await this.#cutter.cut(texts.map(({ text }) => text)) };
  }

  async #embed(texts: readonly WaitingText[], passages: readonly (readonly Passage[])[]): Promise<void> {
    const began = performance.now();
    const fresh = new Map<string, string>();
    for (const [index, { known }] of texts.entries()) {
      const stored = new Set(known);
      for (const { hash, text } of passages[index] ?? []) if (!stored.has(hash)) fresh.set(hash, text);
    }
    const made = await this.#vectors(fresh);
    const embedded = texts.map(
      ({ id, field, version }, index): EmbeddedText => ({
        id,
        field,
        version,
        passages: (passages[index] ?? []).map(({ at, end, hash }) => {
          const found = made.get(hash);
          return found === undefined ? { at, end, hash } : { at, end, hash, made: found };
        }),
      }),
    );
    const rate = texts.length / ((performance.now() - began) / 1000);
    this.#perSecond = this.#perSecond === 0 ? rate : this.#perSecond * (1 - share) + rate * share;
    if (!this.#end.signal.aborted) await this.#queue.keepPassages(this.#provider.model, embedded, this.#perSecond);
    this.#made.clear();
  }

  /** Embeds passages. @returns what is stored of each, by its hash */
  async #vectors(fresh: ReadonlyMap<string, string>) {
    const { batch, dims, mean } = this.#provider;
    const made = this.#made;
    for (const hash of made.keys()) if (!fresh.has(hash)) made.delete(hash);
    const missing = [...fresh].filter(([hash]) => !made.has(hash));
    for (let from = 0; from < missing.length; from += batch) {
      const part = missing.slice(from, from + batch);
      const vectors = await this.#provider.embedPassages(
        part.map(([, text]) => text),
        this.#end.signal,
      );
      if (vectors.length !== part.length)
        throw new TenonError("embedding_failed", `The model gave ${vectors.length} embeddings for ${part.length} passages.`);
      for (const [index, vector] of vectors.entries())
        made.set(part[index]?.[0] ?? "", { vector: packed(vector, dims), code: vectorCode(vector, mean) });
    }
    return made;
  }
}

/** @throws TenonError `embedding_failed` for a vector that must not be stored */
function packed(vector: Float32Array, dims: number): Uint8Array {
  try {
    return packVector(vector, dims);
  } catch (thrown) {
    throw new TenonError("embedding_failed", `The model failed: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  }
}
