import express, { type Express } from "express";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Answers } from "./answers.ts";
import type { Gate } from "./gate.ts";
import type { Instances } from "./instance-of.ts";
import { problemHandler } from "./problem.ts";

/** What the answers to an operator's probes are made of. */
export interface HealthOptions extends Pick<Instances, "instances" | "off"> {
  /** Whether every instance can be used, and nothing is known to be wrong with the store. A search waits for a store that is opening. */
  readonly ready: () => boolean;
  readonly gate: Gate;
  readonly answers: Answers;
}

/** `GET /healthz`: the process answers. `GET /readyz`: everything can be used. Both need no token. */
export function healthRoutes(app: Express, { instances, off, ready, gate, answers }: HealthOptions): void {
  app.get("/healthz", (_request, response) => answers.sendJson(response, { status: "ok" }));
  app.get("/readyz", (_request, response) => {
    const isReady = ready() && !gate.closing;
    response.statusCode = isReady ? 200 : 503;
    answers.sendJson(response, {
      status: isReady ? "ready" : "not ready",
      connectors: [...instances.keys()],
      off: [...(off?.keys() ?? [])],
    });
  });
}

/** The Express application of a process that serves nobody but an operator's probes. */
export function createHealthApp(options: HealthOptions & { readonly log: Logger }): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  healthRoutes(app, options);
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "A worker answers /healthz and /readyz only.")));
  app.use(problemHandler(options.log));
  return app;
}
