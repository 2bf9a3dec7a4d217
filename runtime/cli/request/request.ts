import { walk } from "../../client/walk.ts";
import { pagingOf, storeAction } from "../../contract/index.ts";
import type { ActionAccess } from "../../main/access.ts";
import { connectors } from "../../main/connectors.ts";
import { openAccess } from "../../main/open-access.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { CommandError } from "../command-error.ts";
import { endSignal } from "../end-signal.ts";
import { exitStatus } from "../exit-status.ts";
import { type Form, writeAnswer } from "../output/answer.ts";
import { AnswerNotes } from "../output/answer-notes.ts";
import { noBar, openProgressBar } from "../output/progress-bar.ts";
import { out, outputGone, outputRead } from "../output/standard-output.ts";
import { reportProblem } from "../problem.ts";
import { names, type Params, readParams, wholeNumber } from "./params.ts";
import { requireService } from "./place-flags.ts";
import type { RequestFlags } from "./request-flags.ts";

export interface Request {
  /** Name of the connector, or id of an instance of it. */
  readonly connector: string;
  readonly entity: string | ((access: ActionAccess) => Promise<string>);
  readonly action: string;
  /** They win over those of `--params`. A function where they depend on the connector. */
  readonly params: Params | ((access: ActionAccess) => Promise<Params>);
  /** Those of them that were given member by member, so that `--params` must not have them too. */
  readonly byMember?: readonly string[];
  /** Does something else with the action than to print its answer. */
  readonly instead?: (access: ActionAccess, execute: (params: Params) => ReturnType<ActionAccess["execute"]>) => Promise<void>;
  readonly form?: Pick<Form, "csv" | "isRows">;
  /** Called with `meta` of the answer. */
  readonly noted?: (meta: Readonly<Record<string, unknown>>) => void;
}

/** The most records that `--all` reads. */
const mostRecords = 1_000_000;

/**
 * Runs an action and prints its answer.
 *
 * @returns the exit status
 * @throws SettingsError, CommandError
 */
export async function runRequest({ connector, action, ...request }: Request, flags: RequestFlags): Promise<number> {
  const { settings } = readSettings(process.env, connectors, flags.config);
  requireService(settings, flags);
  const given = await readParams(flags.params);
  const twice = request.byMember?.find((name) => Object.hasOwn(given, name));
  if (twice !== undefined)
    throw new CommandError(`--params has "${twice}" too, whose members were given with their own flags`, exitStatus.usage);
  const fields = names(flags.fields);
  const timeout = wholeNumber(flags.timeout, "timeout");
  const signal = endSignal();
  const access = await openAccess(settings, flags, { write: () => undefined }, connectors);
  const id = flags.connector ?? connector;
  const call = { signal, ...(timeout === undefined ? {} : { timeout }) };
  const notes = new AnswerNotes(settings, id);
  try {
    const entity = typeof request.entity === "function" ? await request.entity(access) : request.entity;
    const read = async (page: Params) => {
      const answer = await access.execute(id, { entity, action, params: page }, call);
      notes.of(answer.meta);
      request.noted?.(answer.meta);
      return answer;
    };
    if (request.instead !== undefined) {
      await request.instead(access, read);
      return 0;
    }
    const own = typeof request.params === "function" ? await request.params(access) : request.params;
    const params = { ...given, ...own, ...(fields.length === 0 ? {} : { fields }) };
    const cursor = cursorOf(connector, entity, action);
    const form = { json: flags.json, ndjson: flags.ndjson, fields: chosenFields(params), ...request.form };
    if (flags.all && cursor !== undefined) await writeAll(params, cursor, read, form);
    else writeAnswer(out, await read(params), form);
    return 0;
  } catch (thrown) {
    if (outputGone.aborted) return 0;
    return signal.aborted ? exitStatus.interrupted : reportProblem(thrown);
  } finally {
    await access.close();
  }
}

/** The fields that the params ask for, as dotted paths. */
function chosenFields({ fields }: Params): readonly string[] {
  return Array.isArray(fields) ? fields.map((one: unknown) => (Array.isArray(one) ? one.join(".") : String(one))) : [];
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
  read: (page: Params) => ReturnType<ActionAccess["execute"]>,
  form: Form,
): Promise<void> {
  const asTable = out.isTTY && !form.json && !form.ndjson;
  // JSON that is written to the terminal shows itself how far it is.
  const bar = out.isTTY && !asTable ? noBar : await openProgressBar();
  const items: unknown[] = [];
  const warnings: unknown[] = [];
  let marks = {};
  let count = 0;
  let total: number | undefined;
  const page = async (one: Params) => {
    const answer = await read(one);
    if (typeof answer.meta["total_count"] === "number") total = answer.meta["total_count"];
    if (!form.ndjson && Array.isArray(answer.meta["warnings"])) warnings.push(...answer.meta["warnings"]);
    if (answer.meta["simulated"] === true) marks = { simulated: true };
    return answer;
  };
  try {
    for await (const item of walk(params, cursor, { maxRecords: mostRecords, maxPages: mostRecords }, page)) {
      if (asTable) items.push(item);
      else {
        const text = JSON.stringify(item);
        // A reader that does not keep up must not make the pages pile up in memory.
        if (!out.write(form.ndjson ? `${text}\n` : `${count === 0 ? '{"data":[' : ","}${text}`)) await outputRead();
      }
      count++;
      bar.show({ text: `${count}${total === undefined ? "" : ` of ${total}`} records`, done: count, total });
    }
  } finally {
    bar.end();
  }
  const meta = { count, ...(warnings.length === 0 ? {} : { warnings }), ...marks };
  if (asTable) writeAnswer(out, { data: items, meta }, form);
  else if (!form.ndjson) out.write(`${count === 0 ? '{"data":[' : ""}],"meta":${JSON.stringify(meta)}}\n`);
}
