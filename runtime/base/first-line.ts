/** The first line of what was thrown: libraries add quotes of their input and stacks in further lines. */
export function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.slice(0, `${text}\n`.indexOf("\n"));
}
