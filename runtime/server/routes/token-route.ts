import type { Request, RequestHandler } from "express";
import type { Callers } from "../../accounts/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import { attemptLimits } from "../../base/request-limits.ts";
import type { Answers } from "../answers.ts";
import { AttemptLimit } from "../callers/attempt-limit.ts";
import { networkOfCaller } from "../callers/caller-address.ts";
import type { Strangers } from "../callers/strangers.ts";
import { isOfType } from "../intake/head.ts";
import { traceOf } from "../monitoring/trace.ts";

/** Seconds that an access token lasts where nothing else is said. */
const tokenLifetime = 15 * 60;

/**
 * `POST /api/v1/account/applications/token`: gives a client an access token for its id and its secret (RFC 6749, 4.4). Both stand in the
 * body, which is JSON or a form, or in the header `Authorization: Basic` (RFC 6749, 2.3.1).
 *
 * @param callers absent where no client can be stored; every id is then unknown
 * @param strangers limits secrets that are not accepted, here and on all other routes together
 * @param lifetime seconds that an access token lasts
 */
export function tokenRoute(
  callers: Pick<Callers, "prove" | "issue"> | undefined,
  answers: Answers,
  strangers: Strangers,
  lifetime = tokenLifetime,
): RequestHandler {
  const issued = new AttemptLimit({
    most: attemptLimits.tokens,
    message: `A client gets at most ${attemptLimits.tokens} access tokens a minute.`,
  });
  return async (request, response) => {
    const { id, secret } = credentialsOf(request);
    const network = () => networkOfCaller(request, response);
    const given = typeof secret === "string" ? secret : "";
    strangers.requireLookup(network, given);
    const client = await callers?.prove(id, secret);
    if (client === undefined) {
      strangers.failed(network());
      response.setHeader("WWW-Authenticate", 'Basic realm="tenon", charset="UTF-8"');
      throw new TenonError("unauthorized", "The client id or the client secret is not valid.");
    }
    strangers.accepted(given);
    response.locals["client"] = client.id;
    traceOf(response).deed = "token.issue";
    issued.count(JSON.stringify([client.id, network()]));
    const token = await callers?.issue(client, lifetime);
    answers.sendJson(response, { access_token: token, token_type: "Bearer", expires_in: lifetime });
  };
}

/** The id and the secret, of which nothing is known yet. @throws TenonError `invalid_request` for another grant type */
function credentialsOf(request: Request): { id: unknown; secret: unknown } {
  const body: unknown = request.body;
  const given = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const grantType = Object.hasOwn(given, "grant_type") ? given["grant_type"] : undefined;
  if (
    grantType === undefined ? isOfType(request.headers, "application/x-www-form-urlencoded") : grantType !== "client_credentials"
  )
    throw invalidRequest([
      {
        pointer: "/grant_type",
        code: "not_allowed",
        message: "grant_type must be client_credentials.",
        allowed: ["client_credentials"],
      },
    ]);
  const basic = basicOf(request.headers.authorization ?? "");
  if (basic !== undefined) return basic;
  const own = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined);
  return { id: own("client_id"), secret: own("client_secret") };
}

/** Id and secret of the header, which are form-encoded in it. */
function basicOf(header: string): { id: string; secret: string } | undefined {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [, id = "", secret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return { id: decoded.get("id") ?? "", secret: decoded.get("secret") ?? "" };
}
