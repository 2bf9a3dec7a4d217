import { clean } from "./clean.ts";

/** What a tool gives, with only visible characters: as JSON, and as the same value. */
export interface ToolResult {
  readonly text: string;
  readonly content: Record<string, unknown>;
}

/**
 * Removes the invisible characters of a value that is short enough for a model, and not before: this makes no text longer, so that the
 * result still fits.
 */
export function resultOf(value: object): ToolResult {
  const content = clean(value) as Record<string, unknown>;
  return { text: JSON.stringify(content), content };
}
