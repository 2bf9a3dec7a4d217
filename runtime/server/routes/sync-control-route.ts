import type { Request, RequestHandler, Response } from "express";
import { type Grant, mayUseEntity } from "../../accounts/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { isObject } from "../../base/is-object.ts";
import { type ConnectorInstance, simulatedMark } from "../../execute/index.ts";
import { checkEntities, type Forgotten, type RequestedSync, type RunningSyncs, readScopes } from "../../sync/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import { whileOpen } from "../callers/while-open.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { type Trace, traceOf } from "../monitoring/trace.ts";
import { visibleScopes } from "../visible-scopes.ts";

export interface SyncControl {
  readonly instances: Instances;
  readonly syncs: Pick<RunningSyncs, "start" | "stop" | "forget" | "isClosed">;
  /** The scopes that are on the schedule of an instance. */
  readonly syncScopes: (id: string) => Promise<readonly string[]>;
}

/** A sync that its caller may start. */
export interface PreparedSync {
  readonly instance: ConnectorInstance;
  readonly options: RequestedSync;
}

/** Who controls the syncs of which instance. */
export interface SyncAsker {
  readonly grant: Grant;
  /** Nothing is known of it yet. */
  readonly id: unknown;
  readonly organization: string | undefined;
  readonly trace: Trace;
}

/**
 * Starts a sync, and does not wait for its end.
 *
 * @param body as for {@link prepareSync}
 * @returns the scopes that are synced
 * @throws TenonError
 */
export async function startSync(control: SyncControl, asker: SyncAsker, body: unknown): Promise<readonly string[]> {
  asker.trace.deed = "sync.start";
  const { instance, options } = await prepareSync(control, asker, body);
  await control.syncs.start(instance, options);
  return options.scopes.map(({ name }) => name);
}

/**
 * Checks that a caller may start a sync.
 *
 * @param body may have `scopes` (default: those of the schedule that the caller may know of), `entities`, `full`, `allow_mass_delete`
 * @throws TenonError
 */
export async function prepareSync(control: SyncControl, asker: SyncAsker, body: unknown): Promise<PreparedSync> {
  const instance = await syncedInstance(control, asker);
  const scheduled = visibleScopes(instance.connector, await control.syncScopes(instance.id), asker.grant);
  return { instance, options: permitted(asker.grant, instance, requestedSync(instance, body, scheduled)) };
}

/** Ends the sync that this process runs, after the page that it reads. @returns false when it runs none. @throws TenonError */
export async function stopSync(control: SyncControl, asker: SyncAsker): Promise<boolean> {
  asker.trace.deed = "sync.stop";
  const instance = await syncedInstance(control, asker);
  requireAllEntities(asker.grant, "the sync that runs may be of others too");
  return control.syncs.stop(instance.id);
}

/** Removes the cached records of a scope. @throws TenonError */
export async function forgetScope(
  control: SyncControl,
  asker: SyncAsker,
  scope: string,
  signal: AbortSignal,
): Promise<Forgotten> {
  asker.trace.deed = "sync.forget";
  const instance = await syncedInstance(control, asker);
  requireAllEntities(asker.grant, "a scope has records of others too");
  return control.syncs.forget(instance, scope, signal);
}

/** `POST …/sync`: starts a sync and answers 202 at once; `GET …/sync` shows its progress. */
export function startSyncRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const scopes = await startSync(control, askerOf(request, response), request.body as unknown);
    response.statusCode = 202;
    answers.sendJson(response, { data: { status: "started", scopes }, meta: metaOf(response) });
  };
}

/** `DELETE …/sync`: ends the sync that this process runs; the next one goes on from there. */
export function stopSyncRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const stopped = await stopSync(control, askerOf(request, response));
    answers.sendJson(response, { data: { status: stopped ? "stopped" : "not_running" }, meta: metaOf(response) });
  };
}

/** `DELETE …/sync/scopes/{scope}`: removes the cached records of a scope. */
export function forgetScopeRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const scope = String(request.params["scope"]);
    const data = await forgetScope(control, askerOf(request, response), scope, whileOpen(response));
    answers.sendJson(response, { data, meta: metaOf(response) });
  };
}

function askerOf(request: Request, response: Response): SyncAsker {
  const { grant } = callerOf(response);
  return { grant, id: request.params["connectorId"], organization: organizationOf(request), trace: traceOf(response) };
}

function metaOf(response: Response) {
  return simulatedMark(traceOf(response).instance ?? {});
}

/** The instance that a caller may sync. @throws TenonError */
async function syncedInstance(control: SyncControl, { grant, id, organization, trace }: SyncAsker): Promise<ConnectorInstance> {
  const instance = await instanceOf(control.instances, id, { grant, organization });
  trace.instance = instance;
  requireRight(grant, "sync");
  if (instance.store === undefined)
    throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
  return instance;
}

/** @throws TenonError `forbidden` for a caller who may use some entities only, with the reason why that is not enough */
export function requireAllEntities({ entities }: Grant, reason: string): void {
  if (entities !== null) throw new TenonError("forbidden", `This token allows some entities only, and ${reason}.`);
}

/** The options of a sync within what a grant allows. @throws TenonError `forbidden` when they name another entity, or leave none */
function permitted(grant: Grant, { connector }: ConnectorInstance, options: RequestedSync): RequestedSync {
  if (grant.entities === null) return options;
  const other = options.entities?.find((entity) => !mayUseEntity(grant, entity));
  if (other !== undefined) throw new TenonError("forbidden", `This token does not allow the entity "${other}".`);
  const kinds = new Set(options.scopes.map(({ kind }) => kind));
  const own = Object.entries(connector.entities).filter(([, { sync }]) => sync.some(({ scope }) => kinds.has(scope)));
  const entities = options.entities ?? own.map(([name]) => name).filter((name) => mayUseEntity(grant, name));
  if (entities.length === 0) throw new TenonError("forbidden", "This token allows none of the entities that these scopes fill.");
  return { ...options, entities };
}

const members = ["scopes", "entities", "full", "allow_mass_delete"];

/** @throws TenonError `invalid_request` that names everything that is wrong */
function requestedSync({ connector }: ConnectorInstance, body: unknown, scheduled: readonly string[]): RequestedSync {
  const faults = new Faults();
  const given = body === undefined ? {} : body;
  if (!isObject(given)) {
    faults.add([], "wrong_type", "The body must be an object.");
    throw invalidRequest(faults.list);
  }
  faults.unknownNames([], "unknown_member", given, members, () => `A sync takes only ${members.join(", ")}.`);
  const scopes = texts(given, "scopes", faults) ?? scheduled;
  const entities = texts(given, "entities", faults);
  const isTrue = (name: string) => {
    const value = given[name];
    if (value !== undefined && typeof value !== "boolean") faults.add([name], "wrong_type", `${name} must be true or false.`);
    return value === true;
  };
  const chosen = { full: isTrue("full"), massDelete: isTrue("allow_mass_delete") };
  if (faults.any) throw invalidRequest(faults.list);
  const read = readScopes(connector, scopes);
  checkEntities(connector, entities ?? [], read);
  return { scopes: read, ...(entities === undefined ? {} : { entities }), ...chosen };
}

/** A member that is a list of texts; undefined where it is absent. */
function texts(given: Readonly<Record<string, unknown>>, name: string, faults: Faults): readonly string[] | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every((one) => typeof one === "string"))
    return value;
  return faults.add([name], "wrong_type", `${name} must be a list of 1 to 100 strings.`);
}
