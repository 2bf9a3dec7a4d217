import { newSecretText } from "../accounts/index.ts";
import { asTenonError, invalidRequest, TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import type { WebhookCall, WebhookSetup } from "../contract/index.ts";
import {
  type ConnectorInstance,
  checkRequest,
  type ExecuteContext,
  type ExecuteResult,
  executeChecked,
} from "../execute/index.ts";
import { spellingOf } from "../store/collection-sync.ts";
import { readScopes, type Scope } from "../sync/index.ts";
import { type AddedWebhook, type AddedWebhooks, goodSecrets, secretsAge } from "./added-webhooks.ts";

/** Milliseconds for which a former secret is good: so long a platform may go on with it, or a person need to enter the new one. */
export const formerSecret = 24 * 60 * 60_000;
/** The most webhooks of one instance, and the most secrets of one webhook. */
export const mostWebhooks = 500;
const mostSecrets = 5;
/** How often, and after how many milliseconds each, the list of deliveries is read for what became of a test. */
const looks = { most: 10, ms: 1_000 } as const;

/** With what a webhook is managed. */
export interface WebhookPlace {
  readonly added: AddedWebhooks;
  readonly instance: ConnectorInstance;
  /** Makes the context of a call to the platform. */
  readonly context: () => ExecuteContext;
}

/** What a person has to enter on the platform. */
export interface HandEntry {
  /** Where it is entered. */
  readonly where: string;
  readonly url: string;
  /** Null where the platform makes it, or where it has not changed. It is shown only this once. */
  readonly secret: string | null;
  /** Why Tenon did not do it. */
  readonly reason: string;
}

export interface Managed {
  readonly scope: string;
  /** `done` on the platform, or to be entered there by a person. */
  readonly status: "done" | "enter";
  /** Null where nothing is left to do. */
  readonly enter: HandEntry | null;
}

/** Adds the webhook of a scope: on the platform where that is possible. @param url the address of the service, without a query */
export async function addWebhook(place: WebhookPlace, name: string, url: string): Promise<Managed> {
  const { added, instance } = place;
  const { setup, scope } = setupOf(instance, name);
  const address = `${url}?scope=${encodeURIComponent(scope.name)}`;
  if (setup.secret === "platform") return byHand(setup, scope.name, url, null, `${instance.connector.title} makes the secret`);
  const secret = newSecretText("webhook");
  const webhook = {
    scope: scope.name,
    id: null,
    url: address,
    at: Date.now(),
    lookedAt: 0,
    secrets: [{ text: secret, until: null }],
  };
  await added.change(instance.id, (now) => {
    if (now.some(isOf(instance, scope)))
      throw invalid(`There is a webhook of ${scope.name} already. Rotate its secret, or remove it first.`);
    if (now.length >= mostWebhooks) throw invalid(`There are ${mostWebhooks} webhooks already, which is the most.`);
    return [...now, webhook];
  });
  const calls = setup.scopes?.[scope.kind];
  if (calls === undefined)
    return byHand(setup, scope.name, address, secret, `it cannot be done for a scope of the kind ${scope.kind}`);
  try {
    // Other processes have to know the secret before the platform uses it.
    await pause(secretsAge);
    const { data } = await call(place, scope, calls.add, { url: address, secret });
    const id = idOf(data);
    await replace(place, webhook, { id });
    return done(scope);
  } catch (thrown) {
    const error = asTenonError(thrown);
    if (isDenied(error)) return byHand(setup, scope.name, address, secret, error.message);
    // When it is not known whether the platform has done it, its deliveries are accepted.
    if (error.code !== "write_in_doubt")
      await added.change(instance.id, (now) => now.filter((one) => !isOf(instance, scope)(one)));
    throw error;
  }
}

/** Gives a webhook a new secret. The former one is good for a day more. */
export async function rotateWebhook(place: WebhookPlace, name: string): Promise<Managed> {
  const { setup, scope, webhook } = await found(place, name);
  const secret = newSecretText("webhook");
  const now = Date.now();
  const former = goodSecrets(webhook, now).map(({ text, until }) => ({ text, until: until ?? now + formerSecret }));
  if (former.length >= mostSecrets)
    throw invalid(
      `The webhook of ${scope.name} has ${mostSecrets} secrets that are still good. Each is for a day after it was replaced.`,
    );
  await replace(place, webhook, { secrets: [{ text: secret, until: null }, ...former] });
  const calls = setup.scopes?.[scope.kind];
  if (calls === undefined || webhook.id === null) return byHand(setup, scope.name, webhook.url, secret, "it was entered by hand");
  try {
    await pause(secretsAge);
    await call(place, scope, calls.change, { id: webhook.id, url: webhook.url, secret });
    return done(scope);
  } catch (thrown) {
    const error = asTenonError(thrown);
    if (!isDenied(error)) throw error;
    return byHand(setup, scope.name, webhook.url, secret, error.message);
  }
}

/** Removes a webhook, on the platform too where that is possible. Its secrets are good no longer. */
export async function removeWebhook(place: WebhookPlace, name: string): Promise<Managed> {
  const { setup, scope, webhook } = await found(place, name);
  const calls = setup.scopes?.[scope.kind];
  let reason = "it was entered by hand";
  if (calls !== undefined && webhook.id !== null) {
    const error = await call(place, scope, calls.remove, { id: webhook.id }).then(() => undefined, asTenonError);
    if (error !== undefined && !isDenied(error)) throw error;
    reason = error?.message ?? "";
  }
  await place.added.change(place.instance.id, (now) => now.filter((one) => one.scope !== webhook.scope));
  return reason === "" ? done(scope) : byHand(setup, scope.name, webhook.url, null, `${reason}; remove it there`);
}

/** What became of a test. */
export interface WebhookTest {
  readonly scope: string;
  /** `accepted` or `refused` by this service, as the platform says; `unknown` where the platform has not said so in time. */
  readonly outcome: "accepted" | "refused" | "unknown";
  /** HTTP status that the platform got; 0 for none, null where it is not known. */
  readonly http_status: number | null;
}

/** Has the platform call a webhook, and finds out from it how that ended. */
export async function testWebhook(place: WebhookPlace, name: string): Promise<WebhookTest> {
  const { setup, scope, webhook } = await found(place, name);
  const calls = setup.scopes?.[scope.kind];
  if (calls === undefined || webhook.id === null)
    throw invalid(`The webhook of ${scope.name} was entered by hand, so only the platform itself can test it.`);
  const { id } = webhook;
  const { deliveries } = calls;
  const list = async () =>
    deliveries === undefined ? [] : deliveriesOf(await call(place, scope, deliveries, { id }), deliveries);
  const before = new Set((await list()).map((one) => one.id));
  await call(place, scope, calls.ping, { id });
  for (let look = 0; deliveries !== undefined && look < looks.most; look++) {
    const sent = (await list()).find((one) => !before.has(one.id));
    if (sent !== undefined)
      return { scope: scope.name, outcome: isGood(sent.status) ? "accepted" : "refused", http_status: sent.status };
    await pause(looks.ms);
  }
  return { scope: scope.name, outcome: "unknown", http_status: null };
}

/** A delivery of the platform's list. */
export interface SentDelivery {
  readonly id: string | number;
  /** The name that it has here. */
  readonly name: string;
  /** HTTP status that the platform got; 0 for none. */
  readonly status: number;
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

export function deliveriesOf(
  { data }: ExecuteResult,
  { id, name, status }: NonNullable<NonNullable<WebhookSetup["scopes"]>[string]["deliveries"]>,
): SentDelivery[] {
  return (data as readonly Readonly<Record<string, unknown>>[]).map((one) => ({
    id: idOf({ id: one[id] }),
    name: String(one[name]),
    status: Number(one[status]),
  }));
}

/** Makes a call that manages webhooks. It is no write of a caller, so the policy for writes is not asked. */
export function call(
  { instance, context }: Pick<WebhookPlace, "instance" | "context">,
  scope: Scope,
  { call: name, params = {} }: WebhookCall,
  values: Readonly<Record<string, unknown>>,
): Promise<ExecuteResult> {
  const [entity, action] = name.split(".", 2);
  const given = Object.entries(params).map(([param, value]) => {
    const place = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
    return [param, place === undefined ? value : values[place]];
  });
  const request = checkRequest(instance.connector, { entity, action, params: { ...scope.params, ...Object.fromEntries(given) } });
  return executeChecked({ ...instance, guard: undefined }, request, context());
}

/** @throws TenonError `invalid_request` for a scope that is none, or where the connector has no webhooks */
export function setupOf({ connector }: ConnectorInstance, name: string): { readonly setup: WebhookSetup; readonly scope: Scope } {
  const isBare = connector.scopes[name]?.params.length === 0;
  const scope = readScopes(connector, isBare ? [] : [name]).find((one) => (isBare ? one.name === name : one.name !== one.kind));
  if (connector.webhooks === undefined || scope === undefined)
    throw invalid(`${connector.title} has no webhooks that Tenon takes.`);
  return { setup: connector.webhooks.setup, scope };
}

async function found({ added, instance }: WebhookPlace, name: string) {
  const { setup, scope } = setupOf(instance, name);
  const webhook = (await added.of(instance.id)).find(isOf(instance, scope));
  if (webhook === undefined) throw new TenonError("unknown_webhook", `No webhook of ${scope.name} was added here.`);
  return { setup, scope, webhook };
}

/** Whether a webhook is of a scope, in whatever spelling. */
function isOf({ connector }: ConnectorInstance, { name }: Scope): (webhook: AddedWebhook) => boolean {
  const spelling = spellingOf(connector, name);
  return ({ scope }) => spellingOf(connector, scope) === spelling;
}

async function replace({ added, instance }: WebhookPlace, webhook: AddedWebhook, change: Partial<AddedWebhook>): Promise<void> {
  await added.change(instance.id, (now) => now.map((one) => (one.scope === webhook.scope ? { ...one, ...change } : one)));
}

function done({ name }: Scope): Managed {
  return { scope: name, status: "done", enter: null };
}

function byHand({ where }: WebhookSetup, scope: string, url: string, secret: string | null, reason: string): Managed {
  return { scope, status: "enter", enter: { where, url, secret, reason } };
}

/** Whether the credential may not manage webhooks. Platforms hide from it what it may not see. */
function isDenied({ code }: TenonError): boolean {
  return code === "platform_forbidden" || code === "not_found";
}

function idOf(data: unknown): string | number {
  const id = (data as { readonly id?: unknown } | null)?.id;
  if (typeof id === "string" || typeof id === "number") return id;
  throw new TenonError("unexpected_response", "The platform sent a webhook without an id.");
}

function invalid(message: string): TenonError {
  return invalidRequest([{ pointer: "/scope", code: "invalid_value", message }]);
}
