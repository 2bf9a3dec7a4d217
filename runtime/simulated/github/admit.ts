import type { Answer } from "../../simulator/answer.ts";
import type { ReceivedRequest } from "../../simulator/request.ts";
import type { HeaderFacts } from "../../simulator/simulated-platform.ts";
import type { Viewer } from "./access.ts";
import { givenToken } from "./grants/issued.ts";
import { unauthorized } from "./refuse.ts";
import { tokens } from "./tokens.ts";
import { userNamed, type World } from "./world/world.ts";

const noAgent: Answer = {
  status: 403,
  headers: { "content-type": "text/html; charset=utf-8" },
  body:
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent header " +
    "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). " +
    "Check https://developer.github.com for other possible causes.\n",
};

/** Who makes a request. GitHub wants a User-Agent and a token that it knows. */
export function admit({ headers }: ReceivedRequest, world: World): { viewer: Viewer } | { refused: Answer } {
  if ((headers["user-agent"] ?? "") === "") return { refused: noAgent };
  const viewer = authenticate(headers["authorization"], world);
  return viewer === undefined ? { refused: unauthorized } : { viewer };
}

/** Who makes the request, by its `Authorization` header; undefined: nobody whom the platform knows. */
export function authenticate(header: string | undefined, world: World): Viewer | undefined {
  const given = /^(?:bearer|token)\s+(\S+)$/i.exec(header ?? "")?.[1];
  const token = tokens.find((one) => one.token === given && !one.expired) ?? givenToken(world.grants, given ?? "");
  const user = token === undefined ? undefined : userNamed(world, token.login);
  return token === undefined || user === undefined ? undefined : { user, token };
}

/** The headers of every answer: what served it, and for a known token its scopes and its quota. */
export function standingHeaders({ api, serial, known }: HeaderFacts<Viewer>): Record<string, string> {
  const id = serial.toString(16).toUpperCase().padStart(4, "0");
  const headers = {
    server: "github.com",
    "x-github-request-id": `${id}:51A0:1B2C3D:1E4F5A:6740${id}`,
    "x-github-media-type": api === "graphql" ? "github.v4; format=json" : "github.v3; format=json",
    "cache-control": "private, max-age=0",
  };
  if (known === undefined) return headers;
  const { viewer, budget } = known;
  return {
    ...headers,
    "x-oauth-scopes": [...viewer.token.scopes].sort().join(", "),
    "x-accepted-oauth-scopes": "repo",
    "x-ratelimit-limit": String(budget.limit),
    "x-ratelimit-remaining": String(budget.remaining),
    "x-ratelimit-used": String(budget.used),
    "x-ratelimit-reset": String(budget.reset / 1000),
    "x-ratelimit-resource": api === "graphql" ? "graphql" : "core",
  };
}
