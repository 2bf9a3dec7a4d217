import type { OnnxEngine } from "./onnx-engine.ts";
import type { OnnxAnswer, OnnxEmbed } from "./onnx-messages.ts";

interface Job extends OnnxEmbed {
  readonly vectors: Float32Array[];
  cut: boolean;
}

/** Embeds texts one by one: then an embedding does not depend on the others, and a prompt waits for one passage at most. */
export class OnnxQueue {
  readonly #embed: OnnxEngine["embed"];
  readonly #answer: (answer: OnnxAnswer) => void;
  readonly #urgent: Job[] = [];
  readonly #others: Job[] = [];
  #working = false;

  constructor(embed: OnnxEngine["embed"], answer: (answer: OnnxAnswer) => void) {
    this.#embed = embed;
    this.#answer = answer;
  }

  /** Embeds the texts when their turn comes, and then answers. */
  add(request: OnnxEmbed): void {
    (request.urgent ? this.#urgent : this.#others).push({ ...request, vectors: [], cut: false });
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (;;) {
      const queue = this.#urgent.length > 0 ? this.#urgent : this.#others;
      const [job] = queue;
      if (job === undefined) break;
      const answer = await this.#next(job);
      if (answer === undefined) continue;
      this.#answer(answer);
      queue.shift();
    }
    this.#working = false;
  }

  /** Embeds the next text of a job. @returns the answer when the job is done */
  async #next(job: Job): Promise<OnnxAnswer | undefined> {
    const { id, texts, vectors } = job;
    const text = texts[vectors.length];
    try {
      if (text !== undefined) {
        const { vector, cut } = await this.#embed(text);
        vectors.push(vector);
        job.cut ||= cut;
      }
    } catch (thrown) {
      return { kind: "failed", id, message: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    return vectors.length < texts.length ? undefined : { kind: "embedded", id, vectors, cut: job.cut };
  }
}
