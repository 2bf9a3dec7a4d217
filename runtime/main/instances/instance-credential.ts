import type { GrowingRedactor } from "../../base/redact.ts";
import type { Connector } from "../../contract/index.ts";
import type { Credential } from "../../platform/credential.ts";
import { type CredentialSource, credentialSource } from "../../platform/credential-source.ts";
import type { TokenVault } from "../../platform/tokens.ts";

interface InstanceCredential {
  readonly id: string;
  readonly connector: Connector;
  readonly credential: Credential;
  readonly endpoints: Parameters<typeof credentialSource>[1]["endpoints"];
  readonly vault: TokenVault;
  readonly userAgent: string;
  readonly redactor: GrowingRedactor;
  readonly fetch?: typeof globalThis.fetch;
}

/** The source of the credential of an instance. Its values and its tokens are removed from all texts from now on. */
export function sourceOf(instance: InstanceCredential): CredentialSource {
  const { id, connector, credential, endpoints, vault, userAgent, redactor, fetch } = instance;
  const { auth } = connector.platform;
  // What a pattern of the spec matches is removed from all texts anyway.
  const patterns = auth.secrets.map((pattern) => new RegExp(`^(?:${pattern})$`));
  const unknown = (values: readonly string[]) => values.filter((value) => !patterns.some((pattern) => pattern.test(value)));
  for (const value of unknown(Object.values(credential.values).flatMap(partsOf))) redactor.add(value);
  return credentialSource(credential, {
    id,
    plan: connector.platform,
    endpoints,
    vault,
    userAgent,
    redact: redactor.redact,
    ...(fetch === undefined ? {} : { fetch }),
    onTokens: ({ token, refreshToken = "" }) => redactor.hold(id, unknown([token, refreshToken])),
  });
}

/** The parts of a value that must not be seen, even alone: each line of a private key, and the whole. */
export function partsOf(value: string): string[] {
  const lines = value.split(/\r?\n|\\n/).filter((line) => line.length >= 20 && !line.startsWith("-----"));
  return lines.length > 1 ? [value, ...lines] : [value];
}
