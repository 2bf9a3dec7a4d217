import type { Credential } from "../../runtime/platform/credential.ts";

/** The credential of a platform that takes one token, as most do. */
export function tokenCredential(token: string): Credential {
  return { kind: "token", values: { token } };
}
