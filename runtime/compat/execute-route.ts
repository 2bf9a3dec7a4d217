import type { Request, RequestHandler, Response } from "express";
import { asTenonError, invalidRequest, type TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { actionOf } from "../contract/index.ts";
import type { Answers } from "../server/answers.ts";
import { callerOf } from "../server/callers/bearer.ts";
import { whileOpen } from "../server/callers/while-open.ts";
import { send } from "../server/headers.ts";
import { instanceOf } from "../server/instance-of.ts";
import { traceOf } from "../server/monitoring/trace.ts";
import { type PerformOptions, perform } from "../server/perform.ts";
import { sendProblem } from "../server/problem.ts";
import { readEnvelope } from "./envelope.ts";
import { compatProblem, ofWrite } from "./problem.ts";
import { replyOf } from "./reply.ts";
import { type Translated, translate } from "./translate.ts";

/** `POST /api/v1/integrations/connectors/{connector_id}/execute` in the client's words, over the same actions. */
export function compatExecuteRoute(options: PerformOptions, answers: Answers): RequestHandler {
  return async (request, response) => {
    const { shape, intent, ...asked } = readEnvelope(request.body);
    const connectorId = request.params["connectorId"];
    const { connector } = await instanceOf(options.instances, connectorId, { grant: callerOf(response).grant });
    const translated = translate(connector, asked);
    const isWrite = actionOf(connector, translated.entity, translated.action)?.traits.writes === true;
    try {
      const { result } = await perform(options, { ...askedBy(request, response), connectorId, body: bodyOf(translated, intent) });
      const text = await replyOf(
        { action: String(translated.action), isSearchByMeaning: asksByMeaning(translated) },
        result,
        shape,
      );
      options.gate.answered(response);
      // The answer of a write is never refused for want of room: the client would take that for a write that was not done.
      if (isWrite) send(response, "application/json; charset=utf-8", text);
      else answers.sendJsonText(response, text);
    } catch (thrown) {
      const error = withPlaces(asTenonError(thrown), translated);
      if (!isWrite || error.code !== "internal") throw error;
      options.log.error({ err: error.cause, requestId: String(response.locals["requestId"]) }, "unexpected error during a write");
      sendProblem(response, ofWrite(error), compatProblem);
    }
  };
}

/** The client sends no `Idempotency-Key`, and names an organization that is not one of ours. */
function askedBy(request: Request, response: Response) {
  return {
    caller: callerOf(response),
    organization: undefined,
    headers: request.headers,
    idempotencyKey: () => undefined,
    requestId: String(response.locals["requestId"]),
    signal: whileOpen(response),
    trace: traceOf(response),
  };
}

/** The native check counts an intent in UTF-16 code units. */
function bodyOf({ entity, action, params }: Translated, intent: string | undefined): object {
  return {
    entity,
    action,
    ...(params === undefined ? {} : { params }),
    ...(intent === undefined ? {} : { intent: intent.slice(0, 512).toWellFormed() }),
  };
}

function asksByMeaning({ params }: Translated): boolean {
  return isObject(params) && params["semantic"] !== undefined;
}

/** The same error about the request that the caller sent. */
function withPlaces(error: TenonError, { faultOf }: Translated): TenonError {
  return error.code === "invalid_request" ? invalidRequest(error.faults.map(faultOf)) : error;
}
