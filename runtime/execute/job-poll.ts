import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import { type JobPoll, pathKeys, warning } from "../contract/index.ts";
import type { RestAnswer } from "../platform/call.ts";
import { saysFailure } from "../platform/error-places.ts";
import { type Environment, noRecord } from "./environment.ts";
import { valueAtPath } from "./record-reader.ts";
import { filledPath } from "./rest-path.ts";

/** Milliseconds before the deadline at which no further read begins. */
const reserve = 500;

/**
 * Reads a job until it has ended, and gives the last answer. When the time of the request is up, the job goes on: the answer is what it is
 * then, with a warning.
 *
 * @param answer of the call that started the job
 * @throws TenonError `platform_rejected` when the job failed
 */
export async function endOfJob(poll: JobPoll, answer: RestAnswer, env: Environment): Promise<RestAnswer> {
  const { instance, request, call } = env;
  const { title } = instance.connector;
  const values = Object.entries(poll.places).map(([place, from]) => {
    const value = "param" in from ? request.params[from.param] : valueAtPath(answer.data, pathKeys(from.answer));
    if (typeof value !== "string" && typeof value !== "number")
      throw noRecord(`${title} accepted the call, but its response does not name the job that it started.`, env);
    return [place, value] as const;
  });
  const query = new URLSearchParams(poll.query);
  const path = filledPath(poll.path, Object.fromEntries(values)) + (query.size === 0 ? "" : `?${query}`);
  for (;;) {
    const state = await instance.client.rest({ method: "GET", path }, "none", call);
    if (saysFailure(state, poll.failed)) throw new TenonError("platform_rejected", failure(title, poll, state));
    if (saysFailure(state, poll.until)) return state;
    if (call.signal.aborted || performance.now() + poll.every + reserve > call.deadline) {
      env.warnings.add(warning("data", "job_running"));
      return state;
    }
    // A caller that goes away ends the wait, and not the job.
    await pause(poll.every, call.signal);
  }
}

function failure(title: string, { message }: JobPoll, { data }: RestAnswer): string {
  const said = message === undefined ? undefined : valueAtPath(data, pathKeys(message));
  return `${title} started the job, and it failed.${typeof said === "string" ? ` It says: ${said.slice(0, 500)}` : ""}`;
}
