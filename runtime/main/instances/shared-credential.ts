import { createHmac } from "node:crypto";
import { keyedHash } from "../../accounts/index.ts";
import type { ConnectOptions } from "../../execute/index.ts";
import type { Credential } from "../../platform/credential.ts";
import { originOf } from "../../platform/credential-source.ts";
import type { OpenedAccounts } from "../account-store.ts";
import type { TokenStorage } from "./token-vault.ts";

/** The limits that processes share, and the secret keys with which the names of credentials are made. */
export interface LimitsStorage extends TokenStorage {
  readonly store: OpenedAccounts;
}

/**
 * What processes share of the limits of a credential; undefined where they share nothing. They find each other by a keyed hash of the
 * platform's addresses and of the credential. Whoever has the database without the key cannot test guesses of the credential with it.
 *
 * @param apiKey the operator's key, which stands in for a secret key where there is none; empty where there is none either
 */
export function sharedCredential(
  { store, secured }: LimitsStorage,
  apiKey: string,
  { connector, endpoints, credential }: Pick<ConnectOptions, "connector" | "endpoints"> & { readonly credential: Credential },
): ConnectOptions["shared"] {
  const { limits } = store;
  if (limits === undefined) return undefined;
  const { rest = null, graphql = null } = endpoints;
  const text = `limits of ${JSON.stringify([connector.name, rest, graphql, originOf(credential)])}`;
  if (secured !== undefined) return { limits, key: `credential ${keyedHash(secured.keys.current, text)}` };
  if (apiKey === "") return undefined;
  return { limits, key: `credential ${createHmac("sha256", apiKey).update(text).digest("base64url")}` };
}
