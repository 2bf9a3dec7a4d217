import type { RequestHandler, Response } from "express";
import { TenonError } from "../../base/errors.ts";
import { requestLimits } from "../../base/request-limits.ts";
import { Turns } from "../../base/turns.ts";
import type { ConnectorInstance } from "../../execute/index.ts";
import type { ToldScope } from "../../sync/index.ts";
import { deliveryValue, readDelivery, Verification, type WebhookInbox } from "../../webhooks/index.ts";
import type { Answers } from "../answers.ts";
import { networkOfCaller } from "../callers/caller-address.ts";
import type { Gate } from "../gate.ts";
import { bytesOfStranger, strangerJson } from "../intake/body.ts";
import { searchOf } from "../query.ts";

/** What became of a delivery. `ignored`: the spec does not name its event. */
export type DeliveryOutcome = "accepted" | "duplicate" | "ignored" | "refused";

export interface WebhookState {
  /** Hints that wait to be followed. */
  readonly waiting: number;
  /** Scopes of which a webhook has named something in the last days. */
  readonly told: readonly ToldScope[];
  /** Webhooks from this time on keep a scope up to date (milliseconds since 1970). */
  readonly since: number;
}

export interface Webhooks {
  readonly inbox: WebhookInbox;
  /** The secrets of a connector instance; none where its webhooks are refused. @param scope the one that the address names */
  readonly secrets: (id: string, scope: string | undefined) => Promise<readonly string[]>;
  /** Finds a connector instance; undefined where there is none that can be used. */
  readonly find: (id: string) => Promise<ConnectorInstance | undefined>;
  /** What webhooks of an instance have named; undefined where none are taken. */
  readonly state: (id: string) => Promise<WebhookState | undefined>;
  /** Counts deliveries. @param connector name of a connector; undefined for a delivery to none */
  readonly count: (connector: string | undefined, outcome: DeliveryOutcome) => void;
}

/** Secrets that are looked up at once, because anybody may cause that: other uses of the same store must not wait behind them. */
const mostLookups = 2;

/**
 * `POST /api/v1/integrations/connectors/{connector_id}/webhook`: takes a delivery of the platform, which proves itself by its signature. It
 * is stored before the response. A delivery that cannot prove itself learns nothing: not even whether there is such a connector.
 */
export function webhookRoute(webhooks: Webhooks, gate: Gate, answers: Answers): readonly RequestHandler[] {
  const lookups = new Turns(mostLookups);
  return [
    gate.arrival,
    async (request, response, next) => {
      const id = String(request.params["connectorId"]);
      const scope = searchOf(request).get("scope") ?? undefined;
      const secrets = await lookups.run(networkOfCaller(request, response), () => webhooks.secrets(id, scope));
      const instance = secrets.length === 0 ? undefined : await webhooks.find(id);
      const plan = instance?.connector.webhooks;
      const check = plan && new Verification(plan, secrets, request.headers);
      if (instance === undefined || check === undefined || check.isUnsigned) throw refused(webhooks, instance);
      keep(response, { instance, check });
      next();
    },
    (request, response, next) => gate.strangerBody(mostBytes(kept(response)))(request, response, next),
    async (request, response, next) => {
      const { instance, check } = kept(response);
      const bytes = await bytesOfStranger(request, mostBytes({ check }), (piece) => check.take(piece));
      if (!check.hasCode()) throw refused(webhooks, instance);
      request.body = await strangerJson(bytes, request, response).catch((thrown: unknown) => {
        throw check.isInBody ? refused(webhooks, instance) : thrown;
      });
      if (!check.isGood(request.body, Date.now())) throw refused(webhooks, instance);
      next();
    },
    gate.place,
    async ({ headers, body }, response) => {
      const { instance, check } = kept(response);
      const { connector } = instance;
      const { event, delivery } = connector.webhooks ?? {};
      const { isKnown, hints } = readDelivery(connector, event && deliveryValue(event, headers, body), body);
      const name = delivery && deliveryValue(delivery, headers, body);
      const stored = { instance: instance.id, id: name?.slice(0, 200) ?? check.digest() };
      const isNew = await gate.hold(
        webhooks.inbox.receive({ ...stored, hints: hints.map((hint) => ({ ...hint, instance: instance.id })) }),
      );
      const status = !isNew ? "duplicate" : isKnown ? "accepted" : "ignored";
      webhooks.count(connector.name, status);
      response.status(202);
      answers.sendJson(response, { data: { status }, meta: {} });
    },
  ];
}

interface Arrival {
  readonly instance: ConnectorInstance;
  readonly check: Verification;
}

/** Limits of a delivery. A body that carries its own secret is parsed before its sender is known, so its limit is lower. */
function mostBytes({ check }: Pick<Arrival, "check">): number {
  return check.isInBody ? requestLimits.body : requestLimits.webhook;
}

const arrivals = new WeakMap<Response, Arrival>();

function keep(response: Response, arrival: Arrival): void {
  arrivals.set(response, arrival);
}

function kept(response: Response): Arrival {
  const found = arrivals.get(response);
  if (found === undefined) throw new Error("a delivery was not looked at");
  return found;
}

function refused({ count }: Webhooks, instance: ConnectorInstance | undefined): TenonError {
  count(instance?.connector.name, "refused");
  return new TenonError("unauthorized", "The delivery has no valid signature.");
}
