import { clean } from "./clean.ts";

/** What a tool gives, with only visible characters: as text, and as a value for programs. */
export interface ToolResult {
  readonly text: string;
  readonly content: Record<string, unknown>;
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
