import type { RequestHandler } from "express";
import { TenonError } from "../../base/errors.ts";
import type { Answers } from "../answers.ts";
import { callerOf } from "../callers/bearer.ts";
import { whileOpen } from "../callers/while-open.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { organizationOf } from "../instance-of.ts";
import { traceOf } from "../monitoring/trace.ts";
import { type PerformOptions, perform } from "../perform.ts";
import { sendProblem } from "../problem.ts";

/** `POST /api/v1/integrations/connectors/{connector_id}/execute`: runs one action. */
export function executeRoute(options: PerformOptions, answers: Answers): RequestHandler {
  return async (request, response, next) => {
    try {
      const { result, replayed } = await perform(options, {
        caller: callerOf(response),
        connectorId: request.params["connectorId"],
        organization: organizationOf(request),
        body: request.body as unknown,
        idempotencyKey: () => idempotencyKeyOf(request),
        requestId: String(response.locals["requestId"]),
        headers: request.headers,
        signal: whileOpen(response),
        trace: traceOf(response),
      });
      options.gate.answered(response);
      if (replayed) response.setHeader("Idempotent-Replayed", "true");
      answers.sendResult(response, result);
    } catch (thrown) {
      if (thrown instanceof TenonError && thrown.code !== "internal") sendProblem(response, thrown);
      else next(thrown);
    }
  };
}
