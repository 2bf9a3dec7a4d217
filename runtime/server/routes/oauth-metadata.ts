import type { Request, RequestHandler, Response } from "express";
import type { TrustedIssuer } from "../../accounts/index.ts";
import { isIssued } from "../callers/bearer.ts";
import { send } from "../headers.ts";
import type { ScopeChallenge } from "../problem.ts";

export const resourceMetadataPath = "/.well-known/oauth-protected-resource";
export const issuerMetadataPath = "/.well-known/oauth-authorization-server";

export interface OAuthPlace {
  /** Where clients reach the service; empty where the settings do not say it. */
  readonly publicUrl: string;
  /** Another issuer whose tokens are accepted. */
  readonly issuer?: Pick<TrustedIssuer, "issuer" | "scopes"> | undefined;
  /** The path at which clients of the service itself get tokens; undefined where it can have no clients. */
  readonly tokenPath: string | undefined;
}

/** Where the client reaches the service, without a slash at the end: by the settings, or as the client has named it. */
function baseOf({ protocol, host }: Request, publicUrl: string): string | undefined {
  if (publicUrl !== "") return publicUrl;
  const url = `${protocol}://${host ?? ""}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The address of the metadata of the resource that a request is for: the tools of MCP, or the service as a whole. */
export function metadataUrl({ publicUrl }: OAuthPlace): (request: Request) => string | undefined {
  return (request) => {
    const base = baseOf(request, publicUrl);
    return base === undefined ? undefined : `${base}${resourceMetadataPath}${request.path === "/mcp" ? "/mcp" : ""}`;
  };
}

/** `GET /.well-known/oauth-protected-resource`: tells a client from whom it gets tokens for this service (RFC 9728). */
export function resourceMetadataRoute({ publicUrl, issuer, tokenPath }: OAuthPlace): RequestHandler {
  return (request, response) => {
    const base = baseOf(request, publicUrl) ?? "";
    const resource = request.path.endsWith("/mcp") ? `${base}/mcp` : base;
    sendMetadata(response, {
      resource,
      authorization_servers: [...(issuer === undefined ? [] : [issuer.issuer]), ...(tokenPath === undefined ? [] : [base])],
      ...(issuer === undefined ? {} : { scopes_supported: issuer.scopes }),
      bearer_methods_supported: ["header"],
      resource_name: "Tenon",
    });
  };
}

/** `GET /.well-known/oauth-authorization-server`: describes the endpoint at which clients of the service get tokens (RFC 8414). */
export function issuerMetadataRoute({ publicUrl, tokenPath }: OAuthPlace): RequestHandler {
  return (request, response, next) => {
    if (tokenPath === undefined) return next();
    const base = baseOf(request, publicUrl) ?? "";
    sendMetadata(response, {
      issuer: base,
      token_endpoint: `${base}${tokenPath}`,
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      grant_types_supported: ["client_credentials"],
      response_types_supported: [],
    });
  };
}

/**
 * Tells a client whose token lacks a right which scopes there are, so that it can ask its user for more (RFC 6750, 3.1). Tokens of another
 * issuer are limited by their scopes alone.
 */
export function scopeChallenge(place: OAuthPlace): ScopeChallenge {
  const metadata = metadataUrl(place);
  return (response) =>
    place.issuer === undefined || !isIssued(response)
      ? undefined
      : `Bearer realm="tenon", error="insufficient_scope", scope="${place.issuer.scopes.join(" ")}", resource_metadata="${metadata(response.req)}"`;
}

function sendMetadata(response: Response, metadata: object): void {
  send(response, "application/json", JSON.stringify(metadata));
}
