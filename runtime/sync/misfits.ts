import type { Warning } from "../contract/index.ts";

/** The most fields that are counted. */
const mostFields = 50;

/** Counts the values of a pass that do not fit the spec, by field. */
export class Misfits {
  readonly #counts = new Map<string, number>();

  add({ path, code }: Warning): void {
    const field = `${path.replace(/\.\d+(?=\.|$)/g, "").replace(/^data\.?/, "")} ${code}`;
    const known = this.#counts.get(field);
    if (known !== undefined || this.#counts.size < mostFields) this.#counts.set(field, (known ?? 0) + 1);
  }

  get any(): boolean {
    return this.#counts.size > 0;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
