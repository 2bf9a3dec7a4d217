import { type Right, rights, TrustedIssuer } from "../accounts/index.ts";
import { fetchFor } from "../platform/address-rules.ts";
import type { Settings } from "./settings/settings.ts";

/** The other authorization server whose access tokens are accepted; undefined where the settings name none. */
export function issuerOf(settings: Settings): TrustedIssuer | undefined {
  const { oauthIssuer: issuer, oauthJwksUrl: jwksUrl, oauthAudience, oauthScopes, publicUrl, allowPrivateAddresses } = settings;
  if (issuer === "") return undefined;
  const scopes = oauthScopes.flatMap((text): [string, Right][] => {
    const [name = "", wanted] = text.split("=");
    const right = rights.find((one) => one === wanted);
    return right === undefined ? [] : [[name, right]];
  });
  return new TrustedIssuer({
    issuer,
    jwksUrl,
    audiences: oauthAudience.length > 0 ? oauthAudience : [publicUrl, `${publicUrl}/mcp`],
    scopes: new Map(scopes),
    fetch: fetchFor([jwksUrl], allowPrivateAddresses),
  });
}
