// One of the two servers that the execute bench compares, in a process of its own: `bare` or `tenon`.

import { mkdirSync, openSync } from "node:fs";
import express from "express";
import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import { createLog, standardOutput } from "../../runtime/base/log.ts";
import { redactor } from "../../runtime/base/redact.ts";
import type { Connector } from "../../runtime/contract/index.ts";
import { connect } from "../../runtime/execute/connect.ts";
import { createApp } from "../../runtime/server/app.ts";
import { tokenHash } from "../../runtime/server/callers/bearer.ts";
import { listen } from "../../runtime/server/connections/listen.ts";
import { tokenCredential } from "../support/credential.ts";
import { appOptions } from "../support/http.ts";
import { issueAnswer, quotaHeaders } from "./issue.ts";

/** A response whose body is there at once: what making it and its streams cost is the platform's affair, so it is made once. */
class Instant extends Response {
  constructor(text: string, headers: Readonly<Record<string, string>>) {
    super(null, { headers });
    // One piece, without a stream around it.
    Object.defineProperty(this, "body", { value: [Buffer.from(text)] });
  }
}

const kind = process.argv[2];
const token = process.argv[3] ?? "";

const app = kind === "bare" ? bare() : tenon();
const { url } = await listen(app, {
  host: "127.0.0.1",
  port: 0,
  maxConnections: 1000,
  writeTimeout: 30_000,
  log: pino({ level: "silent" }),
});
process.send?.(url);
process.on("message", () => process.send?.(process.cpuUsage()));
process.on("SIGINT", () => process.exit(0));

/** What Express alone takes to read a JSON body and answer with it. */
function bare() {
  const echo = express();
  echo.post(
    "/api/v1/integrations/connectors/:connectorId/execute",
    express.json(),
    (request, response) => void response.json(request.body),
  );
  return echo;
}

/** The whole service as it runs, but for a platform that answers at once and sets no pace. */
function tenon() {
  const instant = new Instant(issueAnswer, quotaHeaders);
  const unlimited: Connector = {
    ...github,
    platform: {
      ...github.platform,
      rateLimit: {
        ...github.platform.rateLimit,
        points: { graphql: { perMinute: 1e12, read: 1, write: 1 }, rest: { perMinute: 1e12, read: 1, write: 1 } },
      },
    },
  };
  const redact = redactor(github.platform.auth.secrets, [token]);
  mkdirSync(".cache/bench", { recursive: true });
  const log = createLog("info", redact, standardOutput(openSync(".cache/bench/execute.log", "w")));
  // As a source of credentials gives it: each time the same object.
  const credential = tokenCredential("ghp_benchbenchbenchbenchbenchbenchbench0");
  const instance = connect({
    id: "github",
    workspace: "default",
    connector: unlimited,
    endpoints: { rest: "http://platform.example", graphql: "http://platform.example/graphql" },
    credential: async () => credential,
    userAgent: "tenon/bench",
    redact,
    fetch: async () => instant,
  });
  return createApp({ ...appOptions(new Map([["github", instance]])), tokenHash: tokenHash(token), log });
}
