import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, errors, GitHub } from "../../../generated/github/client.ts";
import { clientOf, failure, issue, params, serve } from "./tiny-client.ts";

describe("options", () => {
  it.each([
    [{}, "Give baseUrl"],
    [{ baseUrl: "https://tenon.example.com" }, "Set TENON_API_KEY, or TENON_CLIENT_ID and TENON_CLIENT_SECRET, or give apiKey,"],
    [{ baseUrl: "https://tenon.example.com", clientId: "id" }, "clientSecret is missing: give it beside clientId"],
    [{ baseUrl: "https://tenon.example.com", clientSecret: "s" }, "clientId is missing: give it beside clientSecret"],
    [{ baseUrl: "tenon.example.com", apiKey: "k" }, "baseUrl must be an http or https address"],
    [{ baseUrl: "https://me:canary@tenon.example.com", apiKey: "k" }, "address without user, query and fragment"],
    [{ baseUrl: "https://tenon.example.com", apiKey: "a\nb" }, "apiKey must have only visible ASCII characters, and no spaces."],
    [{ baseUrl: "https://tenon.example.com", token: "a b" }, "token must have only visible ASCII characters, and no spaces."],
    [{ baseUrl: "https://tenon.example.com", apiKey: "k", timeout: "5s" }, "timeout must be a number of milliseconds from 0 to "],
    [{ accessToken: "t", timeout: -1 }, "timeout must be a number of milliseconds from 0 to 2147483647."],
    [{ accessToken: "t", baseUrl: "https://tenon.example.com" }, "baseUrl is for hosted mode"],
  ])("%j are refused: %s", (options, message) => {
    const { TENON_URL, TENON_API_KEY } = process.env;
    delete process.env["TENON_URL"];
    delete process.env["TENON_API_KEY"];
    try {
      const refused = () => new GitHub(options as ClientOptions);
      expect(refused).toThrow(message);
      // A retry of a wrong configuration cannot help.
      expect(refused).toThrow(expect.objectContaining({ retryable: false }));
    } finally {
      if (TENON_URL !== undefined) process.env["TENON_URL"] = TENON_URL;
      if (TENON_API_KEY !== undefined) process.env["TENON_API_KEY"] = TENON_API_KEY;
    }
  });

  it("take a key with white space at its end, and part of a millisecond", async () => {
    const { github, requests } = await clientOf([{ body: issue }], { apiKey: "key\n", timeout: 59_999.5 });
    await github.issues.get(params);
    expect(requests[0]?.headers["authorization"]).toBe("Bearer key");
  });

  it("of a call are refused too, and so is what a function gives as a token, before anything is sent", async () => {
    const { github, requests } = await clientOf([{ body: issue }], { token: () => "a\nb" });
    for (const call of [() => github.issues.get(params), () => github.issues.get(params, { timeout: Number.NaN })])
      expect(await failure(call())).toBeInstanceOf(errors.InvalidRequestError);
    expect(() => github.changes({ timeout: 2 ** 31 })).toThrow("timeout must be a number of milliseconds from 0 to 2147483647.");
    expect(requests).toEqual([]);
  });

  it.each([
    [{ accessToken: "t", restUrl: "nonsense" }, "restUrl must be an http or https address"],
    [{ accessToken: "t", graphqlUrl: "ftp://example.com" }, "graphqlUrl must be an http or https address"],
    [{ accessToken: "t", variables: { subdomain: "x" } }, "GitHub has no variable subdomain"],
    [{ accessToken: "" }, "accessToken must be a token"],
    [{ accessToken: async () => "two\nlines" }, "accessToken must be a token"],
    [{ accessToken: 5 }, "accessToken must be a token"],
  ])("%j are refused in local mode before anything is sent, and a retry cannot help", async (options, message) => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      return Response.json({});
    };
    const call = async () => new GitHub({ ...options, fetch } as ClientOptions).issues.get(params);
    const refused = { code: "invalid_request", retryable: false, message: expect.stringContaining(message) };
    expect(await failure(call())).toMatchObject(refused);
    expect(sent).toBe(0);
  });

  it("have no idempotencyKey in local mode, where nothing remembers which writes were done", async () => {
    const requests: unknown[] = [];
    const fetch = async (...request: unknown[]) => {
      requests.push(request);
      return Response.json({});
    };
    const github: GitHub = new GitHub({ accessToken: "t", fetch });
    const write = github.issues.create({ owner: "o", repo: "r", title: "t" }, { idempotencyKey: "k", requestId: "r" });
    expect(await failure(write)).toMatchObject({ code: "invalid_request", retryable: false, requestId: "r" });
    expect(requests).toEqual([]);
  });

  it("may come from the environment, whose credential never stands beside a given one", async () => {
    const { url, requests } = await serve(() => ({ body: issue }));
    Object.assign(process.env, { TENON_URL: url, TENON_API_KEY: "key-of-the-environment" });
    try {
      await new GitHub().issues.get(params);
      await new GitHub({ token: "given" }).issues.get(params);
    } finally {
      delete process.env["TENON_URL"];
      delete process.env["TENON_API_KEY"];
    }
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-of-the-environment", "Bearer given"]);
  });

  it("take the id and the secret of a client from the environment too", async () => {
    const { url, requests } = await serve(({ path }) => ({
      body: path.endsWith("/token") ? { access_token: "t-1", expires_in: 900 } : issue,
    }));
    vi.stubEnv("TENON_CLIENT_ID", "client-1").stubEnv("TENON_CLIENT_SECRET", "secret-1");
    try {
      await new GitHub({ baseUrl: url }).issues.get(params);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(requests[0]?.body).toEqual({ client_id: "client-1", client_secret: "secret-1" });
    expect(requests[1]?.headers.authorization).toBe("Bearer t-1");
  });

  it.each([
    ["TENON_CLIENT_ID", "TENON_CLIENT_SECRET"],
    ["TENON_CLIENT_SECRET", "TENON_CLIENT_ID"],
  ])("say what is missing beside %s", (name, missing) => {
    vi.stubEnv(name, "one").stubEnv(missing, "");
    try {
      expect(() => new GitHub({ baseUrl: "https://tenon.example.com" })).toThrow(`or set ${missing}`);
      expect(() => new GitHub({ baseUrl: "https://tenon.example.com", token: "given" })).not.toThrow();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("never have a client secret in a browser", () => {
    Object.assign(globalThis, { document: {} });
    try {
      const baseUrl = "https://tenon.example.com";
      expect(() => new GitHub({ baseUrl, clientId: "id", clientSecret: "s" })).toThrow("must not be used in a browser");
      expect(() => new GitHub({ baseUrl, token: "t" })).not.toThrow();
    } finally {
      Reflect.deleteProperty(globalThis, "document");
    }
  });
});
