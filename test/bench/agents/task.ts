import { readFileSync } from "node:fs";
import { parse } from "yaml";

type Params = Readonly<Record<string, unknown>>;

/** One call of a reference plan: `read` and `write` name an entity and an action, the two searches an entity. */
export interface Step {
  readonly read?: string;
  readonly write?: string;
  readonly search?: string;
  readonly semantic?: string;
  readonly params: Params;
  readonly connector?: string;
}

/** A question, how a good agent finds the answer, and how to see that it did. */
export interface Task {
  readonly ask: string;
  readonly connector: string;
  readonly do: readonly Step[];
  /** The steps may be one call where the interface allows that. */
  readonly together?: true;
  /** Words that the last response must have, and must not have. */
  readonly has: readonly string[];
  readonly lacks: readonly string[];
  /** What GitHub itself answers to a query afterwards. */
  readonly state?: { readonly query: string; readonly has: readonly string[] };
}

type Written = Omit<Task, "connector" | "has" | "lacks"> & Partial<Pick<Task, "connector" | "has" | "lacks">>;

export function readTasks(): Task[] {
  const written = parse(readFileSync(new URL("tasks.yaml", import.meta.url), "utf8")) as readonly Written[];
  return written.map((task) => ({ connector: "github", has: [], lacks: [], ...task }));
}

/** A step as entity, action and params; a search has no action. */
export interface Call {
  readonly kind: "read" | "write" | "search" | "semantic";
  readonly connector: string;
  readonly entity: string;
  readonly action: string | undefined;
  readonly params: Params;
}

export function callOf(step: Step, connector: string): Call {
  const kinds = ["read", "write", "search", "semantic"] as const;
  const kind = kinds.find((one) => step[one] !== undefined);
  if (kind === undefined) throw new Error("a step is read, write, search or semantic");
  const [entity = "", action] = (step[kind] ?? "").split(".");
  return { kind, connector: step.connector ?? connector, entity, action, params: step.params };
}

/** What is missing from a response, or should not be in it. */
export function wrongIn(
  text: string,
  { has, lacks = [] }: { readonly has: readonly string[]; readonly lacks?: readonly string[] },
): string[] {
  return [
    ...has.filter((word) => !isIn(text, word)).map((word) => `lacks ${word}`),
    ...lacks.filter((word) => text.includes(word)).map((word) => `has ${JSON.stringify(word)}`),
  ];
}

/** Whether a text has a word that is not part of a longer one. */
function isIn(text: string, word: string): boolean {
  const quoted = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.-])${quoted}(?![\\w-])`).test(text) || text.includes(JSON.stringify(word));
}
