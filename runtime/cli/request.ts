import { walk } from "../client/walk.ts";
import { pagingOf, storeAction } from "../contract/index.ts";
import { type Access, connectors, openAccess } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { writeAnswer } from "./answer.ts";
import { names, type Params, readParams, wholeNumber } from "./params.ts";
import { reportProblem } from "./problem.ts";
import type { RequestFlags } from "./request-flags.ts";

export interface Request {
  /** Name of the connector, or id of an instance of it. */
  readonly connector: string;
  readonly entity: string;
  readonly action: string;
  /** They win over those of `--params`. */
  readonly params: Params;
}

/** Milliseconds after which a person is told how far a walk is. */
const patience = 1000;

/** The most records that `--all` reads. */
const mostRecords = 1_000_000;

/**
 * Runs an action and prints its answer.
 *
 * @returns the exit status
 * @throws SettingsError, CommandError
 */
export async function runRequest({ connector, entity, action, ...request }: Request, flags: RequestFlags): Promise<number> {
  const { settings } = readSettings(process.env, connectors, flags.config);
  const fields = names(flags.fields);
  const params = { ...(await readParams(flags.params)), ...request.params, ...(fields.length === 0 ? {} : { fields }) };
  const timeout = wholeNumber(flags.timeout, "timeout");
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end.abort());
  // Where nobody reads the answer any longer, the work ends.
  process.stdout.on("error", () => end.abort());
  const access = openAccess(settings, flags, { write: () => undefined }, connectors);
  const id = flags.connector ?? connector;
  const call = { signal: end.signal, ...(timeout === undefined ? {} : { timeout }) };
  const read = (page: Params) => access.execute(id, { entity, action, params: page }, call);
  try {
    const cursor = cursorOf(connector, entity, action);
    if (flags.all && cursor !== undefined) await writeAll(params, cursor, read, flags);
    else writeAnswer(process.stdout, await read(params), flags);
    return 0;
  } catch (thrown) {
    // 130 is what a shell gives for a program that Ctrl-C has ended.
    return end.signal.aborted ? 130 : reportProblem(thrown);
  } finally {
    await access.close();
  }
}

/** The parameter with the cursor of a list; undefined where an answer has no further pages. */
function cursorOf(connector: string, entity: string, action: string): string | undefined {
  if (action === storeAction) return "cursor";
  const known = connectors.find(({ name }) => name === connector)?.entities;
  const actions = known !== undefined && Object.hasOwn(known, entity) ? known[entity]?.actions : undefined;
  const found = Object.entries(actions ?? {}).find(([name]) => name === action)?.[1];
  // Of a connector that is not known here, a list has the parameter that lists usually have.
  if (found === undefined) return action === "list" || action === "api_search" ? "after" : undefined;
  return pagingOf(found.operation)?.cursor;
}

/** Prints all pages as one answer, or record by record. The JSON is written while it is read. */
async function writeAll(
  params: Params,
  cursor: string,
  read: (page: Params) => ReturnType<Access["execute"]>,
  flags: RequestFlags,
): Promise<void> {
  const out = process.stdout;
  const show = progress();
  const asTable = out.isTTY === true && !flags.json && !flags.ndjson;
  const items: unknown[] = [];
  const warnings: unknown[] = [];
  let count = 0;
  const page = async (one: Params) => {
    const answer = await read(one);
    if (Array.isArray(answer.meta["warnings"])) warnings.push(...answer.meta["warnings"]);
    return answer;
  };
  for await (const item of walk(params, cursor, { maxRecords: mostRecords, maxPages: mostRecords }, page)) {
    if (asTable) items.push(item);
    else if (flags.ndjson) out.write(`${JSON.stringify(item)}\n`);
    else out.write(`${count === 0 ? '{"data":[' : ","}${JSON.stringify(item)}`);
    show(++count);
  }
  show(undefined);
  const meta = { count, ...(warnings.length === 0 ? {} : { warnings }) };
  if (asTable) writeAnswer(out, { data: items, meta }, flags);
  else if (!flags.ndjson) out.write(`${count === 0 ? '{"data":[' : ""}],"meta":${JSON.stringify(meta)}}\n`);
}

/** Tells a person at a terminal how many records were read, when it takes longer. */
function progress(): (count: number | undefined) => void {
  const began = performance.now();
  let shown = false;
  return (count) => {
    if (!process.stderr.isTTY) return;
    if (count === undefined) {
      if (shown) process.stderr.write("\r\u001b[K");
    } else if (performance.now() - began > patience && count % 10 === 0) {
      process.stderr.write(`\r\u001b[K  ${count} records`);
      shown = true;
    }
  };
}
