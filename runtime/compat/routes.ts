import { type RequestHandler, Router } from "express";
import type { Callers } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { Answers } from "../server/answers.ts";
import { admitCaller } from "../server/callers/bearer.ts";
import type { Strangers } from "../server/callers/strangers.ts";
import { instanceOf } from "../server/instance-of.ts";
import { callerBody, strangerBody } from "../server/intake/body.ts";
import { limitCaller } from "../server/limits/limit-caller.ts";
import type { PerformOptions } from "../server/perform.ts";
import { problemHandler } from "../server/problem.ts";
import { tokenRoute } from "../server/routes/token-route.ts";
import { admissionOfBoth } from "./admission.ts";
import { admissionOf, type ConfiguredClient } from "./client.ts";
import { compatDocsRoute, compatInspectRoute } from "./docs-routes.ts";
import { compatExecuteRoute } from "./execute-route.ts";
import { checkOrganization, compatConnectorsRoute, compatWorkspacesRoute, type LookupOptions } from "./lookup-routes.ts";
import { compatProblem } from "./problem.ts";

export interface CompatOptions extends PerformOptions, LookupOptions {
  /** Hash of the operator's token, which opens these routes too. */
  readonly tokenHash: Buffer;
  /** Limits the tokens that are not accepted, here and on all other routes together. */
  readonly strangers: Strangers;
  /** The client of the settings. */
  readonly client: ConfiguredClient | undefined;
  /** Texts from the secret keys of the operator, from which the key derives that signs the client's tokens; empty where there are none. */
  readonly keyTexts: readonly string[];
  readonly dataDir: string;
  /** The stored callers, and whether one of them is a client; absent where none can be stored. */
  readonly stored: { readonly callers: Callers; readonly hasClient: () => Promise<boolean> } | undefined;
  readonly answers: Answers;
}

/**
 * Seconds that an access token lasts. The client uses one for 840 s by its wall clock, asks for no other after a 401, and so keeps one for
 * 4,440 s when its clock is put back by an hour.
 */
const tokenLifetime = 90 * 60;

const prefix = "/compat";
const connectorsPath = `${prefix}/api/v1/integrations/connectors`;
const connectorPath = `${connectorsPath}/:connectorId`;

/**
 * The routes below `/compat`: what the public Python client of another service (`airbyte-agent-sdk`, 0.1.180 to 0.1.380) sends and needs,
 * answered by the same actions. Without a client there is nothing at these addresses.
 *
 * @throws Error when a client is configured and the data folder cannot be used
 */
export function compatRoutes(options: CompatOptions): RequestHandler {
  const { gate, answers, client, stored } = options;
  const admission = admissionOfBoth(client && admissionOf(client, options.keyTexts, options.dataDir), stored?.callers);
  const known = [
    gate.arrival,
    admitCaller(options.tokenHash, admission, options.strangers),
    checkOrganization,
    limitCaller(options.limits),
  ];
  const admitted = [...known, gate.place];
  const bodies = callerBody({
    gate,
    limits: options.limits,
    rights: ["read", "write"],
    deed: "unknown.unknown",
    find: (request, grant) => instanceOf(options.instances, request.params["connectorId"], { grant }),
  });
  const router = Router();
  router.use(prefix, onlyWithClient(client !== undefined, stored?.hasClient));
  router.post(
    `${prefix}/api/v1/account/applications/token`,
    gate.arrival,
    strangerBody,
    gate.place,
    tokenRoute(admission, answers, options.strangers, tokenLifetime),
  );
  router.get(connectorsPath, ...admitted, compatConnectorsRoute(options, answers));
  router.get(`${prefix}/api/v1/workspaces`, ...admitted, compatWorkspacesRoute(options, answers));
  router.post(`${connectorPath}/execute`, ...known, ...bodies, gate.place, compatExecuteRoute(options, answers));
  router.get(`${connectorPath}/inspect`, ...admitted, compatInspectRoute(options.instances, answers));
  router.get(`${prefix}/api/v1/skills/docs`, ...admitted, compatDocsRoute(options.instances, answers));
  router.delete(connectorPath, (_request, response, next) => {
    response.setHeader("Allow", "");
    next(new TenonError("method_not_allowed", "Connectors are removed by the operator of this service, and not by its clients."));
  });
  router.use(prefix, (_request, _response, next) =>
    next(new TenonError("unknown_route", "This service has nothing at this address for this client.")),
  );
  router.use(prefix, problemHandler(options.log, compatProblem));
  return router;
}

/** Leaves the router as long as there is no client. Once there has been one, the routes stay until the process ends. */
function onlyWithClient(configured: boolean, hasClient: (() => Promise<boolean>) | undefined): RequestHandler {
  let on = configured;
  return async (_request, _response, next) => {
    on ||= (await hasClient?.()) === true;
    next(on ? undefined : "router");
  };
}
