import { seal, unseal } from "./sealed.ts";
import type { SecretKeys } from "./secret-keys.ts";

/** What is remembered of an authorization while the user is on the platform's page. Times are milliseconds since 1970. */
export interface AuthorizationState {
  /** Id of the instance, and its version: after any change of the instance the authorization counts no longer. */
  readonly instance: string;
  readonly version: number;
  /** Who began it. */
  readonly caller: string;
  /** The text of which the platform has the hash (RFC 7636). */
  readonly verifier: string;
  /** Where the user comes back; absent in one of an earlier version. */
  readonly redirectUri?: string;
  readonly until: number;
}

const about = "state of an authorization";

/** The text that the platform gives back with the code (RFC 6749, 10.12). It is encrypted, so that nothing has to be stored. */
export function sealState(keys: SecretKeys, state: AuthorizationState): string {
  return seal(keys, JSON.stringify(state), about);
}

/** @returns undefined when the text did not come from {@link sealState}, or its time is over */
export function openState(keys: SecretKeys, text: string, now: number): AuthorizationState | undefined {
  const opened = unseal(keys, text, about);
  const state = opened === undefined ? undefined : (JSON.parse(opened) as AuthorizationState);
  return state !== undefined && now < state.until ? state : undefined;
}
