import { type Queries, type Sql, sql } from "../../postgres/index.ts";
import type { PlanReport } from "../store.ts";
import { type Layout, named } from "./layout.ts";
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

/** Tells how the engine runs a search, in words for those who do not know the tables. */
export async function explained(queries: Queries, layout: Layout, where: Where, statements: readonly Sql[]): Promise<PlanReport> {
  const labels = new Map(layout.indexes.map(({ name, label }) => [name, label]));
  const nodes: PlanNode[] = [];
  for (const one of statements) nodes.push(...(await planOf(queries, one)));
  const used = nodes.flatMap(({ "Index Name": name }) => (name === undefined ? [] : [labels.get(named(name)) ?? "key"]));
  const indexes = [...new Set(used)];
  return {
    driver: indexes[0] ?? "all records",
    indexes,
    steps: [
      ...nodes.map(({ "Node Type": type, "Index Name": name }) =>
        name === undefined ? type.toLowerCase() : `${type.toLowerCase()}: ${labels.get(named(name)) ?? "key"}`,
      ),
      ...(where.exact ? [] : ["each record is tested by the service"]),
    ],
  };
}
