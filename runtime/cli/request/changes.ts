import { type Change, followChanges, type Truncated } from "../../client/changes.ts";
import { connectors } from "../../main/connectors.ts";
import { openAccess } from "../../main/open-access.ts";
import { readSettings } from "../../main/settings/settings.ts";
import type { FlagValues } from "../command.ts";
import { endSignal } from "../end-signal.ts";
import { exitStatus } from "../exit-status.ts";
import { AnswerNotes } from "../output/answer-notes.ts";
import { out, outputGone, outputRead } from "../output/standard-output.ts";
import { reportProblem } from "../problem.ts";
import type { changesFlags } from "./changes-flags.ts";
import { names, readJson } from "./params.ts";
import { requireService } from "./place-flags.ts";

/** `tenon changes`: prints what syncs have changed in the cache: a line for people, JSON lines for programs. */
export async function run([connector = ""]: readonly string[], flags: FlagValues<typeof changesFlags>): Promise<number> {
  const { settings } = readSettings(process.env, connectors, flags.config);
  requireService(settings, flags);
  const [entity, fields] = [names(flags.entity), names(flags.fields)];
  const filter = flags.filter === undefined ? undefined : await readJson(flags.filter, "--filter");
  const signal = AbortSignal.any([endSignal(), outputGone]);
  const access = await openAccess(settings, flags, { write: () => undefined }, connectors);
  const notes = new AnswerNotes(settings, connector);
  const options = {
    ...(entity.length === 0 ? {} : { entity }),
    ...(fields.length === 0 ? {} : { fields }),
    filter,
    cursor: flags.cursor ?? (flags.follow ? "latest" : undefined),
    follow: flags.follow,
    signal,
  };
  const isText = out.isTTY && !flags.json;
  try {
    const read = async (query: object) => {
      const answer = await access.changes(connector, query, { signal });
      notes.of(answer.meta);
      return answer;
    };
    for await (const change of followChanges(options, read))
      if (!out.line(isText ? lineOf(change) : JSON.stringify(change))) await outputRead();
    return 0;
  } catch (thrown) {
    if (outputGone.aborted) return 0;
    return signal.aborted ? exitStatus.interrupted : reportProblem(thrown);
  } finally {
    await access.close();
  }
}

function lineOf(change: Change | Truncated): string {
  if (change.kind === "truncated")
    return `The log no longer has all changes. Search for all records, then continue with --cursor ${change.cursor}`;
  const { at, kind, entity, key, changed_fields: changed = [], record, matches } = change;
  const parts = [
    at,
    kind,
    entity,
    Object.values(key).join(" "),
    changed.join(","),
    record === undefined ? "" : JSON.stringify(record),
    matches === false ? "(does not match the filter any longer)" : "",
  ];
  return parts.filter((part) => part !== "").join("  ");
}
