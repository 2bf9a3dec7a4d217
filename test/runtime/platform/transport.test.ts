import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { FailureJudge } from "../../../runtime/platform/failure.ts";
import { HttpTransport, type TransportOptions } from "../../../runtime/platform/transport.ts";
import { tokenCredential } from "../../support/credential.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

function transportTo(fetch: typeof globalThis.fetch, more: Partial<TransportOptions> = {}): HttpTransport {
  return new HttpTransport({
    plan: github.platform,
    endpoints: { rest: "https://api.example.test", graphql: undefined },
    userAgent: "tenon/test",
    credential: async () => tokenCredential("token-of-the-test"),
    isRefused: () => false,
    fetch,
    ...more,
  });
}

it("looks at the first 1,000 errors of an answer", async () => {
  const errors = Array.from({ length: 5_000 }, () => ({
    type: "FORBIDDEN",
    message: "No.",
    path: ["repository", "issues", "nodes", 0],
  }));
  const list = { edges: [{ cursor: "a", node: { number: 1 } }], nodes: [{ number: 1 }], pageInfo: { hasNextPage: false } };
  const { instance } = fakeInstance(() => ({ data: { repository: { issues: list } }, errors }));
  const { meta } = await run(instance, {
    entity: "issues",
    action: "list",
    params: { owner: "a", repo: "b", fields: ["number"] },
  });
  expect(meta.warnings?.at(-1)).toMatchObject({ code: "more_warnings", message: "There are 950 more warnings." });
});

it("takes a part of a response for an error, unless the call asked for a part", async () => {
  const transport = transportTo(async () =>
    Response.json([{ id: 1 }], { status: 206, headers: { "content-range": "items 0-0/2" } }),
  );
  const read = (headers = {}) => transport.rest({ method: "GET", path: "/things", headers }, new AbortController().signal, "");
  const refused = await read();
  if (refused.kind !== "refused") throw new Error(`it is ${refused.kind}`);
  const verdict = new FailureJudge(github.platform, (text) => text).refusal(refused, 0);
  expect(verdict).toEqual({ kind: "transient", message: expect.stringContaining("GitHub sent only a part") });
  expect(await read({ Range: "items=0-0" })).toMatchObject({ kind: "rest", data: [{ id: 1 }] });
});

it("sends nothing when its caller leaves before there is a credential", async () => {
  const end = new AbortController();
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    sent.push(String(input));
    return Response.json({});
  };
  const transport = transportTo(fetch, { credential: () => new Promise(() => undefined) });
  const received = transport.rest({ method: "GET", path: "/things" }, end.signal, "");
  end.abort();
  expect(await received).toMatchObject({ kind: "lost", cause: new Error("there was no token in time"), unsent: true });
  expect(sent).toEqual([]);
});

it("signs the body of a GraphQL call with its path, where the platform wants that", async () => {
  const sent: { readonly headers: Headers; readonly body: string }[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent.push({ headers: new Headers(init?.headers), body: String(init?.body) });
    return Response.json({ data: { viewer: { login: "a" } } });
  };
  const [kind] = github.platform.auth.kinds;
  if (kind === undefined) throw new Error("GitHub has no kind of authentication");
  const of = ["", "method", " ", "path", " ", "body", ""];
  const sign = { header: "X-Signature", of, with: "token", algorithm: "sha256", encoding: "hex" } as const;
  const auth = { ...github.platform.auth, kinds: [{ ...kind, sign }] };
  const endpoints = { rest: "https://api.example.test", graphql: "https://api.example.test/graph?v=1" };
  const transport = transportTo(fetch, { plan: { ...github.platform, auth }, endpoints });
  expect(await transport.graphql("{ viewer { login } }", {}, new AbortController().signal, "")).toMatchObject({
    kind: "graphql",
  });
  const [{ headers, body } = { headers: new Headers(), body: "" }] = sent;
  const expected = createHmac("sha256", "token-of-the-test").update(`POST /graph?v=1 ${body}`).digest("hex");
  expect([body !== "", headers.get("x-signature")]).toEqual([true, expected]);
});

it.each([
  ["never comes", () => new Promise<never>(() => undefined)],
  ["cannot be had, which nobody waits for any longer", () => Promise.reject(new Error("no other token"))],
])("gives the answer that it has when its caller leaves, and another token %s", async (_title, renew) => {
  const end = new AbortController();
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    sent.push(String(input));
    end.abort();
    return Response.json({ message: "Bad credentials" }, { status: 401 });
  };
  const transport = transportTo(fetch, { isRefused: () => true, renew });
  const received = await transport.rest({ method: "GET", path: "/things" }, end.signal, "");
  expect([received.kind, sent]).toEqual(["refused", ["https://api.example.test/things"]]);
});
