import { invalidRequest, shown } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import { aliased, isStoreAction, sqlAction, storeAction } from "../contract/index.ts";
import type { ActionManual, EntityManual } from "../manual/manual.ts";
import type { ToolHost, ToolInstance } from "./host.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** A call of a tool. Its faults are collected and reported together. */
export interface ToolRun {
  readonly host: ToolHost;
  readonly args: Arguments;
  readonly signal: AbortSignal | undefined;
  readonly faults: Faults;
  /** The most bytes of the text of the result, where it is less than usual. */
  readonly most?: number;
}

export interface ToolTarget {
  readonly instance: ToolInstance;
  readonly entity: EntityManual;
}

/** Ends the call when anything is wrong with its arguments. @throws TenonError `invalid_request` */
export function refuseFaults({ faults }: ToolRun): void {
  if (faults.any) throw invalidRequest(faults.list);
}

/** The instance that the arguments name, or the only one; undefined when a fault was added. */
export async function namedInstance({ host, args, faults }: ToolRun): Promise<ToolInstance | undefined> {
  const instances = await host.instances();
  const wanted = args["connector"];
  const [only] = instances;
  if (only === undefined)
    return faults.add(
      ["connector"],
      "unknown_connector",
      "There is no connector that you may use here. Ask the operator for access to one.",
    );
  if (wanted === undefined && instances.length === 1) return only;
  const found = instances.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  const ids = instances.map(({ id }) => id);
  if (wanted === undefined)
    return faults.add(["connector"], "missing_connector", "connector is required, because there are several.", ids);
  // Another type was reported before.
  if (typeof wanted !== "string") return undefined;
  return faults.unknown(["connector"], "unknown_connector", `There is no connector "${shown(wanted)}" here.`, wanted, ids);
}

/** The instance and the entity that the arguments name. @throws TenonError `invalid_request` with all faults of the call */
export async function targetOf(run: ToolRun, check: (target: ToolTarget) => unknown = () => undefined): Promise<ToolTarget> {
  const { args, faults } = run;
  const instance = await namedInstance(run);
  const wanted = args["entity"];
  if (instance !== undefined && typeof wanted === "string") {
    const { entities } = await instance.manual();
    const entity = entities.find(({ name }) => name === wanted);
    if (entity !== undefined) {
      await check({ instance, entity });
      refuseFaults(run);
      return { instance, entity };
    }
    const names = entities.map(({ name }) => name);
    const message = `${instance.id} has no entity "${shown(wanted)}".`;
    faults.unknown(["entity"], "unknown_entity", message, wanted, names, aliased(wanted, entities));
  }
  throw invalidRequest(faults.list);
}

/** Whether syncs read the records of an entity into the cache. */
export function isCached({ actions }: EntityManual): boolean {
  return actions.some(({ name }) => name === storeAction);
}

/** Names of the actions of an entity that a caller may ask these tools for. SQL belongs to none. */
export function offered({ actions }: EntityManual, host: ToolHost): string[] {
  return actions.filter(({ name, writes }) => name !== sqlAction && (!writes || host.writes)).map(({ name }) => name);
}

/** Checks the name of the action to describe. An entity of which no action is named has all of them described. */
export function checkDescribed({ host, args, faults }: ToolRun, { entity }: ToolTarget): void {
  const { action: wanted } = args;
  if (typeof wanted !== "string") return;
  const known = entity.actions.find(({ name }) => name === wanted);
  if (known?.writes === true && !host.writes) faults.add(["action"], "not_allowed", writingIsOff(known), offered(entity, host));
  if (known === undefined) addUnknown(faults, entity, wanted, offered(entity, host));
  if (wanted === sqlAction) faults.add(["action"], "not_allowed", `${wanted} has a tool of its own: use the tool sql.`);
}

/** Checks that the action reads from the platform. */
export function checkReads({ host, args, faults }: ToolRun, { entity }: ToolTarget): void {
  const { action: wanted } = args;
  if (typeof wanted !== "string") return;
  const allowed = entity.actions.filter(({ name, writes }) => !writes && !isStoreAction(name)).map(({ name }) => name);
  if (allowed.includes(wanted)) return;
  const known = entity.actions.find(({ name }) => name === wanted);
  if (known === undefined) addUnknown(faults, entity, wanted, allowed);
  else if (!known.writes) faults.add(["action"], "not_allowed", `${wanted} has its own tools: ${searchTools(entity)}.`, allowed);
  else if (host.writes) faults.add(["action"], "not_allowed", `${wanted} changes something: use the tool write.`, allowed);
  else faults.add(["action"], "not_allowed", writingIsOff(known), allowed);
}

/** Checks that the action writes. */
export function checkWrites({ args, faults }: ToolRun, { entity }: ToolTarget): void {
  const { action: wanted } = args;
  if (typeof wanted !== "string") return;
  const allowed = entity.actions.filter(({ writes }) => writes).map(({ name }) => name);
  if (allowed.includes(wanted)) return;
  const known = entity.actions.find(({ name }) => name === wanted);
  if (known === undefined && allowed.length > 0) addUnknown(faults, entity, wanted, allowed);
  else if (known === undefined) faults.add(["action"], "unknown_action", `${entity.name} has no action that changes something.`);
  else {
    const tool = isStoreAction(wanted) ? searchTools(entity) : "use the tool read";
    faults.add(["action"], "not_allowed", `${wanted} changes nothing: ${tool}.`, allowed);
  }
}

/** The field of an entity that search by meaning knows. @throws TenonError `invalid_request` with all faults of the call */
export async function checkSemantic({ faults }: ToolRun, { instance, entity }: ToolTarget): Promise<void> {
  if (entity.semantic.length > 0) return;
  const { entities } = await instance.manual();
  const allowed = entities.filter(({ semantic }) => semantic.length > 0).map(({ name }) => name);
  faults.add(["entity"], "not_allowed", `${entity.name} has no text to search by meaning: use the tool search.`, allowed);
}

function addUnknown(faults: Faults, { name }: EntityManual, wanted: string, allowed: readonly string[]): void {
  faults.unknown(["action"], "unknown_action", `${name} has no action "${shown(wanted)}".`, wanted, allowed);
}

function searchTools({ semantic }: EntityManual): string {
  const others = semantic.length > 0 ? ", semantic_search to search by meaning," : "";
  return `use the tool search${others} or sql for a SELECT`;
}

function writingIsOff({ name }: ActionManual): string {
  return `${name} changes something, and writing is off here. The operator may allow it (tenon mcp --write, or TENON_MCP_WRITES=true and a key with the right write).`;
}
