import { describe, expect, it } from "vitest";
import { expiredToken, limitedToken, memberToken, readerToken } from "../../../runtime/simulated/github/tokens.ts";
import { graphql, type Json, rest } from "../client.ts";
import { ask, data, errorTypes, inHello, list, platform } from "./setup.ts";

describe("who sees what", () => {
  it("lets a caller without push access edit own texts, and no others", async () => {
    const { viewer, repository } = await data(
      `{ viewer { login } ${inHello("issues(first: 100) { nodes { author { login } viewerCanUpdate } }").slice(1)}`,
      {},
      readerToken,
    );
    const issues = list(repository?.["issues"]?.["nodes"]).map((one) => [
      one["author"]?.["login"] === viewer?.["login"],
      one["viewerCanUpdate"],
    ]);
    expect(issues.filter(([isOwn, canUpdate]) => isOwn !== canUpdate)).toEqual([]);
    expect(new Set(issues.map(([isOwn]) => isOwn))).toEqual(new Set([true, false]));
  });

  it("hides private repositories from those without access", async () => {
    const query = (name: string) => `{ repository(owner: "octocat", name: "${name}") { id issues(first: 1) { nodes { id } } } }`;
    const mine = await data(query("secret-plans"));
    expect(errorTypes((await ask(query("secret-plans"), {}, readerToken)).body)).toEqual(["NOT_FOUND"]);
    const id = list(mine["repository"]?.["issues"]?.["nodes"])[0]?.["id"];
    expect(errorTypes((await ask("query($id: ID!) { node(id: $id) { id } }", { id }, readerToken)).body)).toEqual(["NOT_FOUND"]);
  });

  it("shows outsiders public members only, and teams to members only", async () => {
    const query =
      '{ organization(login: "tenon-labs") { membersWithRole(first: 10) { nodes { login } } teams(first: 10) { nodes { slug } } } }';
    const inside = (await data(query))["organization"];
    const outside = (await data(query, {}, readerToken))["organization"];
    const member = (await data(query, {}, memberToken))["organization"];
    expect([list(inside?.["membersWithRole"]?.["nodes"]).length, list(outside?.["membersWithRole"]?.["nodes"]).length]).toEqual([
      4, 2,
    ]);
    expect([list(inside?.["teams"]?.["nodes"]).length, list(member?.["teams"]?.["nodes"]).length]).toEqual([4, 3]);
    expect(outside?.["teams"]?.["nodes"]).toEqual([]);
  });

  it("shows a pending review and a draft release only to those concerned", async () => {
    const query = inHello(
      "releases(first: 20) { totalCount } pullRequests(first: 100) { nodes { reviews(first: 20, states: PENDING) { totalCount } } }",
    );
    const pending = (answer: Json) =>
      list(answer["repository"]?.["pullRequests"]?.["nodes"]).reduce(
        (sum, one) => sum + Number(one["reviews"]?.["totalCount"]),
        0,
      );
    const [mine, others] = [await data(query), await data(query, {}, readerToken)];
    expect([pending(mine), pending(others)]).toEqual([1, 0]);
    expect([mine["repository"]?.["releases"]?.["totalCount"], others["repository"]?.["releases"]?.["totalCount"]]).toEqual([
      6, 5,
    ]);
  });

  it.each([
    ["email", '{ user(login: "hubot") { login email } }', 1],
    ["slug", '{ organization(login: "tenon-labs") { team(slug: "platform") { name slug } } }', 2],
    ["title", '{ organization(login: "tenon-labs") { projectV2(number: 1) { title } } }', 1],
  ])("refuses the whole document when a scope for %s is missing", async (field, query, count) => {
    const { body } = await ask(query, {}, limitedToken);
    expect(body["data"]).toBeNull();
    expect(errorTypes(body)).toEqual(Array.from({ length: count }, () => "INSUFFICIENT_SCOPES"));
    expect(String(list(body["errors"]).at(-1)?.["message"])).toContain(
      `The '${field}' field requires one of the following scopes`,
    );
    await data(query);
  });

  it("wants a good token and a User-Agent", async () => {
    const url = (path: string) => `${platform().url}${path}`;
    for (const token of [expiredToken, "ghp_unknown"]) {
      const { status, body } = await ask("{ viewer { id } }", {}, token);
      expect(status).toBe(401);
      expect(body).toMatchObject({ message: "Bad credentials", status: "401" });
    }
    expect((await fetch(url("/graphql"), { method: "POST", body: "{}" })).status).toBe(401);
    const bare = await graphql(platform(), "{ viewer { id } }", {}, { headers: { "user-agent": "" } });
    expect(bare.status).toBe(403);
    expect(bare.text).toContain("User-Agent");
  });

  it("tells the quota, the request and the scopes on every answer", async () => {
    const one = await ask("{ viewer { id } }");
    const two = await rest(platform(), "GET", "/user");
    expect(one.headers.get("x-ratelimit-resource")).toBe("graphql");
    expect(two.headers.get("x-ratelimit-resource")).toBe("core");
    expect([one, two].map((reply) => reply.headers.get("x-ratelimit-remaining"))).toEqual(["4999", "4999"]);
    expect(one.headers.get("x-oauth-scopes")).toContain("repo");
    expect(one.headers.get("x-github-request-id")).not.toBe(two.headers.get("x-github-request-id"));
  });
});
