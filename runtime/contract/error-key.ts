/** The parts of a rule's key: `400`, `RATELIMITED`, `/not found/`, `400 /not found/` or `400 invalid_request`. */
export function parseErrorKey(key: string): { readonly status?: number; readonly name?: string; readonly pattern?: string } {
  const [, status, rest = ""] = /^(?:(\d{3})(?: |$))?(.*)$/s.exec(key) ?? [];
  const pattern = /^\/(.+)\/$/s.exec(rest)?.[1];
  return {
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(pattern !== undefined ? { pattern } : rest === "" ? {} : { name: rest }),
  };
}

/** Places where most REST APIs have the code of a refusal, for a spec that does not name its own. */
export const usualCodes: readonly string[] = ["code", "error.code", "error.type", "type"];

/** Places where most REST APIs have the text of a refusal, for a spec that does not name its own. */
export const usualMessages: readonly string[] = [
  "message",
  "error.message",
  "error_description",
  "error",
  "err",
  "detail",
  "title",
  "description",
];
