import { TenonError } from "../base/errors.ts";
import type { ChangeKind } from "../contract/index.ts";
import { type ConnectorInstance, simulatedMark, storedAs } from "../execute/index.ts";
import { fieldsIn, TurnedTest } from "../search/index.ts";
import { chosen } from "../store/answer.ts";
import type { Change, ChangePage } from "../store/change-log.ts";
import type { FeedRequest } from "./check.ts";
import { changeLimits } from "./limits.ts";
import { type FeedPosition, writeFeedCursor } from "./position.ts";
import { recordKey } from "./record-key.ts";
import { afterAll, changed } from "./watch.ts";

// Reads the change log for callers. What a consumer of changes sees is here, whatever way it comes by.

/** How many records are read from the store at once. */
const recordsAtOnce = 50;
/** Milliseconds for which records are tested for one page; then the page ends behind the change that was tested last. */
const longestTest = 2_000;

/** One change as callers get it. */
export interface FeedEntry {
  readonly sequence: number;
  readonly connector_id: string;
  readonly entity: string;
  readonly kind: ChangeKind;
  /** The fields that identify the record, with their values. */
  readonly key: Readonly<Record<string, string | number>>;
  readonly scope: string;
  /** Names of the fields that an update changed. */
  readonly changed_fields?: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  /** Cursor behind this change. */
  readonly cursor: string;
  /** The record as it is now, where fields were requested; absent where it is gone. */
  readonly record?: unknown;
  /** False for a record that may have left the filter with this change. */
  readonly matches?: false;
}

export interface FeedAnswer {
  readonly data: readonly FeedEntry[];
  readonly meta: {
    readonly cursor: string;
    readonly has_more: boolean;
    /** The log does not have all changes after the cursor any longer: search for everything, then go on with `cursor`. */
    readonly truncated: boolean;
    readonly simulated?: true;
  };
}

export interface FeedContext {
  /** Entities that the caller may use; null for all. */
  readonly entities: readonly string[] | null;
  /** Id of the caller, with whom others take turns. */
  readonly caller: string;
  /** Ends the waiting for a change, and the page. */
  readonly signal: AbortSignal;
  /** Milliseconds after which a page ends early. */
  readonly testTime?: number;
  /** Gets the milliseconds that reading took, without the waiting. */
  readonly took?: (ms: number) => void;
}

/**
 * Reads a page of the change feed.
 *
 * @throws TenonError `context_store_unavailable` where there is no store, and the errors of the store
 */
export async function readFeed(instance: ConnectorInstance, request: FeedRequest, context: FeedContext): Promise<FeedAnswer> {
  const { entities, signal, took = () => undefined } = context;
  const { store, connector, storeName } = instance;
  if (store === undefined)
    throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
  const stored = storedAs({ connector, storeName });
  const wanted = allowedOf(request.entities, entities);
  const timed = async <Result>(work: Promise<Result>): Promise<Result> => {
    const started = performance.now();
    return work.finally(() => took(performance.now() - started));
  };
  const read = (from: number) => timed(store.changes(stored, { from, limit: request.limit, entities: wanted }));
  const deadline = performance.now() + request.wait;
  const { after } = request;
  const from = after === "latest" ? (await read(afterAll)).next : (after?.from ?? 0);
  for (let slice = await read(from); ; slice = await read(slice.position)) {
    const isCut = isTruncated(after, from, slice);
    const left = deadline - performance.now();
    if (isCut || slice.changes.length > 0 || slice.position < slice.next || left <= 0 || signal.aborted)
      return isCut
        ? answerOf(instance, request, { log: slice.log, from: slice.next }, true)
        : timed(page(instance, request, slice, context));
    await changed(store, stored, slice.next, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(left))]));
  }
}

/** The position behind the last change of an instance. @throws TenonError of the store */
export async function lastPosition({ store, connector, storeName }: ConnectorInstance): Promise<FeedPosition> {
  const stored = storedAs({ connector, storeName });
  const slice = await store?.changes(stored, { from: afterAll, limit: 1, entities: [] });
  return { log: slice?.log ?? "", from: slice?.next ?? 0 };
}

/** The entities that a caller wants and may use; null for all. */
function allowedOf(wanted: readonly string[] | null, allowed: readonly string[] | null): readonly string[] | null {
  return wanted === null || allowed === null ? (wanted ?? allowed) : wanted.filter((one) => allowed.includes(one));
}

