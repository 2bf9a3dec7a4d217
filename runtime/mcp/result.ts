import type { CallToolResult } from "@modelcontextprotocol/server";
import { visibleText } from "../base/visible-text.ts";
import type { Response } from "./budget.ts";
import { clean } from "./clean.ts";

/** What a tool gives, with only visible characters. */
export interface ToolResult {
  readonly text: string;
  /** The same as a value for programs. Few of them want it, so that it is made when it is needed. */
  readonly content: () => Record<string, unknown>;
  /** Id of the task that goes on with the call. A client that supports tasks gets this task, and not the text. */
  readonly task?: string;
  /** Set where it tells of nothing but errors. */
  readonly isError?: boolean;
}

/**
 * Removes the invisible characters of a value that is short enough for a model, and not before: this makes no text longer, so that the
 * result still fits.
 */
export function resultOf(value: object): ToolResult {
  const content = clean(value) as Record<string, unknown>;
  return { text: JSON.stringify(content), content: () => content };
}

/** A response as JSON. The text that it has already is passed on where every character of it is visible. */
export function jsonResult(response: Response): ToolResult {
  const { text } = response;
  if (text !== undefined && isVisible(text)) return { text, content: () => ({ data: response.data, meta: response.meta }) };
  return resultOf({ data: response.data, meta: response.meta });
}

/** Whether a JSON text has only visible characters. What is escaped by its number may be an invisible one. */
function isVisible(json: string): boolean {
  return !json.includes("\\u") && visibleText(json) === json;
}

/** A result as it is sent. @param isStructured it also has the value of which the text was made */
export function sentResult({ text, content, isError }: ToolResult, isStructured = false): CallToolResult {
  return {
    ...(isError === true ? { isError } : {}),
    content: [{ type: "text", text }],
    ...(isStructured ? { structuredContent: content() } : {}),
  };
}
