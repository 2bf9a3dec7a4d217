import { shellWord } from "../base/shell-word.ts";
import { type Connector, type Warning, type WarningCode, warning } from "../contract/index.ts";
import { type Condition, conjuncts } from "../search/index.ts";
import { type CollectionSync, dueTest, mostTroubled, type ScopeSync, spellingOf, staleBefore } from "../store/collection-sync.ts";
import { cutOffProblems } from "../store/problem.ts";
import { storedProblem } from "../store/problem-text.ts";
import type { ConnectorInstance } from "./instance.ts";

/** The most scopes that the message of a warning names. */
const mostNamed = 3;

/**
 * The scopes that a filter names: all records that it finds belong to these. It does so by a field in which every record has the scope in
 * which it was synced, such as `repository`.
 *
 * @returns undefined when the filter names none
 */
export function scopesOfFilter(connector: Connector, name: string, filter: Condition | undefined): readonly string[] | undefined {
  const entity = connector.entities[name];
  for (const test of conjuncts(filter)) {
    if (test.kind !== "test" || (test.operator !== "eq" && test.operator !== "in")) continue;
    const { field, operand } = test;
    const isScope = entity?.store.fields[field]?.scope === true && entity.sync.every(({ scope }) => scope === field);
    const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
    if (isScope && values.every((value) => typeof value === "string")) return values.map((value) => `${field}=${value}`);
  }
  return undefined;
}

/** What a search found, as far as its warnings depend on it. */
export interface Searched {
  readonly entity: string;
  /** Scopes that the filter names. */
  readonly named: readonly string[] | undefined;
  /** The fields that the search is about: those of its result, its filter and its order; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Nothing was found, on the first page. */
  readonly isEmpty: boolean;
}

/**
 * Warns when the cache does not have what the search is about, or has it as it was before a sync failed or stopped coming: an empty result
 * of an empty cache looks like one of an empty platform.
 */
export function freshnessWarnings(instance: ConnectorInstance, searched: Searched, sync: CollectionSync): Warning[] {
  const { entity } = searched;
  // A store names no more than so many, so there may be others.
  const isCut = searched.named === undefined && sync.reported.length >= mostTroubled;
  const scopesOf = (list: readonly ScopeSync[]) =>
    listed(
      list.map(({ scope }) => scope),
      isCut,
    );
  const warnings: Warning[] = [];
  const warn = (code: WarningCode, message: string) => warnings.push(warning("data", code, message));
  const missing = missingScopes(instance.connector, searched, sync);
  if (sync.scopes === 0 && searched.named === undefined)
    warn("not_synced", `No sync has read ${entity} yet. ${howToSyncEntity(instance, entity, undefined)}`);
  else if (missing.length > 0)
    warn("not_synced", `No sync has read ${entity} of ${listed(missing, isCut)} to the end yet. ${howToSync(instance, missing)}`);
  const failed = sync.reported.filter(({ problem }) => problem !== null && !cutOffProblems.includes(problem));
  const [first] = failed;
  if (first?.problem) {
    const { message } = storedProblem(first.problem);
    warn("sync_failed", `The last sync of ${entity} of ${scopesOf(failed)} failed. ${message}`);
  }
  const stale = staleScopes(instance.connector, sync);
  if (stale.length > 0) {
    const message = `The last complete sync of ${entity} of ${scopesOf(stale)} ended at ${stale[0]?.completedAt}, more than two intervals (each ${sync.schedule?.minutes} min) ago.`;
    warn(
      "stale",
      `${message} ${howToSync(
        instance,
        stale.map(({ scope }) => scope),
      )}`,
    );
  }
  const odd = Object.entries(sync.misfits).flatMap(([place, count]) => {
    const [path = "", code] = place.split(" ");
    const field = path.split(".")[0] ?? "";
    const isOdd = code === "unexpected_type" && searched.fields?.has(field) !== false;
    return isOdd ? [`${path} (${count})`] : [];
  });
  if (odd.length > 0)
    warn(
      "unexpected_type",
      `The cache has values of another type than the spec declares, in ${odd.slice(0, mostNamed).join(", ")}${odd.length > mostNamed ? " and other fields" : ""}. They are passed through as they are; filters and sorting take them for missing.`,
    );
  return warnings;
}

/** The scopes that were never read to their end. */
function missingScopes(connector: Connector, { named, isEmpty }: Searched, { reported }: CollectionSync): readonly string[] {
  const isDone = (scope: string) =>
    reported.some((one) => one.completedAt !== null && spellingOf(connector, one.scope) === spellingOf(connector, scope));
  if (named === undefined) return reported.filter(({ completedAt }) => completedAt === null).map(({ scope }) => scope);
  // Records may have another name than the scope in which they were synced, such as that of a repository that was renamed since.
  return named.length === 1 && !isEmpty ? [] : [...new Set(named)].filter((scope) => !isDone(scope));
}

/** The scopes on the schedule that were last read to their end longer ago than it allows. */
function staleScopes({ scopes }: Connector, { reported, schedule }: CollectionSync): readonly ScopeSync[] {
  const before = staleBefore(schedule);
  if (schedule === null || before === undefined) return [];
  const isDue = dueTest(schedule);
  return reported.filter(
    ({ scope, completedAt }) => completedAt !== null && completedAt < before && isDue(scope, scopes[scope]?.params.length !== 0),
  );
}

/** How to sync an entity, in the scopes that a search names or else in any. */
export function howToSyncEntity(instance: ConnectorInstance, entity: string, named: readonly string[] | undefined): string {
  return howToSync(instance, named ?? exampleScopes(instance.connector, entity));
}

/** The scopes by which an entity is synced, each with an example in place of its value. */
function exampleScopes({ scopes, entities }: Connector, entity: string): readonly string[] {
  const kinds = new Set(entities[entity]?.sync.map(({ scope }) => scope));
  return [...kinds].map((kind) => {
    const { params = [] } = scopes[kind] ?? {};
    return params.length === 0 ? kind : `${kind}=${params.join("/")}`;
  });
}

function howToSync(instance: ConnectorInstance, [first = "", ...others]: readonly string[]): string {
  const { id, connector, ownCommand } = instance;
  const isPart = connector.scopes[first]?.params.length === 0;
  const sync = `sync ${id}${isPart ? "" : ` --scope ${shellWord(first)}`}`;
  const body = isPart ? "{}" : JSON.stringify({ scopes: [first] });
  const more = others.length === 0 ? "" : " The other scopes likewise.";
  if (ownCommand !== undefined) {
    // Without the credential, it would sync a simulated platform.
    const where = instance.simulated === true ? "" : " in a shell with the same credential";
    return `To sync it, run \`${ownCommand} ${sync}\`${where}.${more}`;
  }
  return `To sync it, run \`tenon ${sync}\`, or send POST /api/v1/integrations/connectors/${id}/sync with ${body}.${more}`;
}

/** @param isCut there may be more than these */
function listed(scopes: readonly string[], isCut: boolean): string {
  const shown = scopes.slice(0, mostNamed).join(", ");
  if (scopes.length <= mostNamed) return shown;
  return isCut ? `${shown} and others` : `${shown} and ${scopes.length - mostNamed} more`;
}
