import { CursorCircle, circleText } from "../base/cursor-circle.ts";
import { TenonError } from "../base/errors.ts";
import { hasOwnEnd, mayShift, type SyncPlan } from "../contract/index.ts";
import type { StepPosition } from "../store/checkpoint.ts";
import { hasNewestKnown, isKnown, newestOf } from "./known-records.ts";
import type { PlatformReader } from "./reader.ts";
import type { SyncRunWriter } from "./sync-run-writer.ts";

/** A list whose records are read without those of another entity. */
export interface Listed {
  readonly plan: SyncPlan;
  /** Parameters of the call besides those of the scope. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Key of the parent of its records; absent where they belong to the scope. */
  readonly parent?: string;
  /** Newest value of the cursor field at the end of the last complete sync run. */
  readonly known: string | null;
  /** Where the sync run goes on behind the list. */
  readonly behind: { readonly step: number; readonly position?: StepPosition };
}

/**
 * Reads one list, from the present checkpoint of the sync run to its end.
 *
 * @returns whether a record may have moved from one of its pages to another without being seen
 * @throws TenonError when the platform or the store fails
 */
export async function readList(
  { plan, params, parent, known, behind }: Listed,
  writer: SyncRunWriter,
  reader: PlatformReader,
): Promise<boolean> {
  const { step } = writer.checkpoint;
  let { after } = writer.checkpoint;
  let circle = new CursorCircle();
  let isUnsure = false;
  for (let restarted = false; ; ) {
    const read = await reader.list(plan, params, after).catch((thrown: unknown) => {
      if (after !== undefined && !restarted && isMaybeOfCursor(thrown)) return "bad_cursor" as const;
      throw thrown;
    });
    if (read === "bad_cursor" && after !== undefined && !restarted) {
      // The platform no longer knows its cursor. Reading the list from its beginning costs calls but loses nothing.
      after = undefined;
      restarted = true;
      circle = new CursorCircle();
      writer.allowRepeats();
      continue;
    }
    if (read === "bad_cursor") throw new TenonError("platform_failed", "The platform rejects cursors that it has just returned.");
    const { newest: before, until, full, sawNewestKnown: hadSeen } = writer.checkpoint;
    const several = after !== undefined;
    isUnsure ||= several && mayShift(plan.action.operation);
    // In a full sync run, only its own first walk through the list says what is known.
    after = isKnown(plan, read.records, full ? until : known) ? undefined : read.next;
    const sawNewestKnown = hadSeen === true || (!full && hasNewestKnown(plan, read.records, known));
    // A record that changes while its list is read moves to the front and is not seen behind it. A full sync run removes what it did
    // not see, so it reads the list again, down to the newest value that it knew before.
    const again = after === undefined && several && full && plan.cursor !== undefined && until !== before ? before : undefined;
    const done = after === undefined && again === undefined;
    if (!read.whole) writer.incomplete();
    writer.saw(newestOf(plan, read.records, before, Date.now()));
    if (done && parent !== undefined) writer.noteAccess("allowed");
    const page = {
      records: read.records,
      ...(parent === undefined ? {} : { parent }),
      ...(parent === undefined || !done ? {} : { parentDone: { key: parent, marker: null } }),
    };
    const mayGoOn = !hasOwnEnd(plan.action.operation);
    if (after !== undefined) await writer.save([page], step, positionBefore(after, until, sawNewestKnown), mayGoOn);
    else if (again !== undefined) await writer.save([page], step, { until: again }, mayGoOn);
    else await writer.save([page], behind.step, behind.position);
    if (after !== undefined && circle.closes(after)) throw writer.endless(circleText);
    if (again !== undefined) {
      circle = new CursorCircle();
      writer.allowRepeats();
    }
    if (done && plan.newestKnown !== undefined) writer.readWhole();
    // A list that has the newest known record was not rewritten: when the store has as many records as the list, nothing else can have
    // changed.
    const hasAll = !done && sawNewestKnown && read.total !== undefined && (await writer.stored()) === read.total;
    if (hasAll) writer.move(behind.step, behind.position);
    if (done || hasAll) return isUnsure;
  }
}

/**
 * Whether an error may be about the cursor alone: many platforms say of one that is too old, or whose record was removed, only that
 * something is wrong or not there. Where that is the list itself, its first page says so too.
 */
function isMaybeOfCursor(thrown: unknown): boolean {
  return thrown instanceof TenonError && (thrown.code === "not_found" || thrown.code === "platform_rejected");
}

/** Before the next page of a list. @param until set where the list is read again */
function positionBefore(after: string, until: string | undefined, sawNewestKnown: boolean): StepPosition {
  if (until !== undefined) return { until, after };
  return sawNewestKnown ? { after, sawNewestKnown } : { after };
}
