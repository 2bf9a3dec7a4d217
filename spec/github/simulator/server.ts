import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, dropped, json } from "./answer.ts";
import { authenticate } from "./authenticate.ts";
import type { Fault } from "./fault.ts";
import { gateway, unauthorized } from "./fault-answer.ts";
import { quotaHeaders, type Resource } from "./rate-limit.ts";
import { type Received, type RecordedRequest, receive, record } from "./request.ts";
import { type Served, serveGraphql } from "./serve-graphql.ts";
import { serveRest } from "./serve-rest.ts";
import type { State } from "./state.ts";

const noAgent =
  "Request forbidden by administrative rules. Please make sure your request has a User-Agent header " +
  "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). " +
  "Check https://developer.github.com for other possible causes.\n";

/** What the server tells of its requests. */
export interface Watcher {
  arrived(): void;
  /** It is about to be answered. */
  recorded(request: RecordedRequest): void;
}

export function createPlatformServer(state: State, watcher: Watcher): Server {
  let serial = 0;
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    serial++;
    const received = await receive(incoming).catch(() => undefined);
    // The caller went away in the middle of its request.
    if (received === undefined) return;
    watcher.arrived();
    const resource: Resource = isGraphql(received) ? "graphql" : "core";
    let answer: Answer;
    try {
      answer = await serve(state, received, resource);
    } catch (error) {
      // A bug of the simulation: loud, and unlike anything that the platform answers.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      answer = json(501, { message: `the simulated platform failed: ${text}` });
    }
    watcher.recorded(record(received, answer.status));
    send(response, answer, { ...standing(state, received, resource, serial), ...answer.headers });
  };
  return createServer((incoming, response) => void handle(incoming, response));
}

function isGraphql(received: Received): boolean {
  return received.path.split("?")[0] === "/graphql";
}

async function serve(state: State, received: Received, resource: Resource): Promise<Answer> {
  if ((received.headers["user-agent"] ?? "") === "") {
    return { status: 403, headers: { "content-type": "text/html; charset=utf-8" }, body: noAgent };
  }
  const viewer = authenticate(received.headers["authorization"], state.world);
  if (viewer === undefined) return unauthorized();
  const served = resource === "graphql" ? await serveGraphql(state, viewer, received) : await serveRest(state, viewer, received);
  return finish(served);
}

/** What is left to do of a fault that lets a request be carried out. */
function finish({ answer, fault }: Served): Answer {
  const late: Fault | undefined = fault;
  if (late?.kind === "drop" && late.when === "after") return dropped;
  if (late?.kind === "gateway" && late.effect === true) return gateway(late);
  if (late?.kind === "truncated-json") return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
  if (late?.kind !== "sso-partial") return answer;
  const organizations = (late.organizations ?? [21955855, 20582480]).join(",");
  return { ...answer, headers: { ...answer.headers, "x-github-sso": `partial-results; organizations=${organizations}` } };
}

/** Headers of every answer. */
function standing(state: State, received: Received, resource: Resource, serial: number): Record<string, string> {
  const viewer = authenticate(received.headers["authorization"], state.world);
  const id = serial.toString(16).toUpperCase().padStart(4, "0");
  const headers = {
    server: "github.com",
    "x-github-request-id": `${id}:51A0:1B2C3D:1E4F5A:6740${id.padStart(4, "0")}`,
    "x-github-media-type": resource === "graphql" ? "github.v4; format=json" : "github.v3; format=json",
    "cache-control": "private, max-age=0",
  };
  if (viewer === undefined) return headers;
  return {
    ...headers,
    "x-oauth-scopes": [...viewer.token.scopes].sort().join(", "),
    "x-accepted-oauth-scopes": "repo",
    ...quotaHeaders(state.limits.budget(viewer.user.login, resource), resource),
  };
}

function send(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>>): void {
  if (answer.broken === true) {
    response.socket?.destroy();
    return;
  }
  const body = Buffer.from(answer.body);
  response.writeHead(answer.status, { ...headers, "content-length": String(body.length) });
  response.end(body);
}
