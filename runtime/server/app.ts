import express, { type Express, type RequestHandler } from "express";
import type { AuditLog, Callers, WriteStore } from "../accounts/index.ts";
import { type ErrorCode, errorCodes } from "../base/error-codes.ts";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Redact } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import { accessLog, type Witnesses } from "./access-log.ts";
import { type Authorizations, callbackRoute, startAuthorizationRoute } from "./authorization-route.ts";
import { admitCaller } from "./bearer.ts";
import { jsonBody, optionalJsonBody } from "./body.ts";
import { connectorsRoute } from "./connectors-route.ts";
import { describeRoute } from "./describe-route.ts";
import { type Docs, docsRoutes } from "./docs.ts";
import { type Edge, meetEdge } from "./edge.ts";
import { executeRoute } from "./execute-route.ts";
import { send } from "./headers.ts";
import { type HealthOptions, healthRoutes } from "./health.ts";
import type { Instances, ListedInstance } from "./instance-of.ts";
import { limitCaller } from "./limits/limit-caller.ts";
import type { Usages } from "./limits/usages.ts";
import type { McpOptions } from "./mcp-route.ts";
import type { Metrics } from "./metrics.ts";
import { metricsRoute } from "./metrics-route.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { connectorOpenapi, type Descriptions, serviceOpenapi } from "./openapi/serve.ts";
import { problemHandler } from "./problem.ts";
import { problemSchemaRoute } from "./problem-schema.ts";
import { forgetScopeRoute, type SyncControl, startSyncRoute, stopSyncRoute } from "./sync-control-route.ts";
import { syncRoute } from "./sync-route.ts";
import { credentialsBody, tokenRoute } from "./token-route.ts";

export interface AppOptions extends Instances, HealthOptions {
  /** Hash of the operator's token. */
  readonly tokenHash: Buffer;
  /** The other callers; absent where none can be stored. */
  readonly callers?: Callers | undefined;
  /** All instances that there are now, of the settings and stored, ordered by id. */
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly syncs: SyncControl["syncs"];
  /** The scopes that are on the schedule of an instance. */
  readonly syncScopes: (id: string) => Promise<readonly string[]>;
  /** Absent where no instance can be stored. */
  readonly authorizations?: Authorizations | undefined;
  /** Where writes with an `Idempotency-Key` are noted. */
  readonly writes: WriteStore;
  readonly log: Logger;
  /** Removes secrets from errors. */
  readonly redact: Redact;
  readonly edge: Edge;
  readonly metrics: Metrics;
  readonly audit?: AuditLog | undefined;
  readonly searches?: Witnesses["searches"];
  readonly limits: Usages;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
  readonly descriptions: Descriptions;
  /** The connectors by name, for the tools of MCP. */
  readonly connectors: ReadonlyMap<string, Connector>;
  /** Whether there is a tool of MCP that writes. */
  readonly mcpWrites: boolean;
  /** Routes of other rooms. */
  readonly more?: readonly RequestHandler[];
  readonly docs: Docs;
}

const tokenPath = "/api/v1/account/applications/token";
const connectorsPath = "/api/v1/integrations/connectors";
const connectorPath = `${connectorsPath}/:connectorId`;
const executePath = `${connectorsPath}/:connectorId/execute`;
const syncPath = `${connectorsPath}/:connectorId/sync`;
const authorizationPath = `${connectorPath}/authorization`;
const callbackPath = "/api/v1/integrations/callback";
const scopePath = `${syncPath}/scopes/:scope`;

/** The Express application with all routes of the service. */
export function createApp(options: AppOptions): Express {
  const { log, gate, answers, timeout } = options;
  const app = express();
  app.locals["redact"] = options.redact;
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  // This handler is the first, so that requests that a caller sends ahead cost nothing before their turn.
  app.use(oneAtATime);
  app.use(accessLog(options));
  meetEdge(app, options.edge);
  const known = [gate.arrival, admitCaller(options.tokenHash, options.callers), limitCaller(options.limits)];
  const admitted = [...known, gate.place];
  const withBody = [...known, gate.body, ...jsonBody, gate.place];
  app.post(tokenPath, gate.arrival, ...credentialsBody, gate.place, tokenRoute(options.callers, answers));
  app.post(executePath, ...withBody, executeRoute({ ...options, instances: options }, answers));
  app.get(connectorsPath, ...admitted, connectorsRoute(options.list, answers));
  app.get(connectorPath, ...admitted, describeRoute({ ...options, instances: options }, answers));
  app.get(syncPath, ...admitted, syncRoute(options, answers, timeout));
  app.post("/mcp", ...withBody, mcp({ ...options, instances: options }));
  app.post(syncPath, ...known, gate.body, ...optionalJsonBody, gate.place, startSyncRoute(options, answers));
  app.delete(syncPath, ...admitted, stopSyncRoute(options, answers));
  app.delete(scopePath, ...admitted, forgetScopeRoute(options, answers));
  app.post(authorizationPath, ...admitted, startAuthorizationRoute(options, options.authorizations, answers));
  app.get(callbackPath, gate.arrival, gate.place, callbackRoute(options, options.authorizations));
  app.get("/metrics", ...admitted, metricsRoute(options.metrics));
  healthRoutes(app, options);
  // The built pages come first; without them, the page of a code is still there as plain text.
  app.use("/docs", docsRoutes(options.docs));
  app.get("/docs/errors/:code", errorPage);
  app.get("/api/v1/problem.schema.json", problemSchemaRoute());
  app.get("/openapi.json", serviceOpenapi(options.descriptions));
  app.get("/openapi/:connector.json", connectorOpenapi(options.descriptions));
  app.all([executePath, tokenPath, authorizationPath, "/mcp"], only("POST"));
  app.all(syncPath, only("GET, HEAD, POST, DELETE"));
  app.all(scopePath, only("DELETE"));
  app.all(
    [
      connectorsPath,
      connectorPath,
      callbackPath,
      "/metrics",
      "/api/v1/problem.schema.json",
      "/healthz",
      "/readyz",
      "/docs/errors/:code",
      "/openapi.json",
      "/openapi/:connector.json",
    ],
    only("GET, HEAD"),
  );
  for (const routes of options.more ?? []) app.use(routes);
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "There is nothing at this address.")));
  app.use(problemHandler(log));
  return app;
}

/** `POST /mcp`. The libraries of the protocol are loaded with the first call, because most services get none. */
function mcp(options: McpOptions): RequestHandler {
  let route: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    route ??= import("./mcp-route.ts").then(({ mcpRoute }) => mcpRoute(options));
    await (await route)(request, response, next);
  };
}

function only(methods: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader("Allow", methods);
    next(new TenonError("method_not_allowed", `This address takes ${methods}.`));
  };
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
