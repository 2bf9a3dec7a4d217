import { createHmac } from "node:crypto";
import type { ReceivedRequest } from "../request.ts";
import type { Json, PlatformFile } from "./platform-file.ts";
import { valueAt } from "./template.ts";

/**
 * Whether a request has the credential in one of the places that the description names.
 *
 * @param description the OpenAPI description
 */
export function isSigned(description: Json, { headers, path }: ReceivedRequest, token: string): boolean {
  const schemes = valueAt(description, ["components", "securitySchemes"]);
  const query = new URLSearchParams(path.split("?")[1] ?? "");
  const all = typeof schemes === "object" && schemes !== null ? Object.values(schemes as object) : [];
  return all.some((scheme: unknown) => {
    const { type, name = "", in: place, scheme: kind } = scheme as Readonly<Record<string, string>>;
    if (type === "apiKey") {
      const sent = place === "query" ? query.get(name) : headers[name.toLowerCase()];
      // In `Authorization`, some platforms want words before the key: `Token token=…`.
      return sent === token || (name.toLowerCase() === "authorization" && sent?.split(/[\s=]+/).at(-1) === token);
    }
    const given = headers["authorization"] ?? "";
    if (kind?.toLowerCase() === "basic") {
      const [user, ...password] = Buffer.from(/^Basic (\S+)$/i.exec(given)?.[1] ?? "", "base64")
        .toString()
        .split(":");
      return user === token || password.join(":") === token;
    }
    return given.replace(/^Bearer /i, "") === token && /^Bearer /i.test(given);
  });
}

/** Seconds that a signature is good for. */
const signatureAge = 300;

/** Whether a request is signed as the platform wants it, where it wants that. */
export function hasSignature(
  { signature, token }: PlatformFile,
  { method, path, headers, text, bytes, at }: ReceivedRequest,
): boolean {
  if (signature === undefined) return true;
  const timestamp = headers[signature.timestamp.toLowerCase()] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(at / 1000 - Number(timestamp)) > signatureAge) return false;
  const hmac = createHmac(signature.algorithm, token);
  for (const [index, part] of signature.of.split(/\{(\w+)\}/).entries())
    hmac.update(index % 2 === 0 ? part : part === "body" ? (bytes ?? text) : ({ method, path, timestamp }[part] ?? ""));
  return headers[signature.header.toLowerCase()] === hmac.digest(signature.encoding);
}
