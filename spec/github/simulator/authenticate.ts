import type { Viewer } from "./access.ts";
import { tokens } from "./tokens.ts";
import { userNamed, type World } from "./world/world.ts";

/** Who makes the request, by its `Authorization` header; undefined: nobody whom the platform knows. */
export function authenticate(header: string | undefined, world: World): Viewer | undefined {
  const given = /^(?:bearer|token)\s+(\S+)$/i.exec(header ?? "")?.[1];
  const token = tokens.find((one) => one.token === given && !one.expired);
  const user = token === undefined ? undefined : userNamed(world, token.login);
  return token === undefined || user === undefined ? undefined : { user, token };
}
