import { walk } from "../client/walk.ts";
import { pagingOf, storeAction } from "../contract/index.ts";
import { type Access, connectors, openAccess } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { writeAnswer } from "./answer.ts";
import { names, type Params, readParams, wholeNumber } from "./params.ts";
import { requireService } from "./place-flags.ts";
import { reportProblem } from "./problem.ts";
import { noBar, openProgressBar } from "./progress-bar.ts";
import type { RequestFlags } from "./request-flags.ts";

export interface Request {
  /** Name of the connector, or id of an instance of it. */
  readonly connector: string;
  readonly entity: string;
  readonly action: string;
  /** They win over those of `--params`. */
  readonly params: Params;
}

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
  requireService(settings, flags);
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
  const asTable = out.isTTY === true && !flags.json && !flags.ndjson;
  // JSON that is written to the terminal shows itself how far it is.
  const bar = out.isTTY === true && !asTable ? noBar : await openProgressBar();
  const items: unknown[] = [];
  const warnings: unknown[] = [];
  let count = 0;
  let total: number | undefined;
  const page = async (one: Params) => {
    const answer = await read(one);
    if (typeof answer.meta["total_count"] === "number") total = answer.meta["total_count"];
    if (Array.isArray(answer.meta["warnings"])) warnings.push(...answer.meta["warnings"]);
    return answer;
  };
  try {
    for await (const item of walk(params, cursor, { maxRecords: mostRecords, maxPages: mostRecords }, page)) {
      if (asTable) items.push(item);
      else if (flags.ndjson) out.write(`${JSON.stringify(item)}\n`);
      else out.write(`${count === 0 ? '{"data":[' : ","}${JSON.stringify(item)}`);
      count++;
      bar.show({ text: `${count}${total === undefined ? "" : ` of ${total}`} records`, done: count, total });
    }
  } finally {
    bar.end();
  }
  const meta = { count, ...(warnings.length === 0 ? {} : { warnings }) };
  if (asTable) writeAnswer(out, { data: items, meta }, flags);
  else if (!flags.ndjson) out.write(`${count === 0 ? '{"data":[' : ""}],"meta":${JSON.stringify(meta)}}\n`);
}
