import { isObject } from "../base/is-object.ts";
import { sqlAction, storeAction } from "../contract/action.ts";
import { type Changes, followChanges } from "./changes.ts";
import type { Client } from "./entity.ts";
import type { ConnectorTypes } from "./entity-types.ts";
import { callError } from "./errors.ts";
import { HostedTransport } from "./hosted.ts";
import { camelCase } from "./names.ts";
import type {
  AnyCredential,
  CallOptions,
  ClientOptions,
  HostedOptions,
  LocalCallOptions,
  LocalOptions,
  WalkOptions,
} from "./options.ts";
import type { SqlOptions } from "./sql.ts";
import type { ActionPlan, Answered, ClientPlan, LocalMode, Transport } from "./transport.ts";
import { walk } from "./walk.ts";

/** Milliseconds that one call may take unless its options say otherwise. */
const usualTimeout = 60_000;

/** The class of a connector's client. `Credential` is what the platform takes as a credential. */
export interface ConnectorClass<Entities extends ConnectorTypes<Entities>, Credential = AnyCredential> {
  /** @throws CallError when the options do not fit together */
  new <Token = undefined, Refresh = undefined, Own = undefined>(
    options?: ClientOptions<Credential> & LocalMarks<Token, Refresh, Own>,
  ): Client<Entities, [Token | Refresh | Own] extends [undefined] ? CallOptions : LocalCallOptions>;
}

/** The options of which one makes a client local, with the types that they have; undefined or never for one that is absent. */
interface LocalMarks<Token, Refresh, Own> {
  readonly accessToken?: Token;
  readonly refreshToken?: Refresh;
  readonly credential?: Own;
}

/**
 * Makes the class of a connector's client. The generator calls it; what the client's methods take and answer is known to the compiler
 * from `Entities` alone.
 *
 * @param local makes local mode; absent where the client has hosted mode only
 */
export function connectorClass<Entities extends ConnectorTypes<Entities>, Credential>(
  plan: ClientPlan,
  local?: LocalMode,
): ConnectorClass<Entities, Credential> {
  const made = class {
    constructor(options: ClientOptions = {}) {
      timeoutOf(options);
      const transport = transportOf(plan, options, local);
      const run = runner(plan, options, transport);
      Object.assign(
        this,
        { execute: run, sql: sqlOf(plan, run), changes: changesOf(options, transport) },
        entityClients(plan, run),
      );
    }
  };
  return made as ConnectorClass<Entities, Credential>;
}

/** More milliseconds than these, a timer of JavaScript cannot wait. */
const longestTimeout = 2 ** 31 - 1;

/** Milliseconds that a call may take. @throws CallError `invalid_request` */
function timeoutOf(call: { readonly timeout?: number }, options: { readonly timeout?: number } = {}): number {
  const timeout = call.timeout ?? options.timeout ?? usualTimeout;
  if (typeof timeout === "number" && timeout >= 0 && timeout <= longestTimeout) return Math.ceil(timeout);
  throw callError("invalid_request", `timeout must be a number of milliseconds from 0 to ${longestTimeout}.`);
}

type Run = (entity: string, action: string, params?: object, options?: CallOptions) => Promise<Answered>;

/** The function behind all methods: it fills in what the options leave open, and sends the call. */
function runner(plan: ClientPlan, options: ClientOptions, transport: () => Promise<Transport>): Run {
  return async (entity, action, params = {}, call = {}) => {
    const { signal, requestId = globalThis.crypto.randomUUID() } = call;
    signal?.throwIfAborted();
    const timeout = timeoutOf(call, options);
    if (call.idempotencyKey !== undefined && isLocal(options))
      throw callError(
        "invalid_request",
        "idempotencyKey needs a service, which remembers the writes that it did: leave it out in local mode.",
        { requestId },
      );
    const writes = actionOf(plan, entity, action)?.writes === true;
    const idempotencyKey = writes ? (call.idempotencyKey ?? globalThis.crypto.randomUUID()) : undefined;
    return (await transport()).execute({ entity, action, params }, { writes, signal, timeout, idempotencyKey, requestId });
  };
}

