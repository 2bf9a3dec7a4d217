import { documentText, type FieldTree, type RecordPlan } from "../contract/index.ts";
import { compileReader, type RecordReader } from "./record-reader.ts";

/** How many built documents are kept for one operation. The one whose last use is longest ago is dropped first. */
const mostKept = 100;

interface Built {
  readonly document: string;
  readonly read: RecordReader;
}

/** Keeps documents and readers by operation and choice of fields. They hold only texts of the spec, so all callers may share them. */
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
      // A Map keeps the order of insertion, so a used entry moves to the end. While less than half is full, the order does not matter yet.
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

/** The key of a choice, whatever the order of its names. Names are quoted, because those inside open objects come from the caller. */
function choiceKey(choice: FieldTree | null): string {
  if (choice === null) return "*";
  return `{${[...choice]
    .map(([name, inner]) => JSON.stringify(name) + (inner === null ? "" : choiceKey(inner)))
    .sort()
    .join()}}`;
}
