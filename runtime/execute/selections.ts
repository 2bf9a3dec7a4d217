import { BoundedMap } from "../base/bounded-map.ts";
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
  readonly #built = new Map<string, BoundedMap<string, Built>>();

  /** @param operation a document of GraphQL, or the name of an action on REST: several actions may make the same call */
  get(operation: string, plan: RecordPlan, choice: FieldTree | null): Built {
    let choices = this.#built.get(operation);
    if (choices === undefined) {
      choices = new BoundedMap(mostKept);
      this.#built.set(operation, choices);
    }
    return choices.getOrMake(choiceKey(choice), () => ({
      document: plan.on === undefined ? "" : documentText(operation, plan, choice),
      read: compileReader(plan, choice),
    }));
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
