import type { Organization, User } from "../../../runtime/simulated/github/world/account.ts";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";
import { organizationNamed, repositoryNamed, userNamed, type World } from "../../../runtime/simulated/github/world/world.ts";

// Lookups in the platform's data that must succeed.

export function found<T>(value: T | null | undefined, what = "something"): T {
  if (value === null || value === undefined) throw new Error(`the platform's data has no ${what}`);
  return value;
}

export const repository = (world: World, name: string): Repository => found(repositoryNamed(world, name), name);
export const hello = (world: World) => repository(world, "octocat/hello-world");
export const user = (world: World, login: string): User => found(userNamed(world, login), login);
export const organization = (world: World, login: string): Organization => found(organizationNamed(world, login), login);

/** A sorted copy: by a key, null last; equal keys keep their order. */
export function sorted<T>(items: readonly T[], key: (item: T) => string | number | null, direction: "ASC" | "DESC"): T[] {
  const sign = direction === "ASC" ? 1 : -1;
  return [...items].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === right) return 0;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -sign : sign;
  });
}
