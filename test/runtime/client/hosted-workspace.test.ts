import { afterEach, describe, expect, it } from "vitest";
import { type CallError, GitHub } from "../../../generated/github/client.ts";
import { tinyService } from "../../support/tiny-service.ts";

const issue = { data: { number: 1 }, meta: { has_next_page: false, end_cursor: null } };
const params = { owner: "octocat", repo: "hello-world", number: 1 } as const;

let service: Awaited<ReturnType<typeof tinyService>> | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function serve(answer: Parameters<typeof tinyService>[0]) {
  service = await tinyService(answer);
  return service;
}

const failure = (call: Promise<unknown>): Promise<CallError> =>
  call.then(
    () => expect.fail("the call succeeded"),
    (error: CallError) => error,
  );

describe("a client of a workspace", () => {
  it("looks the instance of a workspace up once, and refuses none and several", async () => {
    const entries = [
      { id: "c-1", name: "github" },
      { id: "c-2", name: "linear" },
      { id: "c-3", connector: "github", name: "Second" },
    ];
    let data = entries.slice(0, 2);
    const { url, requests } = await serve(({ method }) => (method === "GET" ? { body: { data } } : { body: issue }));
    const client = () => new GitHub({ baseUrl: url, token: "t", workspace: "my team" });
    const github = client();
    await Promise.all([github.issues.get(params), github.issues.get(params)]);
    expect(requests.map(({ path }) => path).sort()).toEqual([
      "/api/v1/integrations/connectors/c-1/execute",
      "/api/v1/integrations/connectors/c-1/execute",
      "/api/v1/integrations/connectors?workspace_name=my%20team",
    ]);
    data = [];
    expect((await failure(client().issues.get(params))).message).toContain('"my team" has no connector "github"');
    data = entries;
    expect(await failure(client().issues.get(params))).toMatchObject({
      code: "unknown_connector",
      message: expect.stringContaining("c-1, c-3"),
    });
  });

  it("keeps looking while one of several calls still waits, though the call that was first has ended", async () => {
    const stop = new AbortController();
    const found = Promise.withResolvers<void>();
    const { url, requests } = await serve(async ({ method }) => {
      if (method !== "GET") return { body: issue };
      stop.abort();
      await found.promise;
      return { body: { data: [{ id: "c-1", connector: "github" }] } };
    });
    const github = new GitHub({ baseUrl: url, token: "t", workspace: "mine", retries: 0 });
    const ended = failure(github.issues.get(params, { signal: stop.signal }));
    const waiting = github.issues.get(params);
    expect((await ended).name).toBe("AbortError");
    found.resolve();
    expect(await waiting).toEqual(issue);
    expect(requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });
});

it("takes the address of a service with white space around it, as a file of settings may have it", async () => {
  const { url, requests } = await serve(() => ({ body: issue }));
  await new GitHub({ baseUrl: ` ${url}/ `, apiKey: "key" }).issues.get(params);
  expect(requests.map(({ path }) => path)).toEqual(["/api/v1/integrations/connectors/github/execute"]);
});
