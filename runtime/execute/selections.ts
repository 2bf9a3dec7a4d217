import { documentText, type FieldTree, type RecordPlan } from "../contract/index.ts";
import { compileReader, type RecordReader } from "./record-reader.ts";

/** Built documents that are kept for one operation; the one not used for longest goes first. */
const mostKept = 100;

interface Built {
  readonly document: string;
  readonly read: RecordReader;
}

/** Documents and readers by operation and choice of fields. Both are made of the spec's own texts, so they may be shared by all callers. */
export class Selections {
  readonly #built = new Map<string, Map<string, Built>>();

  get(operation: string, plan: RecordPlan, choice: FieldTree | null): Built {
    let choices = this.#built.get(operation);
    if (choices === undefined) {
      choices = new Map();
      this.#built.set(operation, choices);
    }
    const key = choiceKey(choice);
    const known = choices.get(key);
    if (known !== undefined) {
      // A Map keeps the order of insertion: used ones move to the end. The first half of the room needs no order.
      if (choices.size > mostKept / 2) {
        choices.delete(key);
        choices.set(key, known);
      }
      return known;
    }
    const made = {
      document: plan.on === undefined ? "" : documentText(operation, plan, choice),
      read: compileReader(plan, choice),
    };
    choices.set(key, made);
    if (choices.size > mostKept) {
      const [oldest] = choices.keys();
      if (oldest !== undefined) choices.delete(oldest);
    }
    return made;
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
