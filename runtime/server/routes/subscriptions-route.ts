import type { Request, RequestHandler, Response } from "express";
import { invalidRequest, shown } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { isObject } from "../../base/is-object.ts";
import type { Manager, Subscriptions } from "../../subscriptions/index.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";

interface SubscriptionOptions {
  readonly subscriptions: Subscriptions;
  readonly instances: Instances;
}

type Given = Readonly<Record<string, unknown>>;

/** The routes under `/api/v1/subscriptions`: webhooks to receivers of callers. They take the right `read`. */
export function subscriptionRoutes({ subscriptions, instances }: SubscriptionOptions, answers: Answers) {
  const managerOf = (request: Request, response: Response): Manager => {
    const caller = callerOf(response);
    requireRight(caller.grant, "read", "admin");
    const looker = { grant: caller.grant, organization: organizationOf(request) };
    return { caller, find: (id) => instanceOf(instances, id, looker) };
  };
  const idOf = (request: Request) => String(request.params["subscriptionId"] ?? "");
  /** @param deed what the audit log calls it; undefined where nothing is changed */
  const route =
    (
      deed: string | undefined,
      run: (id: string, given: Given, manager: Manager) => Promise<unknown>,
      status = 200,
    ): RequestHandler =>
    async (request, response) => {
      const id = idOf(request);
      if (deed !== undefined) Object.assign(traceOf(response), { deed, target: id === "" ? undefined : shown(id) });
      const manager = managerOf(request, response);
      const data = await run(id, deed === undefined ? {} : bodyOf(request), manager);
      const made = isObject(data) ? data["id"] : undefined;
      if (deed !== undefined && typeof made === "string") traceOf(response).target = made;
      response.status(status);
      answers.sendJson(response, { data, meta: {} });
    };
  return {
    create: route("subscription.create", (_id, given, manager) => subscriptions.create(given, manager), 201),
    list: route(undefined, (_id, _given, manager) => subscriptions.list(manager)),
    get: route(undefined, (id, _given, manager) => subscriptions.get(id, manager)),
    update: route("subscription.update", (id, given, manager) => subscriptions.update(id, given, manager)),
    remove: route("subscription.delete", async (id, _given, manager) => {
      await subscriptions.remove(id, manager);
      return { id, deleted: true };
    }),
    rotate: route("subscription.rotate", (id, given, manager) => subscriptions.rotate(id, given, manager)),
    redeliver: route("subscription.redeliver", (id, given, manager) => subscriptions.redeliver(id, given, manager)),
  };
}

/** @throws TenonError `invalid_request` */
function bodyOf({ body }: Request): Given {
  if (body === undefined) return {};
  if (isObject(body)) return body;
  const faults = new Faults();
  faults.add([], "wrong_type", "The body must be an object.");
  throw invalidRequest(faults.list);
}
