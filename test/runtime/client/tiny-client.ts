import { expect, onTestFinished } from "vitest";
import { CallError, GitHub, type HostedOptions } from "../../../generated/github/client.ts";
import { type Reply, tinyService } from "../../support/tiny-service.ts";

/** The response of a service to `params`, which read an issue. */
export const issue = { data: { number: 1 }, meta: { has_next_page: false, end_cursor: null } };
export const params = { owner: "octocat", repo: "hello-world", number: 1 } as const;

/** A client of a service that gives these answers in turn, and the last one from then on. */
export async function clientOf(answers: readonly Reply[], options: HostedOptions = { apiKey: "key" }) {
  const { url, requests } = await serve((_, nth) => answers[Math.min(nth, answers.length) - 1] ?? "cut");
  return { github: new GitHub({ baseUrl: url, ...options }), requests };
}

/** Starts a service that the end of the test stops. */
export async function serve(answer: Parameters<typeof tinyService>[0]) {
  const service = await tinyService(answer);
  onTestFinished(() => service.close());
  return service;
}

/** The error that a call fails with. */
export const failure = async (call: Promise<unknown>): Promise<CallError> => {
  const thrown: unknown = await call.then(
    () => expect.fail("the call succeeded"),
    (error: unknown) => error,
  );
  if (!(thrown instanceof CallError)) throw thrown;
  return thrown;
};
