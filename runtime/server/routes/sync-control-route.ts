import type { Request, RequestHandler, Response } from "express";
import { type Grant, mayUseEntity } from "../../accounts/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { isObject } from "../../base/is-object.ts";
import { type ConnectorInstance, simulatedMark } from "../../execute/index.ts";
import { checkEntities, type RunOptions, readScopes, type SyncRuns } from "../../sync/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { visibleScopes } from "../visible-scopes.ts";

export interface SyncControl {
  readonly instances: Instances;
  readonly syncs: Pick<SyncRuns, "start" | "stop" | "forget">;
  /** The scopes that are on the schedule of an instance. */
  readonly syncScopes: (id: string) => Promise<readonly string[]>;
}

/**
 * `POST …/sync`: starts a sync and answers 202 at once; `GET …/sync` shows its progress. The body may have `scopes` (default: those of the
 * schedule that the caller may know of), `entities`, `full` and `allow_mass_delete`.
 */
export function startSyncRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const instance = await syncedInstance(control, request, response);
    const { grant } = callerOf(response);
    const scheduled = visibleScopes(instance.connector, await control.syncScopes(instance.id), grant);
    const options = permitted(grant, instance, runOptions(instance, request.body as unknown, scheduled));
    traceOf(response).deed = "sync.start";
    await control.syncs.start(instance, options);
    response.statusCode = 202;
    answers.sendJson(response, {
      data: { status: "started", scopes: options.scopes.map(({ name }) => name) },
      meta: simulatedMark(instance),
    });
  };
}

/** `DELETE …/sync`: ends the sync that this process runs, after the page that it reads; the next one goes on from there. */
export function stopSyncRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const instance = await syncedInstance(control, request, response);
    requireAllEntities(response, "the sync that runs may be of others too");
    traceOf(response).deed = "sync.stop";
    const stopped = await control.syncs.stop(instance.id);
    answers.sendJson(response, { data: { status: stopped ? "stopped" : "not_running" }, meta: simulatedMark(instance) });
  };
}

/** `DELETE …/sync/scopes/{scope}`: removes the cached records of a scope. */
export function forgetScopeRoute(control: SyncControl, answers: Answers): RequestHandler {
  return async (request, response) => {
    const instance = await syncedInstance(control, request, response);
    requireAllEntities(response, "a scope has records of others too");
    traceOf(response).deed = "sync.forget";
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const data = await control.syncs.forget(instance, String(request.params["scope"]), gone.signal);
    answers.sendJson(response, { data, meta: simulatedMark(instance) });
  };
}

/** The instance of a request whose caller may sync it. @throws TenonError */
async function syncedInstance(control: SyncControl, request: Request, response: Response): Promise<ConnectorInstance> {
  const { grant } = callerOf(response);
  const looker = { grant, organization: organizationOf(request) };
  const instance = await instanceOf(control.instances, request.params["connectorId"], looker);
  traceOf(response).instance = instance;
  requireRight(grant, "sync");
  if (instance.store === undefined)
    throw new TenonError("context_store_unavailable", "This connector has no context store: there is none in local mode.");
  return instance;
}

/** @throws TenonError `forbidden` for a caller who may use some entities only, with the reason why that is not enough */
function requireAllEntities(response: Response, reason: string): void {
  if (callerOf(response).grant.entities !== null)
    throw new TenonError("forbidden", `This token allows some entities only, and ${reason}.`);
}

/** The options of a sync within what a grant allows. @throws TenonError `forbidden` when they name another entity */
function permitted(grant: Grant, { connector }: ConnectorInstance, options: RunOptions): RunOptions {
  if (grant.entities === null) return options;
  const other = options.entities?.find((entity) => !mayUseEntity(grant, entity));
  if (other !== undefined) throw new TenonError("forbidden", `This token does not allow the entity "${other}".`);
  const kinds = new Set(options.scopes.map(({ kind }) => kind));
  const own = Object.entries(connector.entities).filter(([, { sync }]) => sync.some(({ scope }) => kinds.has(scope)));
  return { ...options, entities: options.entities ?? own.map(([name]) => name).filter((name) => mayUseEntity(grant, name)) };
}

const members = ["scopes", "entities", "full", "allow_mass_delete"];

/** @throws TenonError `invalid_request` that names everything that is wrong */
function runOptions({ connector }: ConnectorInstance, body: unknown, scheduled: readonly string[]): RunOptions {
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
