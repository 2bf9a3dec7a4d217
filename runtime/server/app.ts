import express, { type Express, type Request, type RequestHandler } from "express";
import type { AuditLog, Callers, Grant, TrustedIssuer, WriteStore } from "../accounts/index.ts";
import { type ErrorCode, errorCodes } from "../base/error-codes.ts";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { PlatformLimits } from "../base/platform-use.ts";
import type { Redact } from "../base/redact.ts";
import { Rounds } from "../base/rounds.ts";
import type { Connector } from "../contract/index.ts";
import type { Proposals } from "../policy/index.ts";
import type { Subscriptions } from "../subscriptions/index.ts";
import { allowOnly } from "./allow-only.ts";
import { admitCaller, recheckCaller } from "./callers/bearer.ts";
import type { Strangers } from "./callers/strangers.ts";
import { type Edge, meetEdge } from "./edge.ts";
import { send } from "./headers.ts";
import { instanceOf, type ListedInstance, organizationOf } from "./instance-of.ts";
import { callerBody, strangerBody } from "./intake/body.ts";
import { lateRoute } from "./late-route.ts";
import { limitCaller } from "./limits/limit-caller.ts";
import type { Usages } from "./limits/usages.ts";
import { accessLog, repeatedRequests, type Witnesses } from "./monitoring/access-log.ts";
import { type HealthOptions, healthRoutes } from "./monitoring/health.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import { connectorOpenapi, type Descriptions, serviceOpenapi } from "./openapi/serve.ts";
import { onlyOwnPages } from "./own-host.ts";
import { problemHandler } from "./problem.ts";
import { problemSchemaRoute } from "./problem-schema.ts";
import { type Authorizations, callbackRoute, startAuthorizationRoute } from "./routes/authorization-route.ts";
import { changeStreamRoute, changesRoute } from "./routes/changes-route.ts";
import { connectorsRoute } from "./routes/connectors-route.ts";
import { describeRoute } from "./routes/describe-route.ts";
import { type Docs, docsRoutes, frontRoute, missingPage, unbuiltDocs } from "./routes/docs.ts";
import { executeRoute } from "./routes/execute-route.ts";
import type { McpOptions } from "./routes/mcp-route.ts";
import { metricsRoute } from "./routes/metrics-route.ts";
import {
  issuerMetadataPath,
  issuerMetadataRoute,
  metadataUrl,
  resourceMetadataPath,
  resourceMetadataRoute,
  scopeChallenge,
} from "./routes/oauth-metadata.ts";
import { proposalRoutes } from "./routes/proposals-route.ts";
import { subscriptionRoutes } from "./routes/subscriptions-route.ts";
import { forgetScopeRoute, type SyncControl, startSyncRoute, stopSyncRoute } from "./routes/sync-control-route.ts";
import { syncRoute } from "./routes/sync-route.ts";
import { tokenRoute } from "./routes/token-route.ts";
import { type Webhooks, webhookRoute } from "./routes/webhook-route.ts";
import { type ManagedWebhooks, webhookRoutes } from "./routes/webhooks-route.ts";
import { Streams } from "./streamed.ts";

export interface AppOptions extends HealthOptions {
  /** Hash of the operator's token. */
  readonly tokenHash: Buffer;
  /** The other callers; absent where none can be stored. */
  readonly callers?: Callers | undefined;
  /** Another issuer of access tokens, where one is accepted. */
  readonly issuer?: TrustedIssuer | undefined;
  /** Where clients reach the service; empty where the settings do not say it. */
  readonly publicUrl: string;
  /** Limits the tokens that are not accepted. */
  readonly strangers: Strangers;
  /** Notes requests of which anybody can send any number. Default: one of its own. */
  readonly repeated?: Witnesses["repeated"] | undefined;
  /** All instances that there are now, of the settings and stored, ordered by id. */
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly syncs: SyncControl["syncs"];
  /** The scopes that are on the schedule of an instance. */
  readonly syncScopes: (id: string) => Promise<readonly string[]>;
  /** Absent where no instance can be stored. */
  readonly authorizations?: Authorizations | undefined;
  readonly webhooks: Webhooks & ManagedWebhooks;
  /** Where writes with an `Idempotency-Key` are noted. */
  readonly writes: WriteStore;
  readonly log: Logger;
  /** Removes secrets from errors. */
  readonly redact: Redact;
  readonly edge: Edge;
  readonly metrics: Metrics;
  readonly audit?: AuditLog | undefined;
  readonly watch?: Witnesses["watch"];
  readonly limits: Usages;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
  /** What a key or client may have of a platform's limits. */
  readonly platformLimits: PlatformLimits;
  readonly descriptions: Descriptions;
  /** The connectors by name, for the tools of MCP. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Whether there is a tool of MCP that writes. */
  readonly mcpWrites: boolean;
  readonly approvals?: McpOptions["approvals"];
  /** The writes that wait for an approval. */
  readonly proposals: Proposals;
  /** Webhooks to receivers of callers. */
  readonly subscriptions: Subscriptions;
  /** Routes of other rooms. */
  readonly more?: readonly RequestHandler[];
  readonly docs: Docs;
}

