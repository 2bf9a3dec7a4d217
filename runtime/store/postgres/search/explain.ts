import type { Queries } from "../../../postgres/index.ts";
import { type Sql, sql } from "../../../sql/index.ts";
import type { PlanReport } from "../../store.ts";
import { type Layout, named } from "../tables/layout.ts";
import type { Where } from "./operators.ts";

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` gives it. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** How the engine runs a statement: all nodes of its plan, from the top. */
export async function planOf(queries: Pick<Queries, "query">, statement: Sql): Promise<PlanNode[]> {
  const [row] = await queries.query<{ "QUERY PLAN": string }>(sql`EXPLAIN (FORMAT JSON) ${statement}`);
  const [{ Plan: top }] = JSON.parse(row?.["QUERY PLAN"] ?? "[]") as [{ Plan: PlanNode }];
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return nodes(top);
}

/**
 * Tells how the engine runs a search, in words for those who do not know the tables.
 *
 * @param lookups statements that have looked up words before
 */
export async function explained(
  queries: Queries,
  layout: Layout,
  where: Where,
  statements: readonly Sql[],
  lookups: readonly Sql[],
): Promise<PlanReport> {
  const nodesOf = async (all: readonly Sql[]) => {
    const nodes: (PlanNode & { readonly labels: readonly string[] })[] = [];
    for (const one of all)
      nodes.push(...(await planOf(queries, one)).map((node) => ({ ...node, labels: labelsOf(layout, node) })));
    return nodes;
  };
  const [before, nodes] = [await nodesOf(lookups), await nodesOf(statements)];
  return {
    driver: nodes.flatMap(({ labels }) => labels)[0] ?? "all records",
    indexes: [...new Set([...nodes, ...before].flatMap(({ labels }) => labels))],
    steps: [
      ...[...before, ...nodes].map(({ "Node Type": type, labels }) => [type.toLowerCase(), ...labels].join(": ")),
      ...(where.exact ? [] : ["each record is tested by the service"]),
    ],
  };
}

/** What a node of a plan reads of its index; nothing where it reads none. */
function labelsOf({ indexes, parts: ofWords }: Layout, { "Index Name": name, "Index Cond": condition = "" }: PlanNode): string[] {
  if (name === undefined) return [];
  const index = [...indexes, ofWords].find((one) => one.name === named(name));
  const parts = (index?.parts ?? []).filter(({ column }) => condition.includes(column)).map(({ label }) => label);
  return parts.length > 0 ? parts : [index?.label ?? "key"];
}
