import type { RequestHandler } from "express";
import type { Caller } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import type { Answers } from "../answers.ts";
import { failureLimit } from "../callers/attempt-limit.ts";
import { callerOf } from "../callers/bearer.ts";
import { networkOfCaller } from "../callers/caller-address.ts";
import { requireRight } from "../callers/permission.ts";
import { send } from "../headers.ts";
import { type Instances, instanceOf, organizationOf } from "../instance-of.ts";
import { type Trace, traceOf } from "../monitoring/trace.ts";
import { searchOf } from "../query.ts";

/** Lets users of a platform authorize connector instances. */
export interface Authorizations {
  /** @returns the address of the platform's page, and until when (milliseconds since 1970) it counts. @throws TenonError */
  start(id: string, caller: string): Promise<{ readonly url: string; readonly expiresAt: number }>;
  /** @throws TenonError */
  finish(returned: {
    readonly state: string;
    readonly code: string;
    readonly error: string;
    readonly issuer?: string | undefined;
  }): Promise<{ readonly id: string; readonly caller: string }>;
}

/** Who lets a user authorize which instance. */
export interface AuthorizationAsker {
  readonly caller: Caller;
  /** Nothing is known of it yet. */
  readonly id: unknown;
  readonly organization: string | undefined;
  readonly trace: Trace;
}

/** Begins to authorize an instance. It takes the right `admin`. @returns as {@link Authorizations.start}. @throws TenonError */
export async function authorize(
  instances: Instances,
  authorizations: Authorizations | undefined,
  { caller, id, organization, trace }: AuthorizationAsker,
): ReturnType<Authorizations["start"]> {
  const instance = await instanceOf(instances, id, { grant: caller.grant, organization });
  Object.assign(trace, { instance, deed: "connector.authorize" });
  requireRight(caller.grant, "admin");
  if (authorizations === undefined || instances.instances.has(instance.id))
    throw new TenonError(
      "invalid_request",
      `The connector "${instance.id}" comes from the settings. Only a connector that was added (\`tenon connector add --authorize\`) can be authorized.`,
    );
  return authorizations.start(instance.id, caller.id);
}

/** `POST …/authorization`: the address of the platform's page on which a user authorizes the connector. */
export function startAuthorizationRoute(
  instances: Instances,
  authorizations: Authorizations | undefined,
  answers: Answers,
): RequestHandler {
  return async (request, response) => {
    const id = request.params["connectorId"];
    const asker = { caller: callerOf(response), id, organization: organizationOf(request), trace: traceOf(response) };
    const { url, expiresAt } = await authorize(instances, authorizations, asker);
    answers.sendJson(response, { data: { url, expires_at: new Date(expiresAt).toISOString() }, meta: {} });
  };
}

/**
 * `GET …/callback`: where the platform's page sends the user back. It takes no token: `state`, which nobody else can make, says which
 * authorization it ends.
 */
export function callbackRoute({ stored }: Instances, authorizations: Authorizations | undefined): RequestHandler {
  const failures = failureLimit();
  return async (request, response) => {
    const query = searchOf(request);
    const [state = "", code = "", error = ""] = ["state", "code", "error"].map((name) => query.get(name) ?? undefined);
    if (authorizations === undefined || state === "") {
      failures.count(networkOfCaller(request, response));
      throw new TenonError("invalid_request", "Nobody is being authorized here.");
    }
    const issuer = query.get("iss") ?? undefined;
    const { id, caller } = await authorizations.finish({ state, code, error, issuer }).catch((thrown: unknown) => {
      failures.count(networkOfCaller(request, response));
      throw thrown;
    });
    const trace = traceOf(response);
    trace.instance = await stored?.find(id, undefined);
    trace.deed = "connector.authorized";
    response.locals["client"] = caller;
    send(response, "text/plain; charset=utf-8", `The connector ${id} is authorized. You can close this window.\n`);
  };
}