/** The function that runs SQL. A request names an entity, but the statement may read them all. */
function sqlOf({ entities }: ClientPlan, run: Run): (sql: string, options?: SqlOptions) => Promise<Answered> {
  const [entity = ""] = Object.keys(entities);
  return (sql, { limit, explain, ...call } = {}) => {
    const params = { sql, ...(limit === undefined ? {} : { limit }), ...(explain === undefined ? {} : { explain }) };
    return run(entity, sqlAction, params, call);
  };
}

/** The function that gives the changes of the cache. */
function changesOf(options: ClientOptions, transport: () => Promise<Transport>): Changes<string> {
  return (given = {}) => {
    const { signal } = given;
    const timeout = timeoutOf(given, options);
    return followChanges({ ...given, timeout }, async (query) => {
      const requestId = globalThis.crypto.randomUUID();
      return (await transport()).changes(query, { writes: false, signal, timeout, idempotencyKey: undefined, requestId });
    });
  };
}

/** The plan of an action. One that the plan does not know may still be one of a newer service. */
function actionOf({ entities }: ClientPlan, entity: string, action: string): ActionPlan | undefined {
  const actions = Object.hasOwn(entities, entity) ? entities[entity] : undefined;
  return actions !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
}

/** @returns the transport that the options name */
function transportOf(plan: ClientPlan, options: ClientOptions, local: LocalMode | undefined): () => Promise<Transport> {
  if (!isLocal(options)) {
    const hosted = Promise.resolve(new HostedTransport(plan.name, withEnvironment(options)));
    return () => hosted;
  }
  const own = localNames.find((name) => options[name] !== undefined) ?? "accessToken";
  for (const name of ["baseUrl", "apiKey", "token", ...(own === "refreshToken" ? [] : ["clientId"]), "connectorId", "workspace"])
    if (Object.entries(options).some(([given, value]) => given === name && value !== undefined))
      throw callError("invalid_request", `${name} is for hosted mode and ${own} for local mode: give one of the two.`);
  if (local === undefined)
    throw callError(
      "invalid_request",
      "Local mode runs in Node only, and this client is made for browsers. Use hosted mode: give baseUrl and token.",
    );
  return local(options);
}

/** The options that make a client local. */
const localNames = ["credential", "refreshToken", "accessToken"] as const;

function isLocal(options: ClientOptions): options is LocalOptions {
  return localNames.some((name) => options[name] !== undefined);
}

/** The options, and from the environment what they leave open. A credential of the environment never stands beside a given one. */
export function withEnvironment(options: HostedOptions): HostedOptions {
  const env: Readonly<Record<string, string | undefined>> = globalThis.process?.env ?? {};
  const { TENON_URL, TENON_API_KEY, TENON_CLIENT_ID, TENON_CLIENT_SECRET } = env;
  const known = options.apiKey ?? options.token ?? options.clientId ?? options.clientSecret;
  const credential =
    known !== undefined
      ? {}
      : TENON_API_KEY
        ? { apiKey: TENON_API_KEY }
        : { clientId: TENON_CLIENT_ID || undefined, clientSecret: TENON_CLIENT_SECRET || undefined };
  return { ...options, ...credential, baseUrl: options.baseUrl ?? (TENON_URL || undefined) };
}

/** A property for each entity, with a method for each of its actions. */
function entityClients(plan: ClientPlan, run: Run): Record<string, object> {
  return Object.fromEntries(
    Object.entries(plan.entities).map(([entity, actions]) => [
      camelCase(entity),
      Object.fromEntries(
        Object.entries({ ...actions, [storeAction]: { cursor: "cursor" } }).map(
          ([action, { cursor, writes }]: [string, ActionPlan]) => {
            const method = (params?: object, options?: CallOptions) => run(entity, action, params, options);
            const all = (params: object = {}, options: WalkOptions = {}) => {
              const { maxRecords: _most, maxPages: _pages, ...call } = options;
              return walk(isObject(params) ? params : {}, cursor, options, (page) => run(entity, action, page, call));
            };
            return [camelCase(action), writes === true ? method : Object.assign(method, { all })];
          },
        ),
      ),
    ]),
  );
}
