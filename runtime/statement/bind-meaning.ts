import type { Meaning } from "./algebra.ts";
import { bindExpression, type Clause } from "./clause.ts";
import type { NamedColumn } from "./scope.ts";
import {
  type Body,
  listOf,
  type Node,
  nodeOf,
  onlyMembers,
  positionOf,
  StatementError,
  textMember,
  unknownName,
} from "./syntax.ts";
import type { Type } from "./types.ts";

/** The columns of `semantic_search(…)`, in the order of its values. */
export const meaningTypes = { key: "text", score: "number", context: "text" } as const satisfies Readonly<Record<string, Type>>;

export function meaningColumns(source: number): NamedColumn[] {
  return Object.entries(meaningTypes).map(([name, type], index) => ({
    name,
    column: { kind: "column", source, name: `c${index}`, type },
  }));
}

/** Parameters of the action that are members of `semantic`. */
const members = ["field", "prompt", "filter", "context_size", "dedup", "min_similarity"];
/** `LIMIT` is a word of SQL, so that it cannot name a parameter. */
const allowed = ["entity", ...members, "top"];

const example = "semantic_search(entity => 'issues', field => 'body', prompt => 'crash on start', top => 20)";

/** Reads a call of `semantic_search` with the parameters that the action has, as constants. @throws StatementError */
export function meaningCall(fn: Body, clause: Clause): Omit<Meaning, "at"> {
  onlyMembers("semantic_search", fn, ["funcname", "args", "funcformat"]);
  const given = new Map<string, unknown>();
  for (const node of listOf(fn["args"]).map(nodeOf)) {
    const [name, value] = namedValue(node, clause);
    if (given.has(name)) throw new StatementError(`${name} is given twice.`, positionOf(node.body));
    given.set(name, value);
  }
  const entity = given.get("entity");
  if (typeof entity !== "string") throw new StatementError(`semantic_search needs an entity: ${example}.`, positionOf(fn));
  const semantic = Object.fromEntries([...given].filter(([name]) => members.includes(name)));
  return { entity, params: { semantic, ...(given.has("top") ? { limit: given.get("top") } : {}) } };
}

function namedValue({ kind, body }: Node, clause: Clause): readonly [name: string, value: unknown] {
  const at = positionOf(body);
  if (kind !== "NamedArgExpr") throw new StatementError(`semantic_search takes its parameters by name: ${example}.`, at);
  onlyMembers("semantic_search", body, ["name", "arg", "argnumber"]);
  const name = textMember(body, "name") ?? "";
  if (!allowed.includes(name)) throw unknownName(`semantic_search has no parameter "${name}".`, name, allowed, at);
  const value = bindExpression(body["arg"], clause);
  if (value.kind !== "value" || value.value === null)
    throw new StatementError(`${name} of semantic_search must be a constant.`, at);
  return [name, name === "filter" ? parsedFilter(value.value, at) : value.value];
}

function parsedFilter(value: unknown, at: number | undefined): unknown {
  try {
    return JSON.parse(String(value)) as unknown;
  } catch {
    throw new StatementError(`filter of semantic_search is JSON, such as '{"eq":{"state":"open"}}'.`, at);
  }
}
