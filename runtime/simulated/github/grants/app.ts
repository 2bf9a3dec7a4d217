import { generateKeyPairSync, verify } from "node:crypto";
import { type Answer, json } from "../../../simulator/answer.ts";
import { refuse } from "../refuse.ts";
import type { World } from "../world/world.ts";
import { giveToken } from "./issued.ts";

/** The GitHub App that the simulated platform knows, and where it is installed. */
export const app = {
  id: "4242",
  clientId: "Iv23liSimulated00000",
  clientSecret: "simulated-client-secret-000000000000000",
  installations: [
    { id: "1001", login: "octocat", suspended: false },
    { id: "1002", login: "monalisa", suspended: true },
  ],
} as const;

let made: { readonly publicKey: string; readonly privateKey: string } | undefined;

/** The keys of the app, made when somebody first asks. The private one is in the form in which GitHub gives it out. */
export function appKeys() {
  made ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return made;
}

const permissions = { contents: "read", issues: "write", metadata: "read", pull_requests: "write" } as const;
const docs = "https://docs.github.com/rest/reference/apps#create-an-installation-access-token-for-an-app";

/**
 * `POST /app/installations/{installation_id}/access_tokens`: a token for an installation, for an app that proves itself.
 *
 * @param ahead milliseconds by which the platform's clock is ahead of this machine's
 */
export function installationToken(world: World, id: string, authorization: string | undefined, ahead: number): Answer {
  const problem = jwtProblem(authorization, Math.floor((Date.now() + ahead) / 1000));
  if (problem !== undefined) return problem;
  const installation = app.installations.find((one) => one.id === id);
  if (installation === undefined) return refuse(404, "Not Found", docs);
  if (installation.suspended) return refuse(403, "This installation has been suspended", docs);
  const { lasts, given } = world.grants;
  given.installation++;
  const token = giveToken(world.grants, "ghs", installation.login, lasts.installation);
  // GitHub tells the end in whole seconds.
  const expires = new Date(Math.floor((Date.now() + ahead) / 1000 + lasts.installation) * 1000).toISOString().replace(".000", "");
  return json(201, { token, expires_at: expires, permissions, repository_selection: "all" });
}

/**
 * Why GitHub refuses a JWT, or undefined: it is signed with the app's key (RS256), was issued in the past, and ends within ten minutes.
 *
 * @param now seconds since 1970 by the platform's clock
 */
function jwtProblem(authorization: string | undefined, now: number): Answer | undefined {
  const parts = /^bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/i.exec(authorization ?? "");
  const [, header = "", payload = "", signature = ""] = parts ?? [];
  const undecoded = refuse(401, "A JSON web token could not be decoded");
  if (parts === null || part(header)["alg"] !== "RS256") return undecoded;
  if (!verify("sha256", Buffer.from(`${header}.${payload}`), appKeys().publicKey, Buffer.from(signature, "base64url")))
    return undecoded;
  const { iat, exp, iss } = part(payload);
  if (!Number.isInteger(iat) || Number(iat) > now)
    return refuse(401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
  if (!Number.isInteger(exp) || Number(exp) <= now)
    return refuse(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (Number(exp) > now + 600) return refuse(401, "'Expiration time' claim ('exp') is too far in the future");
  if (String(iss) !== app.id && iss !== app.clientId) return refuse(404, "Integration not found");
  return undefined;
}

function part(encoded: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
