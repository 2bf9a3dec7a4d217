import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import express from "express";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** How the issuer answers a request for its keys. */
export type Keys = "good" | "none" | "large" | "broken" | "redirect" | "silent";

/** What a client says of itself, when it registers or in the document that its id is the address of. */
interface ClientMetadata {
  readonly redirect_uris: readonly string[];
}

/** Whether a client may be led back to an address. On this machine, the port may be any: it is free when the user logs in. */
function mayLeadTo(client: ClientMetadata | undefined, given: string): boolean {
  const withoutPort = (address: string) => {
    const url = new URL(address);
    if (["127.0.0.1", "localhost"].includes(url.hostname)) url.port = "";
    return url.href;
  };
  return client?.redirect_uris.some((one) => withoutPort(one) === withoutPort(given)) === true;
}

/**
 * A small authorization server with OAuth 2.1: clients register themselves or have ids with their metadata, and every user agrees at once,
 * but to no scope that writes. Its tokens are for the resource that the client names.
 *
 * @param documents metadata of clients by their ids, which are addresses
 */
export async function startIssuer(documents: Readonly<Record<string, ClientMetadata>> = {}) {
  const clients = new Map(Object.entries(documents));
  let pair = await generateKeyPair("RS256");
  let kid = randomUUID();
  let keys: Keys = "good";
  let requested = 0;
  const codes = new Map<string, URLSearchParams>();
  const app = express();
  app.use(express.json(), express.urlencoded({ extended: false }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

  const sign = (claims: JWTPayload, head: { readonly [name: string]: unknown } = {}, key = pair.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid, ...head }).sign(key);

  app.get("/.well-known/oauth-authorization-server", (_request, response) => {
    response.json({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      client_id_metadata_document_supported: Object.keys(documents).length > 0,
    });
  });
  app.get("/keys", async (_request, response) => {
    requested++;
    const list = { keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: "RS256", use: "sig" }] };
    if (keys === "good") response.json(list);
    else if (keys === "none") response.json({ nothing: true });
    else if (keys === "large") response.json({ ...list, filler: "x".repeat(300 * 1024) });
    else if (keys === "broken") response.status(500).end();
    else if (keys === "redirect") response.redirect(`${url}/elsewhere`);
  });
  app.get("/elsewhere", async (_request, response) => {
    response.json({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: "RS256" }] });
  });
  app.post("/register", (request, response) => {
    const id = randomUUID();
    clients.set(id, request.body);
    response.status(201).json({ ...request.body, client_id: id });
  });
  app.get("/authorize", (request, response) => {
    const { searchParams } = new URL(request.url, url);
    const code = randomUUID();
    const isGood =
      mayLeadTo(clients.get(searchParams.get("client_id") ?? ""), searchParams.get("redirect_uri") ?? url) &&
      searchParams.get("response_type") === "code" &&
      searchParams.get("code_challenge_method") === "S256" &&
      searchParams.has("resource");
    // Nobody is led to an address that the client has not named.
    if (!isGood) {
      response.status(400).json({ error: "invalid_request" });
      return;
    }
    codes.set(code, searchParams);
    const back = new URL(searchParams.get("redirect_uri") ?? url);
    back.searchParams.set("code", code);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    back.searchParams.set("iss", url);
    response.redirect(back.href);
  });
  app.post("/token", async (request, response) => {
    const { code, code_verifier: verifier = "" } = request.body;
    const asked = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const isSame = ["client_id", "redirect_uri", "resource"].every((name) => request.body[name] === asked?.get(name));
    if (asked === undefined || asked.get("code_challenge") !== challenge || !isSame) {
      response.status(400).json({ error: "invalid_grant" });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const scope = (asked.get("scope") ?? "").replace(/ ?tenon:write/, "");
    const token = await sign({
      iss: url,
      aud: asked.get("resource") ?? "",
      sub: "user-1",
      iat: now,
      exp: now + 600,
      scope,
    });
    response.json({ access_token: token, token_type: "Bearer", expires_in: 600, scope });
  });
  return {
    url,
    sign,
    kid: () => kid,
    publicKey: () => pair.publicKey,
    /** How often the keys were requested. */
    requested: () => requested,
    answerKeys: (how: Keys) => {
      keys = how;
    },
    /** Replaces its key by a new one. */
    rotate: async () => {
      pair = await generateKeyPair("RS256");
      kid = randomUUID();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
