import { codeBlock } from "./code.ts";
import { escapeHtml } from "./html.ts";
import { readableJson } from "./json.ts";
import type { Request } from "./request.ts";
import { toolCall } from "./tool-call.ts";

/** Recorded answers by their requests (see {@link answerKey}). */
export type Answers = Readonly<Record<string, unknown>>;

/** Under what the answer to a request is recorded. */
export function answerKey(request: unknown): string {
  return JSON.stringify(request);
}

/** Whether an answer is an error. */
export function isProblem(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "code" in answer && "retryable" in answer;
}

/** The address that `make run` serves. */
const address = "http://127.0.0.1:8787";

/** What the examples need to know of a connector: its name in addresses, and the name of its client class. */
export interface Target {
  readonly name: string;
  readonly client: string;
}

/** A way to send a request. */
interface Way {
  readonly name: string;
  readonly title: string;
  readonly language: string;
  /** Undefined where the request cannot be sent in this way. */
  readonly code: (target: Target, request: Request) => string | undefined;
}

/** Every way that a page shows, in the order of its tabs. */
export const ways: readonly Way[] = [
  { name: "curl", title: "curl", language: "bash", code: curl },
  { name: "typescript", title: "TypeScript", language: "typescript", code: typescript },
  { name: "command-line", title: "Command line", language: "bash", code: commandLine },
  { name: "mcp", title: "MCP", language: "json", code: mcp },
];

function curl({ name }: Target, request: Request): string {
  const body = readableJson(request).replaceAll("'", "'\\''");
  return [
    `curl -s ${address}/api/v1/integrations/connectors/${name}/execute \\`,
    `  -H "Authorization: Bearer $TENON_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join("\n");
}

function typescript({ name, client }: Target, { entity, action, params }: Request): string {
  const given = params === undefined || Object.keys(params).length === 0 ? "" : unquotedKeys(readableJson(params));
  return [
    `import { ${client} } from "tenon/${name}";`,
    "",
    `const client = new ${client}({ baseUrl: "${address}", apiKey: process.env.TENON_API_KEY });`,
    `const answer = await client.${camelCase(entity)}.${camelCase(action)}(${given});`,
    "console.log(JSON.stringify(answer, null, 2));",
  ].join("\n");
}

function commandLine({ name }: Target, { entity, action, params }: Request): string {
  const given = params === undefined ? "" : ` \\\n  --params '${readableJson(params).replaceAll("'", "'\\''")}'`;
  return `export TENON_URL=${address}\nnpm exec -- tenon execute ${name} ${entity} ${action}${given}`;
}

function mcp({ name }: Target, request: Request): string | undefined {
  const call = toolCall(name, request);
  return call && readableJson({ method: "tools/call", params: call });
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Keys without quotes, as people write them. A quote within a text is escaped in JSON, so that no text looks like a key. */
function unquotedKeys(json: string): string {
  return json.replace(/(?<!\\)"([A-Za-z_]\w*)": /g, "$1: ");
}

/** A request in all ways, as tabs that also work without JavaScript. `place` tells the tabs of a page apart. */
export function exampleTabs(target: Target, request: Request, place: number, shown: readonly Way[] = ways): string {
  const id = (name: string) => `example-${place}-${name}`;
  const sent = shown.flatMap(({ code, ...way }) => {
    const text = code(target, request);
    return text === undefined ? [] : [{ ...way, text }];
  });
  const choices = sent.map(
    ({ name, title }, index) =>
      `<input type="radio" name="example-${place}" id="${id(name)}" value="${name}"${index === 0 ? " checked" : ""}>` +
      `<label for="${id(name)}">${title}</label>`,
  );
  const panels = sent.map(
    ({ name, title, language, text }) => `<div class="panel" data-way="${name}">${codeBlock(text, language, title)}</div>`,
  );
  const legend = `<legend>${escapeHtml(`Ways to send ${request.entity}.${request.action}`)}</legend>`;
  return `<div class="example" data-request="${escapeHtml(answerKey(request))}" data-connector="${target.name}"><fieldset class="ways">${legend}${choices.join("")}</fieldset>${panels.join("")}</div>\n`;
}
