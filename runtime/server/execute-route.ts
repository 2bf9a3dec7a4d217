import type { RequestHandler } from "express";
import { nearest } from "../contract/index.ts";
import { type Fault, invalidRequest, TenonError } from "../errors.ts";
import { execute } from "../execute/execute.ts";
import type { ConnectorInstance } from "../execute/instance.ts";
import { isObject } from "../execute/record-reader.ts";
import type { Logger } from "../log.ts";
import { sendProblem } from "./problem.ts";

const members = ["entity", "action", "params"];

/** `POST /api/v1/integrations/connectors/{connector_id}/execute`: the service's one endpoint. */
export function executeRoute(instances: ReadonlyMap<string, ConnectorInstance>, log: Logger, timeout: number): RequestHandler {
  return async (request, response, next) => {
    const id = request.params["connectorId"];
    const instance = typeof id === "string" ? instances.get(id) : undefined;
    if (instance === undefined) {
      next(new TenonError("unknown_connector", "There is no connector with this id."));
      return;
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const body = bodyOf(request.body);
      const { locals } = response;
      locals["connector"] = instance.id;
      locals["entity"] = known(body["entity"]);
      locals["action"] = known(body["action"]);
      refuseIdempotencyKey(request.headers["idempotency-key"], body["action"]);
      const requestLog = log.child({ requestId: String(locals["requestId"]) });
      const result = await execute(instance, body, { timeout, signal: gone.signal, log: requestLog });
      response.setHeader("Content-Type", "application/json; charset=utf-8");
      response.end(JSON.stringify(result));
    } catch (thrown) {
      if (thrown instanceof TenonError && thrown.code !== "internal") sendProblem(response, thrown);
      else next(thrown);
    }
  };
}

function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body))
    throw invalidRequest([
      { pointer: "", code: "wrong_type", message: "The body must be an object with entity, action and params." },
    ]);
  const faults = Object.keys(body)
    .filter((name) => !members.includes(name))
    .map((name): Fault => {
      const suggestion = nearest(name, members);
      return {
        pointer: `/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}`,
        code: "unknown_member",
        message: "The body has only entity, action and params.",
        allowed: members,
        ...(suggestion === undefined ? {} : { suggestion }),
      };
    });
  if (faults.length > 0) throw invalidRequest(faults);
  return body;
}

/** Names for the log: whatever a caller sends instead of a name stays out of it. */
function known(name: unknown): string | undefined {
  return typeof name === "string" ? name.slice(0, 64) : undefined;
}

/** A caller who sends the header counts on it; taking the request without it would be a silent second write one day. */
function refuseIdempotencyKey(header: unknown, action: unknown): void {
  if (header !== undefined && (action === "create" || action === "update"))
    throw new TenonError("idempotency_unsupported", "Idempotency-Key is not supported yet. Nothing was sent.");
}