const tokenPath = "/api/v1/account/applications/token";
const connectorsPath = "/api/v1/integrations/connectors";
const connectorPath = `${connectorsPath}/:connectorId`;
const executePath = `${connectorsPath}/:connectorId/execute`;
const syncPath = `${connectorsPath}/:connectorId/sync`;
const changesPath = `${connectorPath}/changes`;
const changeStreamPath = `${changesPath}/stream`;
const authorizationPath = `${connectorPath}/authorization`;
const webhookPath = `${connectorPath}/webhook`;
const webhooksPath = `${connectorPath}/webhooks`;
const addedPath = `${webhooksPath}/:scope`;
const callbackPath = "/api/v1/integrations/callback";
const proposalsPath = "/api/v1/proposals";
const proposalPath = `${proposalsPath}/:proposalId`;
const decisionPaths = [`${proposalPath}/approve`, `${proposalPath}/reject`] as const;
const subscriptionsPath = "/api/v1/subscriptions";
const subscriptionPath = `${subscriptionsPath}/:subscriptionId`;
const subscriptionActs = [`${subscriptionPath}/rotate`, `${subscriptionPath}/redeliver`] as const;
const scopePath = `${syncPath}/scopes/:scope`;

/**
 * Milliseconds between two messages of MCP of one caller, who may then send as many a minute as are usually allowed. The library of the
 * protocol makes much of each message: the more there is of it at once, the longer others wait until it is collected.
 */
const messagePause = 10;