/** Whether the log lacks changes behind a position, or is another log. */
function isTruncated(after: FeedRequest["after"], from: number, { log, first, next }: ChangePage): boolean {
  if (after === "latest") return false;
  const isOther = after !== undefined && after.log !== "" && after.log !== log;
  return isOther || from < first || from > next;
}

function answerOf(
  instance: ConnectorInstance,
  { digest }: FeedRequest,
  position: FeedPosition,
  truncated: boolean,
  data: readonly FeedEntry[] = [],
  more = false,
): FeedAnswer {
  const cursor = writeFeedCursor(digest, position);
  return { data, meta: { cursor, has_more: more, truncated, ...simulatedMark(instance) } };
}

/** The changes of a slice as callers get them, with the records that they want. It has at least one of them. */
async function page(
  instance: ConnectorInstance,
  request: FeedRequest,
  slice: ChangePage,
  { caller, signal, testTime = longestTest }: FeedContext,
): Promise<FeedAnswer> {
  const { changes, log, next } = slice;
  const data: FeedEntry[] = [];
  const test = testOf(instance, request, caller);
  const end = performance.now() + testTime;
  let bytes = 0;
  for (let at = 0; at < changes.length; at += recordsAtOnce) {
    const part = changes.slice(at, at + recordsAtOnce);
    const records = bytes > changeLimits.bytes ? undefined : await recordsOf(instance, request, part);
    for (const [index, change] of part.entries()) {
      const isFirst = at + index === 0;
      if (records === undefined || (!isFirst && (signal.aborted || performance.now() >= end)))
        return answerOf(instance, request, { log, from: change.sequence }, false, data, true);
      const json = records.get(change.key);
      if (json !== undefined) bytes += json.length;
      const entry = entryOf(instance, request, log, change, await test(json));
      if (entry !== undefined) data.push(entry);
    }
  }
  const { position } = slice;
  return answerOf(instance, request, { log, from: position }, false, data, position < next);
}

interface TestedRecord {
  readonly record: Record<string, unknown> | undefined;
  /** Whether the filter finds it. */
  readonly isFound: boolean;
}

/** Makes what reads and tests records. They may be long, and the filter too: other work has its turn in between. */
function testOf({ connector }: ConnectorInstance, { entities, filter }: FeedRequest, caller: string) {
  const fields = connector.entities[entities?.[0] ?? ""]?.store.fields ?? {};
  const turned = new TurnedTest(filter ?? { kind: "and", conditions: [] }, fields, caller);
  return async (json: string | undefined): Promise<TestedRecord> => {
    if (json === undefined) return { record: undefined, isFound: filter === undefined };
    let record: Record<string, unknown> = {};
    const isFound = await turned.holds(json.length, () => {
      record = JSON.parse(json);
      return record;
    });
    return { record, isFound };
  };
}

/** The present records of some changes as JSON, by their keys; none where nobody wants them. */
async function recordsOf(
  { store, connector, storeName }: ConnectorInstance,
  { entities, filter, fields }: FeedRequest,
  changes: readonly Change[],
): Promise<Map<string, string>> {
  const [entity] = entities ?? [];
  const keys = [...new Set(changes.flatMap(({ kind, key }) => (kind === "deleted" ? [] : [key])))];
  if (entity === undefined || (filter === undefined && fields === undefined) || keys.length === 0) return new Map();
  const found = await store?.current({ ...storedAs({ connector, storeName }), entity }, keys);
  return new Map(found?.map(({ key, json }) => [key, json]));
}

/** A change as a caller gets it; undefined for a change of a record that the filter does not find and did not find before. */
function entryOf(
  { id, connector }: ConnectorInstance,
  { filter, fields, digest }: FeedRequest,
  log: string,
  { entity, key, kind, fields: names, sequence, scope, at }: Change,
  { record, isFound }: TestedRecord,
): FeedEntry | undefined {
  // A deleted record may have matched. One that is gone now is deleted by a later change.
  const mayHaveLeft = kind === "deleted" || (record !== undefined && fieldsIn(filter).some((one) => names.includes(one)));
  if (!isFound && !mayHaveLeft) return undefined;
  return {
    sequence,
    connector_id: id,
    entity,
    kind,
    key: recordKey(connector.entities[entity]?.store, key),
    scope,
    ...(kind === "updated" ? { changed_fields: names } : {}),
    at: new Date(at).toISOString(),
    cursor: writeFeedCursor(digest, { log, from: sequence + 1 }),
    ...(record === undefined || !isFound || fields === undefined
      ? {}
      : { record: fields === null ? record : chosen(record, fields) }),
    ...(isFound || kind === "deleted" ? {} : { matches: false as const }),
  };
}
