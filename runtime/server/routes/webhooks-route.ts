import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Caller, hasRight } from "../../accounts/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { isObject } from "../../base/is-object.ts";
import type { Logger } from "../../base/logger.ts";
import {
  type AddedWebhooks,
  addWebhook,
  goodSecrets,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  type WebhookPlace,
} from "../../webhooks/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import type { Gate } from "../gate.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { requireAllEntities } from "./sync-control-route.ts";

export interface ManagedWebhooks {
  /** Absent where there is no secret key, so that no secret can be stored. */
  readonly added: AddedWebhooks | undefined;
  /** The address of the service for platforms; undefined where the settings do not say it. @param isNear for a platform on this machine */
  readonly address: (isNear: boolean) => string | undefined;
  /** When webhooks of an instance last named something, by scope (milliseconds since 1970). */
  readonly named: (id: string) => Promise<ReadonlyMap<string, number>>;
}

interface Options {
  readonly instances: Instances;
  readonly webhooks: ManagedWebhooks;
  readonly gate: Gate;
  readonly log: Logger;
  readonly timeout: number;
}

/**
 * The routes under `/api/v1/integrations/connectors/{connector_id}/webhooks`, with which an operator adds webhooks on the platform. They
 * take the right `admin`.
 */
export function webhookRoutes({ instances, webhooks, gate, log, timeout }: Options, answers: Answers) {
  const placeOf = async (request: Request, response: Response, deed?: string): Promise<WebhookPlace> => {
    const { grant } = callerOf(response);
    const instance = await instanceOf(instances, request.params["connectorId"], { grant, organization: organizationOf(request) });
    Object.assign(traceOf(response), { instance, deed });
    requireRight(grant, "admin");
    requireAllEntities(grant, "a webhook is of all entities");
    if (webhooks.added === undefined)
      throw new TenonError("invalid_request", "Webhooks can be added only with a secret key: set TENON_SECRET_KEY.");
    const requestId = String(response.locals["requestId"] ?? randomUUID());
    const signal = new AbortController().signal;
    return { added: webhooks.added, instance, context: () => ({ timeout, signal, log, requestId }) };
  };
  /** What is done on the platform is done to its end, also where the caller has gone. */
  const route =
    (deed: string, run: (place: WebhookPlace, request: Request, caller: Caller) => Promise<unknown>): RequestHandler =>
    async (request, response) => {
      const place = await placeOf(request, response, deed);
      answers.sendJson(response, { data: await gate.hold(run(place, request, callerOf(response))), meta: {} });
    };
  const scopeOf = (request: Request) => String(request.params["scope"]);
  const list: RequestHandler = async (request, response) => {
    const { added, instance } = await placeOf(request, response);
    const [found, named] = await Promise.all([added.of(instance.id), webhooks.named(instance.id)]);
    const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
    const data = found.map((one) => ({
      scope: one.scope,
      id: one.id === null ? null : String(one.id),
      url: one.url,
      added_at: iso(one.at),
      last_at: iso(named.get(one.scope)),
      secrets: goodSecrets(one, Date.now()).length,
    }));
    answers.sendJson(response, { data, meta: {} });
  };
  return {
    list,
    add: route("webhook.add", (place, request, { grant }) => {
      const own = webhooks.address(place.instance.simulated === true);
      const { scope, url = own } = additionOf(request.body);
      if (url === undefined)
        throw new TenonError(
          "invalid_request",
          "It is not known at which address the platform reaches this service. Set TENON_PUBLIC_URL, or give `url`.",
        );
      // Deliveries have parts of records, and whoever has only `admin` may not read any.
      if (withoutSlash(url) !== withoutSlash(own ?? "") && !hasRight(grant, "read"))
        throw new TenonError(
          "forbidden",
          'The platform would send what happens there to an address that is not this service\'s: that takes the right "read" too.',
        );
      const path = `/api/v1/integrations/connectors/${encodeURIComponent(place.instance.id)}/webhook`;
      return addWebhook(place, scope, `${withoutSlash(url)}${path}`);
    }),
    test: route("webhook.test", (place, request) => testWebhook(place, scopeOf(request))),
    rotate: route("webhook.rotate", (place, request) => rotateWebhook(place, scopeOf(request))),
    remove: route("webhook.remove", (place, request) => removeWebhook(place, scopeOf(request))),
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** @throws TenonError `invalid_request` */
function additionOf(body: unknown): { readonly scope: string; readonly url?: string } {
  const faults = new Faults();
  const given = isObject(body) ? body : {};
  if (!isObject(body)) faults.add([], "wrong_type", "The body must be an object.");
  faults.unknownNames([], "unknown_member", given, ["scope", "url"], () => "A webhook takes only scope and url.");
  const { scope, url } = given;
  if (typeof scope !== "string") faults.add(["scope"], "wrong_type", "scope must be one such as repository=octocat/hello-world.");
  const isUrl = typeof url === "string" && url.length <= 1_000 && /^https?:\/\/[^\s@?#]+$/.test(url) && URL.canParse(url);
  if (url !== undefined && !isUrl)
    faults.add(["url"], "wrong_type", "url must be the http or https address of this service, without user and query.");
  if (faults.any) throw invalidRequest(faults.list);
  return { scope: String(scope), ...(isUrl ? { url } : {}) };
}