/** The Express application with all routes of the service. */
export function createApp(options: AppOptions): Express {
  const { log, gate, answers, timeout } = options;
  const app = express();
  app.locals["redact"] = options.redact;
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  const repeated = options.repeated ?? repeatedRequests(log, options.audit);
  app.use(accessLog({ ...options, repeated }));
  meetEdge(app, options.edge);
  app.use(["/mcp", "/admin"], onlyOwnPages(options.edge));
  const { callers, issuer, publicUrl, strangers } = options;
  const oauth = { publicUrl, issuer, tokenPath: callers === undefined ? undefined : tokenPath };
  app.locals["scopeChallenge"] = scopeChallenge(oauth);
  const admission = {
    admit: async (token: string) => (await callers?.admit(token)) ?? (await issuer?.admit(token)),
  };
  const admit = admitCaller(options.tokenHash, admission, strangers, metadataUrl(oauth));
  const known = [gate.arrival, admit, limitCaller(options.limits)];
  const admitted = [...known, gate.place];
  const find = (request: Request, grant: Grant) =>
    instanceOf(options.instances, request.params["connectorId"], { grant, organization: organizationOf(request) });
  const { limits } = options;
  const large = new Rounds({ most: 1, pause: 2 });
  const execute = callerBody({ gate, limits, rights: ["read", "write"], find, deed: "unknown.unknown" });
  const message = callerBody({ gate, limits, rights: ["read", "write"] });
  const startSync = callerBody({ gate, limits, rights: ["sync"], find, deed: "sync.start", optional: true });
  app.post(tokenPath, gate.arrival, strangerBody, gate.place, tokenRoute(options.callers, answers, strangers));
  app.post(executePath, ...known, ...execute, gate.place, executeRoute(options, answers));
  app.get(connectorsPath, ...admitted, connectorsRoute(options.list, answers));
  app.get(connectorPath, ...admitted, describeRoute({ ...options, rounds: large }, answers));
  app.get(syncPath, ...admitted, syncRoute(options.instances, answers, timeout, options.webhooks));
  const changes = { ...options, recheck: recheckCaller(options.tokenHash, admission), streams: new Streams() };
  app.get(changesPath, ...admitted, changesRoute(changes, answers));
  app.get(changeStreamPath, ...admitted, changeStreamRoute(changes));
  app.post(
    "/mcp",
    ...known,
    ...message,
    gate.place,
    mcp({ ...changes, repeated, pace: new Rounds({ pause: messagePause }), rounds: large }),
  );
  app.post(syncPath, ...known, ...startSync, gate.place, startSyncRoute(options, answers));
  app.delete(syncPath, ...admitted, stopSyncRoute(options, answers));
  app.delete(scopePath, ...admitted, forgetScopeRoute(options, answers));
  app.post(authorizationPath, ...admitted, startAuthorizationRoute(options.instances, options.authorizations, answers));
  const managed = webhookRoutes(options, answers);
  const addition = callerBody({ gate, limits, rights: ["admin"], find, deed: "webhook.add" });
  app.get(webhooksPath, ...admitted, managed.list);
  app.post(webhooksPath, ...known, ...addition, gate.place, managed.add);
  app.delete(addedPath, ...admitted, managed.remove);
  app.post(`${addedPath}/test`, ...admitted, managed.test);
  app.post(`${addedPath}/rotate`, ...admitted, managed.rotate);
  app.post(webhookPath, ...webhookRoute(options.webhooks, gate, answers));
  app.get(callbackPath, gate.arrival, gate.place, callbackRoute(options.instances, options.authorizations));
  app.get(resourceMetadataPath, resourceMetadataRoute(oauth));
  app.get(`${resourceMetadataPath}/mcp`, resourceMetadataRoute(oauth));
  app.get(issuerMetadataPath, issuerMetadataRoute(oauth));
  const proposals = proposalRoutes(options, answers);
  const [approvePath, rejectPath] = decisionPaths;
  app.get(proposalsPath, ...admitted, proposals.list);
  app.get(proposalPath, ...admitted, proposals.get);
  const approval = callerBody({ gate, limits, rights: ["approve"], deed: "proposal.approve" });
  app.post(approvePath, ...known, ...approval, gate.place, proposals.approve);
  app.post(rejectPath, ...admitted, proposals.reject);
  const subscriptions = subscriptionRoutes(options, answers);
  const subscriptionBody = (verb: string) =>
    callerBody({ gate, limits, rights: ["read", "admin"], deed: `subscription.${verb}`, optional: true });
  const [rotatePath, redeliverPath] = subscriptionActs;
  app.get(subscriptionsPath, ...admitted, subscriptions.list);
  app.post(subscriptionsPath, ...known, ...subscriptionBody("create"), gate.place, subscriptions.create);
  app.get(subscriptionPath, ...admitted, subscriptions.get);
  app.patch(subscriptionPath, ...known, ...subscriptionBody("update"), gate.place, subscriptions.update);
  app.delete(subscriptionPath, ...admitted, subscriptions.remove);
  app.post(rotatePath, ...known, ...subscriptionBody("rotate"), gate.place, subscriptions.rotate);
  app.post(redeliverPath, ...known, ...subscriptionBody("redeliver"), gate.place, subscriptions.redeliver);
  app.get("/metrics", ...admitted, metricsRoute(options.metrics, options.list));
  healthRoutes(app, options);
  // The built pages come first; without them, the page of a code is still there as plain text.
  app.use("/docs", docsRoutes(options.docs, large));
  app.use(frontRoute(options.docs));
  app.get("/docs/errors/:code", errorPage);
  app.use("/docs", unbuiltDocs(options.docs));
  app.get("/api/v1/problem.schema.json", problemSchemaRoute());
  app.get("/openapi.json", serviceOpenapi(options.descriptions, large));
  app.get("/openapi/:connector.json", connectorOpenapi(options.descriptions, large));
  app.all(
    [executePath, tokenPath, authorizationPath, webhookPath, ...decisionPaths, ...subscriptionActs, "/mcp"],
    allowOnly("POST"),
  );
  app.all([`${addedPath}/test`, `${addedPath}/rotate`], allowOnly("POST"));
  app.all(webhooksPath, allowOnly("GET, HEAD, POST"));
  app.all(addedPath, allowOnly("DELETE"));
  app.all(syncPath, allowOnly("GET, HEAD, POST, DELETE"));
  app.all(scopePath, allowOnly("DELETE"));
  app.all(subscriptionsPath, allowOnly("GET, HEAD, POST"));
  app.all(subscriptionPath, allowOnly("GET, HEAD, PATCH, DELETE"));
  app.all(
    [
      connectorsPath,
      connectorPath,
      changesPath,
      changeStreamPath,
      proposalsPath,
      proposalPath,
      callbackPath,
      resourceMetadataPath,
      `${resourceMetadataPath}/mcp`,
      issuerMetadataPath,
      "/metrics",
      "/api/v1/problem.schema.json",
      "/healthz",
      "/readyz",
      "/docs/errors/:code",
      "/openapi.json",
      "/openapi/:connector.json",
    ],
    allowOnly("GET, HEAD"),
  );
  for (const routes of options.more ?? []) app.use(routes);
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "There is nothing at this address.")));
  app.use(missingPage(options.docs));
  app.use(problemHandler(log));
  return app;
}

/** `POST /mcp`. Most services get no call of it. */
function mcp(options: McpOptions): RequestHandler {
  return lateRoute(async () => (await import("./routes/mcp-route.ts")).mcpRoute(options));
}

/** The page of an error code, to which the `type` of a problem leads. */
const errorPage: RequestHandler = (request, response, next) => {
  const code = String(request.params["code"]);
  if (!Object.hasOwn(errorCodes, code)) {
    next(new TenonError("unknown_route", "There is no error code of this name."));
    return;
  }
  const { title, status, retryable, advice } = errorCodes[code as ErrorCode];
  const again = retryable ? "the same request may succeed later" : "the same request will not succeed";
  send(response, "text/markdown; charset=utf-8", `# ${code}\n\n${title}. HTTP status ${status}; ${again}.\n\n${advice}\n`);
};
