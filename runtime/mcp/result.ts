import type { CallToolResult } from "@modelcontextprotocol/server";
import { clean } from "./clean.ts";

/** What a tool gives, with only visible characters: as text, and as a value for programs. */
export interface ToolResult {
  readonly text: string;
  readonly content: Record<string, unknown>;
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
  return { text: JSON.stringify(content), content };
}

/** A result as it is sent. @param isStructured it also has the value of which the text was made */
export function sentResult({ text, content, isError }: ToolResult, isStructured = false): CallToolResult {
  return {
    ...(isError === true ? { isError } : {}),
    content: [{ type: "text", text }],
    ...(isStructured ? { structuredContent: content } : {}),
  };
}
