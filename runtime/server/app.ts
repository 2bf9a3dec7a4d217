import express, { type Express, type RequestHandler } from "express";
import { type ErrorCode, errorCodes, TenonError } from "../errors.ts";
import type { ConnectorInstance } from "../execute/instance.ts";
import type { Logger } from "../log.ts";
import { requireBearer } from "./bearer.ts";
import { executeRoute } from "./execute-route.ts";
import { problemHandler } from "./problem.ts";
import { accessLog, type Gate } from "./requests.ts";
import { syncRoute } from "./sync-route.ts";

export interface AppOptions {
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  readonly tokenHash: Buffer;
  readonly log: Logger;
  readonly gate: Gate;
  /** Whether every instance and the store can be used. */
  readonly ready: () => boolean;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
}

const largestBody = "1mb";
const executePath = "/api/v1/integrations/connectors/:connectorId/execute";
const syncPath = "/api/v1/integrations/connectors/:connectorId/sync";

/** The HTTP face of the service. */
export function createApp(options: AppOptions): Express {
  const { instances, log, gate, timeout } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.use(accessLog(log));
  app.post(
    executePath,
    gate.handler,
    requireBearer(options.tokenHash),
    jsonOnly,
    json,
    executeRoute(instances, log, gate, timeout),
  );
  app.get(syncPath, gate.handler, requireBearer(options.tokenHash), syncRoute(instances, timeout));
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.get("/readyz", (_request, response) => {
    const ready = options.ready() && !gate.closing;
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "not ready", connectors: [...instances.keys()] });
  });
  app.get("/docs/errors/:code", errorPage);
  app.all(executePath, only("POST"));
  app.all([syncPath, "/healthz", "/readyz", "/docs/errors/:code"], only("GET, HEAD"));
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "There is nothing at this address.")));
  app.use(problemHandler(log));
  return app;
}

/** Any JSON value is read here; whether it is a request is the next step's affair. */
const json = express.json({
  limit: largestBody,
  strict: false,
  verify: (_request, _response, body) => {
    if (body.length === 0) throw new Error("empty");
  },
});

const jsonOnly: RequestHandler = (request, _response, next) => {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  next(
    type === "application/json"
      ? undefined
      : new TenonError("unsupported_media_type", "Send the header Content-Type: application/json."),
  );
};

function only(methods: string): RequestHandler {
  return (_request, response, next) => {
    response.setHeader("Allow", methods);
    next(new TenonError("method_not_allowed", `This address takes ${methods}.`));
  };
}

/** What a problem's `type` leads to. */
const errorPage: RequestHandler = (request, response, next) => {
  const code = String(request.params["code"]);
  if (!Object.hasOwn(errorCodes, code)) {
    next(new TenonError("unknown_route", "There is no error of this name."));
    return;
  }
  const { title, status, retryable, advice } = errorCodes[code as ErrorCode];
  response
    .type("text/markdown")
    .send(
      `# ${code}\n\n${title}. HTTP status ${status}; ${retryable ? "the same request may succeed later" : "the same request will not succeed"}.\n\n${advice}\n`,
    );
};
