import { shown } from "../base/errors.ts";
import { sqlAction } from "../contract/index.ts";
import type { EntityManual } from "../manual/manual.ts";
import { type Places, withArguments } from "./act.ts";
import { asText, fitted, searchedBytes } from "./budget.ts";
import { clean } from "./clean.ts";
import { listText } from "./list-text.ts";
import { searchPaging } from "./page.ts";
import { jsonResult, type ToolResult } from "./result.ts";
import type { TextRow } from "./table.ts";
import { isCached, namedInstance, refuseFaults, type ToolRun } from "./target.ts";
import { connector, formats, object, type Tool } from "./tool.ts";

const ofSql: Places = [["/params", ""]];
/** The most rows, unless the arguments say how many. */
const usualRows = 50;
const mostRows = 1000;

export const sqlTool: Tool = {
  name: "sql",
  title: "Query with SQL",
  description: "Runs a PostgreSQL SELECT over synced records, to join and group entities. Without sql: lists columns and joins.",
  input: object(
    {
      connector,
      sql: { type: "string" },
      tables: { type: "array", items: { type: "string" }, description: "Lists only these." },
      limit: { type: "integer", minimum: 1, maximum: mostRows },
      format: { enum: formats },
    },
    [],
  ),
  readOnly: true,
  run: async (call) => {
    const instance = await namedInstance(call);
    refuseFaults(call);
    const { entities: all } = instance === undefined ? { entities: [] } : await instance.manual();
    const entities = all.filter(isCached);
    const [first] = entities;
    if (first === undefined && call.args["sql"] !== undefined)
      call.faults.add(["sql"], "not_allowed", "There is no table here that you may query.");
    refuseFaults(call);
    if (instance === undefined || first === undefined) return tablesOf(entities, call, new Map());
    if (call.args["sql"] === undefined) return tablesOf(entities, call, await rowsOf(call, instance.id, entities));
    return query(call, instance.id, first.name);
  },
};

/** @param entity any entity of the instance, because a request names one */
async function query({ host, args, signal, most }: ToolRun, id: string, entity: string): Promise<ToolResult> {
  const params = { sql: args["sql"], limit: args["limit"] ?? usualRows };
  const answer = await host
    .execute(id, { entity, action: sqlAction, params }, { signal, answerBytes: searchedBytes, withTotal: true })
    .catch((thrown: unknown) => Promise.reject(withArguments(thrown, ofSql)));
  const found = fitted(args["format"] === "json" ? asText(answer) : { data: answer.data, meta: answer.meta }, {
    most,
  });
  const { response, left } = found;
  const { advice: _, cuts: __, ...meta } = response.meta;
  // A statement has no cursor, so that a cut does not lead to a next page.
  const shown =
    left === 0
      ? response
      : {
          data: response.data,
          meta: {
            ...meta,
            has_more: true,
            advice: `Only ${found.kept} rows fit. Select fewer columns, or continue with OFFSET.`,
          },
        };
  if (args["format"] === "json") return jsonResult(shown);
  const rows = Array.isArray(shown.data) ? (shown.data as readonly (TextRow | null)[]) : [];
  const content = clean({ data: rows, meta: shown.meta }) as typeof shown;
  // The names of columns are those that have come out of the cleaning, too.
  const [first] = content.data as readonly (TextRow | null)[];
  const table = { columns: Object.keys(first ?? {}), isBrief: false };
  const { advice, ...rest } = content.meta;
  const list = { tool: "sql", entity: "rows", table, paging: searchPaging(false), goesOn: false };
  const text = listText({ data: content.data, meta: left === 0 ? content.meta : rest }, list);
  return { text: left === 0 ? text : `${text}\n${String(advice)}`, content: () => ({ ...content }) };
}

/** How many tables one statement counts. */
const countedAtOnce = 20;

/** The numbers of rows of the wanted tables; none where they cannot be counted now, because the columns are of use without them. */
async function rowsOf(
  { host, args, signal }: ToolRun,
  id: string,
  entities: readonly EntityManual[],
): Promise<Map<string, number>> {
  const { tables } = args;
  const names = entities.flatMap(({ name }) => (Array.isArray(tables) && !tables.includes(name) ? [] : [name]));
  const counts = new Map<string, number>();
  for (let at = 0; at < names.length; at += countedAtOnce) {
    const some = names.slice(at, at + countedAtOnce);
    const sql = some.map((name) => `SELECT '${name}' AS name, count(*) AS n FROM "${name}"`).join(" UNION ALL ");
    const request = { entity: some[0] ?? "", action: sqlAction, params: { sql } };
    const answer = await host
      .execute(id, request, { signal, answerBytes: searchedBytes, withTotal: true })
      .catch(() => undefined);
    for (const { name, n } of (answer?.data ?? []) as readonly { readonly name: string; readonly n: number }[])
      counts.set(name, n);
  }
  return counts;
}

/** The columns, rows and joins of tables, each table on one line. */
function tablesOf(entities: readonly EntityManual[], call: ToolRun, rows: ReadonlyMap<string, number>): ToolResult {
  const { tables } = call.args;
  const wanted: readonly unknown[] = Array.isArray(tables) ? tables : entities.map(({ name }) => name);
  const names = entities.map(({ name }) => name);
  for (const [index, name] of wanted.entries())
    if (typeof name !== "string") call.faults.add(["tables", index], "wrong_type", "A table must be named by a string.");
    else if (!names.includes(name))
      call.faults.unknown(["tables", index], "unknown_table", `There is no table "${shown(name)}".`, name, names);
  refuseFaults(call);
  const lines = entities.flatMap(({ name, table, relations }) => {
    if (!wanted.includes(name)) return [];
    const columns = Object.entries(table.columns).filter(([column]) => !table.hidden.includes(column));
    const joins = relations.filter((one) => names.includes(one.table)).map((one) => ` JOIN ${one.table} ON ${one.on}`);
    const count = rows.get(name);
    return [
      `${name}${count === undefined ? "" : `[${count} rows]`}(${columns.map(([column, type]) => (type === "text" ? column : `${column} ${type}`)).join(", ")})${joins.join(";")}`,
    ];
  });
  return { text: ["Columns without a type are text.", ...lines].join("\n"), content: () => ({ tables: lines }) };
}
