import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { asTenonError, shown, TenonError } from "../base/errors.ts";
import { visibleText } from "../base/visible-text.ts";
import { fitted, type Response } from "./budget.ts";
import type { ToolHost, ToolTask } from "./host.ts";
import { withTexts } from "./params.ts";
import { problemResult } from "./problem.ts";
import { jsonResult, sentResult, type ToolResult } from "./result.ts";

// Tasks, an extension of revision 2026-07-28: a call with long work returns a task, which the client polls until it has the result.
// https://modelcontextprotocol.io/seps/2663-tasks-extension

const extension = "io.modelcontextprotocol/tasks";
export const tasksCapability = { extensions: { [extension]: {} } };

/** Whether a client takes a task as the response to a call. @param client undefined for one of an earlier revision */
export function supportsTasks(client: ClientCapabilities | undefined): boolean {
  return client?.extensions?.[extension] !== undefined;
}

/** Id of the proposal whose write waits for an approval, which is its task; undefined for any other error. */
export function proposalIn(thrown: unknown): string | undefined {
  const { proposal } = thrown instanceof TenonError && thrown.code === "approval_required" ? thrown : {};
  return proposal !== undefined && "id" in proposal ? String(proposal.id) : undefined;
}

export type StartedTask = Awaited<ReturnType<typeof startedTask>>;

/** The response to a call with whose work a task goes on. @throws ProtocolError */
export async function startedTask(host: ToolHost, id: string) {
  const task = await findTask(host, id);
  // A call has a result beside which nothing else is known to be allowed.
  return { resultType: "task" as const, content: [], ...stateOf({ ...task, status: "working" }) };
}

/** Answers what clients ask about tasks. */
export function addTasks(server: Server, host: ToolHost): void {
  const add = (method: string, answer: (id: string) => Promise<Readonly<Record<string, unknown>>>) =>
    server.setRequestHandler(method, { params: withTexts("taskId") }, async ({ taskId }) => {
      if (!supportsTasks(server.getClientCapabilities()))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: tasksCapability });
      return answer(taskId);
    });
  add("tasks/get", async (id) => {
    const task = await findTask(host, id);
    return { ...stateOf(task), ...(task.status === "completed" ? { result: sentResult(endOf(host, task)) } : {}) };
  });
  add("tasks/cancel", async (id) => {
    if (!(await asked(host, (tasks) => tasks.cancel(id)))) throw unknownTask(id);
    return {};
  });
  // Tasks never request input. An update is acknowledged and ignored, because a message of the client is no approval.
  add("tasks/update", async (id) => {
    await findTask(host, id);
    return {};
  });
}

/** What the call results in with whose work a completed task went on. */
export function endOf(host: ToolHost, { tool, result, error, isError = false }: ToolTask): ToolResult {
  if (result === undefined) return problemResult(tool, host, {}, error);
  return { ...jsonResult(fitted(given(result)).response), isError };
}

/** A response that is JSON already. */
function given(text: string): Response {
  let values: Pick<Response, "data" | "meta"> | undefined;
  const parsed = () => {
    values ??= JSON.parse(text) as Pick<Response, "data" | "meta">;
    return values;
  };
  return {
    text,
    get data() {
      return parsed().data;
    },
    get meta() {
      return parsed().meta;
    },
  };
}

/** @throws ProtocolError where the caller has no such task */
async function findTask(host: ToolHost, id: string): Promise<ToolTask> {
  const task = await asked(host, (tasks) => tasks.find(id));
  if (task === undefined) throw unknownTask(id);
  return task;
}

/** Errors of the service as those of the protocol. */
async function asked<Answer>(
  { tasks, redact = (text) => text }: ToolHost,
  ask: (tasks: NonNullable<ToolHost["tasks"]>) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (tasks === undefined) return undefined;
  return ask(tasks).catch((thrown: unknown) => {
    const { message } = asTenonError(thrown);
    throw new ProtocolError(ProtocolErrorCode.InternalError, redact(visibleText(message)));
  });
}

function unknownTask(id: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, visibleText(`There is no task "${shown(id)}", or it is forgotten.`));
}

function stateOf({ id, status, message, createdAt, updatedAt, ttl, pollInterval }: ToolTask) {
  return {
    taskId: id,
    status,
    statusMessage: visibleText(message),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}
