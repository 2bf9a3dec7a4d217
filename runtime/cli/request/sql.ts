import { TenonError } from "../../base/errors.ts";
import { sqlAction } from "../../contract/index.ts";
import type { ActionAccess } from "../../main/access.ts";
import { connectors } from "../../main/connectors.ts";
import { type EntityManual, manualOf } from "../../manual/manual.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { aligned } from "../output/terminal-text.ts";
import { type Params, source, wholeNumber } from "./params.ts";
import { type Request, runRequest } from "./request.ts";
import type { SqlFlags } from "./search-flags.ts";

/** `tenon sql`: runs a SELECT over the cached records of a connector. */
export async function run([connector = "", given]: readonly string[], flags: SqlFlags): Promise<number> {
  const limit = wholeNumber(flags.limit, "limit");
  if (given === undefined && !flags.describe)
    throw new CommandError('give a SELECT, - for standard input, or --describe; see "tenon sql --help"', exitStatus.usage);
  const request: Request = {
    connector,
    // A request names an entity, but a statement may read them all.
    entity: async (access) => (await tablesOf(access, flags.connector ?? connector))[0]?.name ?? "",
    action: sqlAction,
    params: flags.describe
      ? {}
      : {
          sql: await source(given ?? "", "the statement"),
          ...(limit === undefined ? {} : { limit }),
          ...(flags.explain ? { explain: true } : {}),
        },
    ...(flags.describe ? { instead: (access, execute) => describe(access, flags, connector, given, execute) } : {}),
    form: { csv: flags.csv, isRows: true },
    noted: ({ has_more: more, plan }) => {
      if (typeof plan === "object" && plan !== null && "sql" in plan) console.error(String(plan.sql));
      if (more === true && !flags.json && (out.isTTY || flags.csv || flags.ndjson))
        console.error("There are more rows: --limit takes up to 10,000, and OFFSET continues.");
    },
  };
  return runRequest(request, { ...flags, fields: [], all: false, params: undefined });
}

/** The entities of a connector. @param id name of a connector, or id of an instance */
async function tablesOf(access: ActionAccess, id: string): Promise<readonly EntityManual[]> {
  const named = (wanted: string | undefined) => connectors.find(({ name }) => name === wanted);
  const known = named(id) ?? named((await access.instances()).find((one) => one.id === id)?.connector);
  // Of a connector that is not known here, the action says what is wrong.
  return known === undefined ? [] : (await manualOf(known)).entities;
}

/** Prints the tables that the caller may read, with their numbers of rows. */
async function describe(
  access: ActionAccess,
  flags: SqlFlags,
  connector: string,
  named: string | undefined,
  execute: (params: Params) => ReturnType<ActionAccess["execute"]>,
): Promise<void> {
  const entities = await tablesOf(access, flags.connector ?? connector);
  const wanted = entities.filter(({ name }) => named === undefined || name === named);
  if (wanted.length === 0)
    throw new CommandError(
      `there is no table called "${named}"; there is ${entities.map(({ name }) => name).join(", ")}`,
      exitStatus.usage,
    );
  const counts = new Map<string, number>();
  for (const name of new Set(wanted.flatMap((one) => [one.name, ...one.relations.map(({ table }) => table)]))) {
    const rows = await rowsOf(name, execute);
    if (rows !== undefined) counts.set(name, rows);
  }
  const tables = wanted.flatMap(({ name, table: { columns }, relations }) => {
    const rows = counts.get(name);
    return rows === undefined ? [] : [{ name, rows, columns, relations: relations.filter(({ table }) => counts.has(table)) }];
  });
  if (flags.json || !out.isTTY) out.line(JSON.stringify({ tables }));
  else
    for (const { name, rows, columns, relations } of tables) {
      out.line(`${name} (${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"})`);
      for (const line of aligned(Object.entries(columns).map(([column, type]) => [`  ${column}`, type]))) out.line(line);
      for (const { table, on } of relations) out.line(`  JOIN ${table} ON ${on}`);
      out.line("");
    }
}

/** How many rows a table has; undefined for one that the caller may not read. */
async function rowsOf(
  table: string,
  execute: (params: Params) => ReturnType<ActionAccess["execute"]>,
): Promise<number | undefined> {
  try {
    const { data } = await execute({ sql: `SELECT count(*) AS n FROM "${table}"` });
    return Array.isArray(data) ? Number((data as readonly { readonly n: number }[])[0]?.n) : undefined;
  } catch (thrown) {
    if (thrown instanceof TenonError && thrown.code === "invalid_request") return undefined;
    throw thrown;
  }
}
