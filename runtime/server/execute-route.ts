import type { RequestHandler } from "express";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { type ConnectorInstance, execute } from "../execute/index.ts";
import { isObject } from "../execute/record-reader.ts";
import type { Answers } from "./answers.ts";
import { callerOf } from "./bearer.ts";
import type { Gate } from "./gate.ts";
import { type Instances, instanceOf, organizationOf } from "./instance-of.ts";
import { requireAction } from "./permission.ts";
import { sendProblem } from "./problem.ts";

export interface ExecuteOptions extends Instances {
  readonly log: Logger;
  readonly gate: Gate;
  readonly answers: Answers;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
}

/** `POST /api/v1/integrations/connectors/{connector_id}/execute`: runs one action. */
export function executeRoute({ log, gate, answers, timeout, ...instances }: ExecuteOptions): RequestHandler {
  return async (request, response, next) => {
    const { grant } = callerOf(response);
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    try {
      const looker = { grant, organization: organizationOf(request) };
      const instance = await instanceOf(instances, request.params["connectorId"], looker);
      const body: unknown = request.body;
      if (body === undefined) throw new TenonError("invalid_json", "The body is empty.");
      const { entity, action } = isObject(body) ? body : {};
      const { locals } = response;
      locals["connector"] = instance.id;
      locals["entity"] = forLog(entity);
      locals["action"] = forLog(action);
      requireAction(grant, instance, entity, action);
      refuseIdempotencyKey(request.headers["idempotency-key"], instance, entity, action);
      const running = execute(instance, body, { timeout, signal: gone.signal, log, requestId: String(locals["requestId"]) });
      const result = await gate.hold(running);
      gate.answered(response);
      answers.sendResult(response, result);
    } catch (thrown) {
      if (thrown instanceof TenonError && thrown.code !== "internal") sendProblem(response, thrown);
      else next(thrown);
    }
  };
}

/** What the log shows of a name in the request: nothing that is not a text, and only the beginning of a long one. */
function forLog(name: unknown): string | undefined {
  return typeof name === "string" ? name.slice(0, 64) : undefined;
}

/** A caller who sends this header relies on it. Without support for it, a repeated request would write twice. */
function refuseIdempotencyKey(header: unknown, { connector }: ConnectorInstance, entity: unknown, action: unknown): void {
  if (header === undefined) return;
  const actions =
    typeof entity === "string" && Object.hasOwn(connector.entities, entity) ? connector.entities[entity]?.actions : {};
  if (Object.entries(actions ?? {}).some(([name, { traits }]) => name === action && traits.writes))
    throw new TenonError("idempotency_unsupported", "Idempotency-Key is not supported yet. Nothing was sent.");
}
