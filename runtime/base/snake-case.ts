/** `stateReason` → `state_reason`. Requests may name fields in both spellings. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
