import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as sendRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { apiKey, useTenon } from "./support/service.ts";

// The official conformance suite. Most of its scenarios call tools, prompts and resources that only the suite's own example server has.

const suite = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url));
const running = useTenon({ mcpWrites: true });

/** What a server without the suite's own tools, prompts and resources cannot pass. */
const needsExample = [
  /(tool|prompt|resource|Tool|Prompt) ["']?(test|json_schema)[_:]/,
  /diagnostic tool 'test_/,
  /There is no resource "test:/,
  /^Prerequisite failed: /,
  /^Expected InputRequiredResult/,
  /There is no tool "(greet|slow_compute|failing_job|protocol_error_job|confirm_delete|multi_input)"/,
  /^Not testable: no task was created/,
  /^routing-task fixture from Check 2 unavailable/,
  /^tools\/call for failing_job returned/,
];
/** The checks of the extension for tasks that need no tool of the example server. */
const taskChecks = [
  "sep-2663-tasks-methods-non-declaring",
  "sep-2663-tasks-result-removed-method-not-found",
  "tasks-extension-advertised",
  "tasks-removed-tasks-list",
];
/** Scenarios about what was decided against: logging (also of earlier revisions), and subscriptions of earlier revisions. */
const notServed = ["logging-set-level", "tools-call-with-logging", "resources-subscribe", "resources-unsubscribe"];
/** Scenarios that do not count for the revision. */
const notScored = /^(json-schema-2020-12$|http-custom-header-server-validation$)/;

/** The suite sends no bearer token. */
async function withToken(test: (url: string) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(running.tenon.url);
  const proxy = createServer((request, response) => {
    const { method, url, headers } = request;
    const options = { hostname, port, method, path: url, headers: { ...headers, authorization: `Bearer ${apiKey}` } };
    const passed = sendRequest(options, (reply) => reply.pipe(response.writeHead(reply.statusCode ?? 500, reply.headers)));
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const address = proxy.address();
  try {
    await test(`http://localhost:${typeof address === "object" ? address?.port : ""}/mcp`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

it.each([
  [
    "2026-07-28",
    [
      "caching",
      "completion-complete",
      "dns-rebinding-protection",
      "http-header-validation",
      "input-required-result-ignore-extra-params",
      "input-required-result-missing-input-response",
      "input-required-result-unsupported-methods",
      "input-required-result-validate-input",
      "prompts-list",
      "resources-list",
      "sep-2164-resource-not-found",
      "server-sse-multiple-streams",
      "tasks-status-notifications",
      "tools-list",
    ],
  ],
  [
    "2025-11-25",
    [
      "completion-complete",
      "dns-rebinding-protection",
      "ping",
      "prompts-list",
      "resources-list",
      "server-initialize",
      "server-session-lifecycle",
      "server-sse-multiple-streams",
      "server-sse-polling",
      "tools-list",
    ],
  ],
])("the scenarios of revision %s pass, but for those of the example server", async (revision, wanted) => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
  await withToken(async (url) => {
    const args = [suite, "server", "--url", url, "--requirements", revision, "-o", folder];
    // It exits with 1, because of the scenarios of the example server.
    await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 }).catch(() => undefined);
  });
  const passed: string[] = [];
  const unexpected: string[] = [];
  const tasks: string[] = [];
  for (const name of readdirSync(folder)) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
    if (scenario.startsWith("tasks-")) tasks.push(...checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id));
    const failed = checks.filter(({ status }) => status === "FAILURE");
    if (failed.length === 0) passed.push(scenario);
    if (notScored.test(scenario) || notServed.includes(scenario)) continue;
    for (const { id, errorMessage = "" } of failed)
      if (!needsExample.some((form) => form.test(errorMessage))) unexpected.push(`${scenario} ${id}: ${errorMessage}`);
  }
  rmSync(folder, { recursive: true });
  expect(unexpected).toEqual([]);
  expect(passed.sort()).toEqual(wanted);
  if (revision === "2026-07-28") expect(tasks).toEqual(expect.arrayContaining(taskChecks));
});
