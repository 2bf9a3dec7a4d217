import type { Express } from "express";
import { TenonError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Answers } from "../answers.ts";
import { bareApp } from "../bare-app.ts";
import type { Gate } from "../gate.ts";
import type { Instances } from "../instance-of.ts";
import { problemHandler } from "../problem.ts";
import { searchOf } from "../query.ts";
import { type Degraded, degradedOf, degradedWhole } from "./degraded.ts";
import type { HealthSource } from "./health-gauges.ts";

/** What is looked at for `verbose` probes. */
export interface ProbeSource extends HealthSource {
  /** How many secrets of keys and clients are refused because their secret key is missing. */
  readonly refusedSecrets: () => Promise<number>;
}

/** What the answers to an operator's probes are made of. */
export interface HealthOptions {
  readonly instances: Instances;
  /** Whether every instance can be used, the store is open, and nothing is known to be wrong with it. */
  readonly ready: () => boolean;
  /** Why the context store cannot be opened yet; undefined where it is open, or is being opened. */
  readonly problem?: () => string | undefined;
  readonly health: ProbeSource;
  readonly gate: Gate;
  readonly answers: Answers;
}

/**
 * `GET /healthz`: the process answers. `GET /readyz`: everything can be used; with `verbose` in the query, what is degraded all the same.
 * Both need no token.
 */
export function healthRoutes(app: Express, options: HealthOptions): void {
  const { ready, problem = () => undefined, gate, answers, health } = options;
  const { instances, off } = options.instances;
  app.get("/healthz", (_request, response) => answers.sendJson(response, { status: "ok" }));
  app.get("/readyz", async (request, response) => {
    const isVerbose = searchOf(request).has("verbose");
    const degraded = isVerbose ? { degraded: await degradedNow(health) } : {};
    const isReady = ready() && !gate.leaving;
    response.statusCode = isReady ? 200 : 503;
    answers.sendJson(response, {
      status: isReady ? "ready" : "not ready",
      connectors: [...instances.keys()],
      simulated: [...instances.values()].flatMap(({ id, simulated }) => (simulated === true ? [id] : [])),
      off: [...(off?.keys() ?? [])],
      ...(isReady || problem() === undefined ? {} : { problem: problem() }),
      ...degraded,
    });
  });
}

async function degradedNow({ storeUp, report, refusedSecrets }: ProbeSource): Promise<Degraded[]> {
  const store = storeUp() ? [] : [degradedWhole("store")];
  try {
    const [instances, refused] = await Promise.all([report(), refusedSecrets()]);
    return [...store, ...(refused === 0 ? [] : [degradedWhole("secrets_refused", refused)]), ...degradedOf(instances)];
  } catch {
    // The report has noted in the log why.
    return [...store, degradedWhole("instances")];
  }
}

/** The Express application of a process that serves nobody but an operator's probes. */
export function createHealthApp(options: HealthOptions & { readonly log: Logger }): Express {
  const app = bareApp();
  healthRoutes(app, options);
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "A worker serves /healthz and /readyz only.")));
  app.use(problemHandler(options.log));
  return app;
}
