import { accessTokenPattern, secretTextPattern } from "../accounts/index.ts";
import { type GrowingRedactor, growingRedactor } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import { apiKeyPattern } from "../server/callers/api-key.ts";
import { secretKeysOf } from "./accounts.ts";
import { partsOf } from "./instances/instance-credential.ts";
import { databaseSecrets } from "./settings/database-secrets.ts";
import type { Settings } from "./settings/settings.ts";
import { secretsByInstance } from "./webhook-secrets.ts";

/** Removes from texts every secret of the settings, and whatever has the form of a key, a token or a platform's secret. */
export function redactionOf(settings: Settings, connectors: readonly Connector[]): GrowingRedactor {
  const credentials = Object.values(settings.platforms).flatMap(({ credential, shared = {} }) =>
    [credential?.values ?? {}, ...Object.values(shared)].flatMap((values) => Object.values(values).flatMap(partsOf)),
  );
  const { apiKey, embeddingsKey, compatClientSecret, webhookSecrets } = settings;
  return growingRedactor(
    [apiKeyPattern, secretTextPattern, accessTokenPattern, ...connectors.flatMap(({ platform }) => platform.auth.secrets)],
    [
      apiKey,
      embeddingsKey,
      compatClientSecret,
      ...databaseSecrets(settings),
      ...secretKeysOf(settings),
      ...credentials,
      ...[...secretsByInstance(webhookSecrets).values()].flat(),
    ],
  );
}
