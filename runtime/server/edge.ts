import cors from "cors";
import type { Express } from "express";

/** How the service meets browsers and proxies. */
export interface Edge {
  /** Origins of web pages that may call the service; none of others may. */
  readonly origins: readonly string[];
  /** Names by which pages of this service are reached, besides those of the machine itself; absent where any name is. */
  readonly hosts?: readonly string[] | undefined;
  /** Addresses and networks of proxies, whose `X-Forwarded-*` headers count. */
  readonly proxies: readonly string[];
}

/** Headers of answers that web pages may read besides the few that they always may (Fetch standard, CORS protocol). */
const exposed = [
  "ETag",
  "Idempotent-Replayed",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
];

/**
 * Sets up what is at the edge of the service. Without origins no answer has a CORS header, and without proxies their headers say nothing.
 */
export function meetEdge(app: Express, { origins, proxies }: Edge): void {
  if (proxies.length > 0) {
    app.set("trust proxy", [...proxies]);
    app.use((request, response, next) => {
      // Only what came over TLS to the proxy may demand TLS (RFC 6797, 7.2).
      if (request.secure) response.setHeader("Strict-Transport-Security", "max-age=31536000");
      next();
    });
  }
  if (origins.length === 0) return;
  const allowed = cors({
    origin: [...origins],
    exposedHeaders: exposed,
    methods: ["GET", "POST", "PATCH", "DELETE"],
    maxAge: 600,
  });
  app.use((request, response, next) => {
    response.vary("Origin");
    // The answer to a preflight of another origin would say nothing: it goes on like any other request.
    if (origins.includes(request.headers.origin ?? "")) allowed(request, response, next);
    else next();
  });
}
