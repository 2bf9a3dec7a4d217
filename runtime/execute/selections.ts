import { documentText, type FieldTree, type RecordPlan } from "../contract/index.ts";
import { compileReader, type RecordReader } from "./record-reader.ts";

/** Built documents that are kept; the one not used for longest goes first. */
const mostKept = 500;

interface Built {
  readonly document: string;
  readonly read: RecordReader;
}

/** Documents and readers by operation and choice of fields. Both are made of the spec's own texts, so they may be shared by all callers. */
export class Selections {
  readonly #built = new Map<string, Built>();

  get(operation: string, plan: RecordPlan, choice: FieldTree | null): Built {
    const key = `${operation} ${choiceKey(choice)}`;
    const known = this.#built.get(key);
    if (known !== undefined) {
      // A Map keeps the order of insertion: used ones move to the end.
      if (this.#built.size > mostKept / 2) {
        this.#built.delete(key);
        this.#built.set(key, known);
      }
      return known;
    }
    const made = {
      document: plan.on === undefined ? "" : documentText(operation, plan, choice),
      read: compileReader(plan, choice),
    };
    this.#built.set(key, made);
    if (this.#built.size > mostKept) {
      const [oldest] = this.#built.keys();
      if (oldest !== undefined) this.#built.delete(oldest);
    }
    return made;
  }

  get size(): number {
    return this.#built.size;
  }
}

/** The same choice has the same key, in whatever order it was written. Names are quoted: those inside open objects are the caller's. */
function choiceKey(choice: FieldTree | null): string {
  if (choice === null) return "*";
  return `{${[...choice]
    .map(([name, inner]) => JSON.stringify(name) + (inner === null ? "" : choiceKey(inner)))
    .sort()
    .join()}}`;
}
