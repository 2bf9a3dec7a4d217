import { codeBlock } from "./code.ts";
import { escapeHtml } from "./html.ts";
import { readableJson } from "./json.ts";

/** A request to the execute endpoint, as the pages show it. */
export interface Request {
  readonly entity: string;
  readonly action: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Recorded answers by their requests (see {@link answerKey}). */
export type Answers = Readonly<Record<string, unknown>>;

/** Under what the answer to a request is recorded. */
export function answerKey(request: unknown): string {
  return JSON.stringify(request);
}

/** The address that `make run` serves. */
const address = "http://127.0.0.1:8787";

/** A way to send a request. */
interface Way {
  readonly name: string;
  readonly title: string;
  readonly language: string;
  readonly code: (connector: string, request: Request) => string;
}

/** Every way that a page shows, in the order of its tabs. */
export const ways: readonly Way[] = [{ name: "curl", title: "curl", language: "bash", code: curl }];

function curl(connector: string, request: Request): string {
  const body = readableJson(request).replaceAll("'", "'\\''");
  return [
    `curl -s ${address}/api/v1/integrations/connectors/${connector}/execute \\`,
    `  -H "Authorization: Bearer $TENON_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join("\n");
}

/** A request in all ways, as tabs that also work without JavaScript. `place` tells the tabs of a page apart. */
export function exampleTabs(connector: string, request: Request, place: number): string {
  const id = (name: string) => `example-${place}-${name}`;
  const choices = ways.map(
    ({ name, title }, index) =>
      `<input type="radio" name="example-${place}" id="${id(name)}" value="${name}"${index === 0 ? " checked" : ""}>` +
      `<label for="${id(name)}">${title}</label>`,
  );
  const panels = ways.map(
    ({ name, title, language, code }) =>
      `<div class="panel" data-way="${name}">${codeBlock(code(connector, request), language, title)}</div>`,
  );
  const legend = `<legend>${escapeHtml(`Ways to send ${request.entity}.${request.action}`)}</legend>`;
  return `<div class="example" data-request="${escapeHtml(answerKey(request))}" data-connector="${connector}"><fieldset class="ways">${legend}${choices.join("")}</fieldset>${panels.join("")}</div>\n`;
}
