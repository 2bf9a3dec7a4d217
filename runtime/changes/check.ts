import { invalidRequest, shown, TenonError } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import type { Connector, FieldTree } from "../contract/index.ts";
import { chooseFields, storedPlan } from "../execute/index.ts";
import { type Condition, digestOf, QueryParser } from "../search/index.ts";
import { changeLimits } from "./limits.ts";
import { type FeedPosition, readFeedCursor } from "./position.ts";

/** What a caller wants of the change feed of an instance. */
export interface FeedRequest {
  /** Null for all entities. */
  readonly entities: readonly string[] | null;
  readonly filter?: Condition | undefined;
  /** Fields of the records to return; undefined for no records. */
  readonly fields?: FieldTree | null | undefined;
  readonly limit: number;
  /** Milliseconds to wait for a change where there is none. */
  readonly wait: number;
  /** Absent for the beginning. */
  readonly after?: FeedPosition | "latest" | undefined;
  /** Of instance, entities and filter, to which cursors are bound. */
  readonly digest: string;
}

/** Parameters of the change feed, in the order in which messages list them. */
export const changeParams = ["entity", "cursor", "limit", "filter", "fields", "wait"] as const;
/** Those of a stream, which decides itself how much it reads at a time and how long it waits. */
const streamParams = changeParams.filter((name) => name !== "limit" && name !== "wait");

/**
 * Checks what a caller sends to the change feed.
 *
 * @param given `entity` is a name or a list of names
 * @param isStream whether the changes are streamed
 * @throws TenonError `invalid_request` with all faults; `bad_cursor` when nothing but the cursor is wrong
 */
export function checkChanges(
  connector: Connector,
  instanceId: string,
  given: Readonly<Record<string, unknown>>,
  isStream = false,
): FeedRequest {
  const faults = new Faults();
  const [what, params] = isStream ? ["A stream of changes", streamParams] : ["changes", changeParams];
  faults.unknownNames([], "unknown_param", given, params, (name) => `${what} has no parameter "${shown(name)}".`);
  const { cursor, limit = changeLimits.default, wait = 0 } = given;
  const entities = entitiesOf(connector, given["entity"], faults);
  const [name, ...others] = entities ?? [];
  const entity = name === undefined || others.length > 0 ? undefined : connector.entities[name];
  const needsEntity = entity === undefined && !faults.any;
  for (const param of ["filter", "fields"])
    if (given[param] !== undefined && needsEntity)
      faults.add([param], "not_allowed", `${param} needs exactly one entity, whose fields it names.`);
  const filter =
    name === undefined || entity === undefined || given["filter"] === undefined
      ? undefined
      : new QueryParser(name, entity.store.fields, faults).filter(given["filter"], ["filter"]);
  const fields =
    entity === undefined || given["fields"] === undefined
      ? undefined
      : chooseFields(storedPlan(entity), given["fields"], faults, ["fields"]);
  inRange("limit", limit, 1, changeLimits.most, faults);
  inRange("wait", wait, 0, changeLimits.wait, faults);
  if (cursor !== undefined && typeof cursor !== "string") faults.add(["cursor"], "wrong_type", "cursor must be a string.");
  if (faults.any) throw invalidRequest(faults.list);
  const digest = digestOf(JSON.stringify([instanceId, entities?.toSorted() ?? null]), { ...(filter && { filter }), sort: [] });
  const request = { entities, filter, fields, limit: Number(limit), wait: Number(wait) * 1000, digest };
  if (cursor === undefined || cursor === "") return request;
  const after = cursor === "latest" ? cursor : readFeedCursor(digest, String(cursor));
  if (after !== undefined) return { ...request, after };
  const message = "This cursor does not come from these changes: connector, entity and filter must be the same as before.";
  faults.add(["cursor"], "bad_cursor", message);
  throw new TenonError("bad_cursor", message, { faults: faults.list });
}

function entitiesOf(connector: Connector, given: unknown, faults: Faults): string[] | null {
  if (given === undefined) return null;
  const allowed = Object.keys(connector.entities);
  const names: unknown[] = Array.isArray(given) ? given : [given];
  if (names.length === 0 || names.length > allowed.length)
    faults.add(["entity"], "out_of_range", "entity must name one entity or several; leave it out for all.", allowed);
  const known = names.flatMap((name) => {
    if (typeof name === "string" && Object.hasOwn(connector.entities, name)) return [name];
    const said = typeof name === "string" ? name : "";
    faults.unknown(["entity"], "unknown_entity", `This connector has no entity "${shown(said)}".`, said, allowed);
    return [];
  });
  const isSynced = (name: string) => (connector.entities[name]?.sync.length ?? 0) > 0;
  // Otherwise the answer would always be empty, as if nothing had ever changed.
  if (known.length > 0 && known.length === names.length && !known.some(isSynced))
    faults.add(
      ["entity"],
      "not_allowed",
      `No sync reads ${known.join(", ")}, so there are no changes.`,
      allowed.filter(isSynced),
    );
  return known;
}

function inRange(name: string, value: unknown, least: number, most: number, faults: Faults): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  faults.add([name], "out_of_range", `${name} must be a whole number from ${least} to ${most}.`);
}
