import { answerKey, type RecordedAnswers } from "./examples.ts";
import { readableJson } from "./json.ts";
import type { SampleRequest } from "./request.ts";

/**
 * Completes the generated Markdown of a connector's page with what only the site has: the recorded answer below each request, the
 * document that the request sends, and the pages of the errors.
 *
 * @param up the way from the page to the root of the site
 * @param answersOf the recorded answers of the connector that a request of a written page names; those of the page's own without a name
 * @param documentOf text of the GraphQL document of an action; undefined where it sends none
 */
export function completeReference(
  markdown: string,
  answersOf: (connector: string | undefined) => RecordedAnswers,
  documentOf: (entity: string, action: string) => string | undefined,
  up: string,
): string {
  const requests = /```json request(?: (\S+))?\n([\s\S]*?)```\n/g;
  const errors = /^Errors: (`\w+`(?:, `\w+`)*)\.$/gm;
  return markdown
    .replace(requests, (block, connector: string | undefined, text: string) => {
      const request = JSON.parse(text) as SampleRequest;
      const key = answerKey(request);
      const answers = answersOf(connector);
      const answer = Object.hasOwn(answers, key) ? `\n${fence("json answer", readableJson(answers[key]))}` : "";
      const document = documentOf(request.entity, request.action);
      return `${block}${answer}${document === undefined ? "" : `\n${fence("graphql document", document)}`}`;
    })
    .replace(errors, (_, codes: string) => {
      const links = codes.replace(/`(\w+)`/g, (code, name: string) => `[${code}](${up}errors/${name}.md)`);
      return `Errors: ${links}, and those of [any request](${up}errors.md#codes).`;
    });
}

function fence(info: string, text: string): string {
  // A text of the platform may have fences of its own.
  const marks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${marks}${info}\n${text.trimEnd()}\n${marks}\n`;
}
