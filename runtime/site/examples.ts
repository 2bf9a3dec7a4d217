import { camelCase, pascalCase } from "../client/names.ts";
import { sqlAction } from "../contract/index.ts";
import { codeBlock } from "./code.ts";
import { escapeHtml } from "./html.ts";
import { readableJson } from "./json.ts";
import type { SampleRequest } from "./request.ts";
import { tabsHtml } from "./tabs.ts";
import { isRead, toolCall } from "./tool-call.ts";

/** Recorded answers by their requests (see {@link answerKey}). */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

/** Under what the answer to a request is recorded. */
export function answerKey(request: unknown): string {
  return JSON.stringify(request);
}

/** Whether an answer is an error. */
export function isProblem(answer: unknown): answer is Problem {
  return typeof answer === "object" && answer !== null && "code" in answer && "retryable" in answer;
}

/** The address that `make run` serves. */
const address = "http://127.0.0.1:8787";

/** An error as a service returns it, in so far as the examples use it. */
interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly code: string }[];
}

/** What the examples need to know of a connector: its name in addresses, and the name of its client class. */
export interface SampleTarget {
  readonly name: string;
  readonly client: string;
}

/** A way to send a request. */
interface Way {
  readonly name: string;
  readonly title: string;
  readonly language: string;
  /** The code that sends a request; where the request cannot be sent in this way, a sentence that says why. */
  readonly code: (target: SampleTarget, request: SampleRequest, problem: Problem | undefined) => string | Unsent;
}

/** Why there is no code. */
interface Unsent {
  readonly why: string;
}

/** Every way that a page shows, in the order of its tabs. */
export const ways: readonly Way[] = [
  { name: "curl", title: "curl", language: "bash", code: curl },
  { name: "typescript", title: "TypeScript", language: "typescript", code: typescript },
  { name: "command-line", title: "Command line", language: "bash", code: commandLine },
  { name: "mcp", title: "MCP", language: "json", code: mcp },
];

function curl({ name }: SampleTarget, request: SampleRequest): string {
  const body = readableJson(request).replaceAll("'", "'\\''");
  return [
    `curl -s ${address}/api/v1/integrations/connectors/${name}/execute \\`,
    `  -H "Authorization: Bearer $TENON_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join("\n");
}

function typescript(
  { name, client }: SampleTarget,
  { entity, action, params }: SampleRequest,
  problem: Problem | undefined,
): string {
  const isSql = action === sqlAction;
  const given = isSql ? sqlArguments(params) : paramsText(params);
  const call = `await client.${isSql ? "sql" : `${camelCase(entity)}.${camelCase(action)}`}`;
  const made = `const client = new ${client}({ baseUrl: "${address}", apiKey: process.env.TENON_API_KEY });`;
  if (problem === undefined)
    return [
      `import { ${client} } from "tenon-client/${name}";`,
      "",
      made,
      `const response = ${call}(${given});`,
      "console.log(JSON.stringify(response, null, 2));",
    ].join("\n");
  const refused = problem.errors.some(({ code }) => compilerFinds.has(code));
  return [
    `import { errors, ${client} } from "tenon-client/${name}";`,
    "",
    made,
    ...(refused ? [`const params = ${given};`] : []),
    "try {",
    ...(refused ? ["  // @ts-expect-error The compiler finds what is wrong, too."] : []),
    `  ${call}(${refused ? "params" : given.replaceAll("\n", "\n  ")});`,
    "} catch (error) {",
    `  if (!(error instanceof errors.${pascalCase(problem.code)}Error)) throw error;`,
    "  const { code, message, retryable, faults } = error;",
    "  console.log(JSON.stringify({ code, message, retryable, errors: faults }, null, 2));",
    "}",
  ].join("\n");
}

function paramsText(params: SampleRequest["params"]): string {
  return params === undefined || Object.keys(params).length === 0 ? "" : unquotedKeys(readableJson(params));
}

/** The statement, and the options behind it. */
function sqlArguments({ sql, ...options }: NonNullable<SampleRequest["params"]> = {}): string {
  return [JSON.stringify(sql), paramsText(options)].filter((text) => text !== "").join(", ");
}

/** Codes of faults that the types of the client library leave to the compiler. */
const compilerFinds: ReadonlySet<string> = new Set(["missing_param", "not_allowed", "wrong_type"]);

function commandLine({ name }: SampleTarget, { entity, action, params }: SampleRequest): string {
  const given = params === undefined ? "" : ` \\\n  --params '${readableJson(params).replaceAll("'", "'\\''")}'`;
  return `export TENON_URL=${address}\nnode runtime/cli/tenon.js execute ${name} ${entity} ${action}${given}`;
}

function mcp({ name }: SampleTarget, request: SampleRequest): string | Unsent {
  const call = toolCall(name, request);
  return "unknown" in call
    ? { why: `The tool ${call.tool} has no argument ${call.unknown.join(" and no argument ")}.` }
    : readableJson({ method: "tools/call", params: call });
}

/** Keys without quotes, as people write them. A quote within a text is escaped in JSON, so that no text looks like a key. */
function unquotedKeys(json: string): string {
  return json.replace(/(?<!\\)"([A-Za-z_]\w*)": /g, "$1: ");
}

/**
 * A request in all ways, as tabs that also work without JavaScript.
 *
 * @param answer the recorded answer, by which the examples know whether an error is to be expected
 * @param place tells the tabs of a page apart
 */
export function exampleTabs(target: SampleTarget, request: SampleRequest, answer: unknown, place: number): string {
  const problem = isProblem(answer) ? answer : undefined;
  const all = ways.map(({ code, ...way }) => ({ ...way, code: code(target, request, problem) }));
  const sent = all.flatMap(({ code, ...way }) => (typeof code === "string" ? [{ ...way, code }] : []));
  const unsent = all.flatMap(({ title, code }) =>
    typeof code === "string" ? [] : [`There is no tab for ${title}. ${code.why}`],
  );
  const tabs = sent.map(({ code, language, ...tab }) => ({ ...tab, html: codeBlock(code, language, tab.title) }));
  const notes = unsent.map((text) => `<p class="unsent">${escapeHtml(text)}</p>`);
  const shown = tabsHtml(`example-${place}`, `Ways to send ${request.entity}.${request.action}`, tabs);
  const writes = isRead(target.name, request) ? "" : ' data-writes="true"';
  return `<div class="example" data-request="${escapeHtml(answerKey(request))}" data-connector="${target.name}"${writes}>${shown}${notes.join("")}</div>\n`;
}
