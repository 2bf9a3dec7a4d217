import type { RequestHandler } from "express";
import type { WriteStore } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { checkRequest, run } from "../execute/index.ts";
import { isObject } from "../execute/record-reader.ts";
import type { Answers } from "./answers.ts";
import { callerOf } from "./bearer.ts";
import type { Gate } from "./gate.ts";
import { idempotencyKeyOf, writeOnce } from "./idempotency.ts";
import { type Instances, instanceOf, organizationOf } from "./instance-of.ts";
import { requireAction } from "./permission.ts";
import { sendProblem } from "./problem.ts";

export interface ExecuteOptions extends Instances {
  readonly log: Logger;
  readonly gate: Gate;
  readonly answers: Answers;
  /** Where writes with an `Idempotency-Key` are noted. */
  readonly writes: WriteStore;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
}

/** `POST /api/v1/integrations/connectors/{connector_id}/execute`: runs one action. */
export function executeRoute({ log, gate, answers, writes, timeout, ...instances }: ExecuteOptions): RequestHandler {
  return async (request, response, next) => {
    const { id, grant } = callerOf(response);
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
      const checked = checkRequest(instance.connector, body);
      const context = { timeout, signal: gone.signal, log, requestId: String(locals["requestId"]) };
      const work = () => run(instance, checked, context);
      const key = isWrite(checked) ? idempotencyKeyOf(request) : undefined;
      if (key === undefined) {
        const result = await gate.hold(work());
        gate.answered(response);
        answers.sendResult(response, result);
        return;
      }
      const asked = { caller: id, key, request: [instance.id, body], timeout, signal: gone.signal };
      const { answer, replayed } = await gate.hold(writeOnce(writes, asked, work));
      gate.answered(response);
      if (replayed) response.setHeader("Idempotent-Replayed", "true");
      answers.sendJsonText(response, answer);
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

function isWrite(checked: ReturnType<typeof checkRequest>): boolean {
  return checked.kind === "platform" && checked.action.traits.writes;
}
