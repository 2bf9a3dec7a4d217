import type { Answer } from "../../../simulator/answer.ts";
import type { ReceivedRequest } from "../../../simulator/request.ts";
import type { Aside } from "../../../simulator/simulated-platform.ts";
import type { World } from "../world/world.ts";
import { installationToken } from "./app.ts";
import { authorizePage, userTokens } from "./oauth.ts";

/** Answers requests for tokens, which have no token of a user; undefined for all others. */
export function grantAnswer(
  { method, path, headers, text }: ReceivedRequest,
  { world, ahead }: Aside<World>,
): Answer | undefined {
  const [place = "", query = ""] = path.split("?");
  const route = `${method} ${place}`;
  const installation = /^POST \/app\/installations\/(\d+)\/access_tokens$/.exec(route)?.[1];
  if (installation !== undefined && (headers["user-agent"] ?? "") !== "")
    return installationToken(world, installation, headers["authorization"], ahead);
  if (route === "GET /login/oauth/authorize") return authorizePage(world, new URLSearchParams(query));
  if (route === "POST /login/oauth/access_token") return userTokens(world, new URLSearchParams(text), headers["accept"] ?? "");
  return undefined;
}
