import type { Warning } from "../contract/index.ts";

/** The most fields that are counted. */
const mostFields = 50;

/** Counts the values of a sync run that do not fit the spec, by field. */
export class MisfitCounter {
  readonly #counts = new Map<string, number>();

  add({ path, code }: Warning): void {
    const field = `${path.replace(/\.\d+(?=\.|$)/g, "").replace(/^data\.?/, "")} ${code}`;
    const known = this.#counts.get(field);
    if (known !== undefined || this.#counts.size < mostFields) this.#counts.set(field, (known ?? 0) + 1);
  }

  /** With those of the syncs before; null where there are none. @param before undefined where everything was read anew */
  since(before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> | null {
    const all = { ...before };
    for (const [field, count] of this.#counts) all[field] = (all[field] ?? 0) + count;
    return Object.keys(all).length === 0 ? null : Object.fromEntries(Object.entries(all).slice(0, mostFields));
  }

  get any(): boolean {
    return this.#counts.size > 0;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
