import type { ErrorCode } from "../../runtime/base/errors.ts";
import { actionTraits, storeAction } from "../../runtime/contract/index.ts";
import { type Answers, answerKey, type Request } from "./examples.ts";
import { readableJson } from "./json.ts";

/**
 * Completes the generated Markdown of a connector's page with what only the site shows: the recorded answer below each request, and the
 * document that the request sends.
 *
 * @param up the way from the page to the root of the site; "" for a written page, whose requests are not the subject of the page
 * @param answersOf the recorded answers of the connector that a request of a written page names; those of the page's own without a name
 * @param documentOf text of the GraphQL document of an action; undefined where it sends none
 */
export function completeReference(
  markdown: string,
  answersOf: (connector: string | undefined) => Answers,
  documentOf: (entity: string, action: string) => string | undefined,
  up: string,
): string {
  return markdown.replace(
    /```json request(?: (\S+))?\n([\s\S]*?)```\n/g,
    (block, connector: string | undefined, text: string) => {
      const request = JSON.parse(text) as Request;
      const key = answerKey(request);
      const answers = answersOf(connector);
      const answer = Object.hasOwn(answers, key) ? `\n${fence("json answer", readableJson(answers[key]))}` : "";
      const document = documentOf(request.entity, request.action);
      const errors = `\nErrors: ${errorsOf(request.action)
        .map((code) => `[\`${code}\`](${up}errors/${code}.md)`)
        .join(", ")}.\n`;
      return `${block}${answer}${up === "" ? "" : errors}${document === undefined ? "" : `\n${fence("graphql document", document)}`}`;
    },
  );
}

function fence(info: string, text: string): string {
  // A text of the platform may have fences of its own.
  const marks = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${marks}${info}\n${text.trimEnd()}\n${marks}\n`;
}

const anyAction: readonly ErrorCode[] = ["unauthorized", "invalid_request", "unknown_connector"];
const anyLive: readonly ErrorCode[] = ["not_found", "platform_unauthorized", "platform_forbidden", "rate_limited"];

/** The codes of the errors that a caller of an action has to expect, besides those of the service as a whole. */
function errorsOf(action: string): readonly ErrorCode[] {
  if (action === storeAction) return [...anyAction, "bad_cursor", "search_timeout", "context_store_unavailable"];
  const traits = Object.hasOwn(actionTraits, action) ? actionTraits[action as keyof typeof actionTraits] : undefined;
  if (traits === undefined) return anyAction;
  if (traits.writes)
    return [
      ...anyAction,
      ...anyLive,
      "platform_rejected",
      ...(traits.updates ? (["forbidden_transition"] as const) : []),
      "write_in_doubt",
      "write_deadline_exceeded",
    ];
  return [...anyAction, ...anyLive, ...(traits.list ? (["bad_cursor"] as const) : []), "platform_failed", "deadline_exceeded"];
}
