import { readTrouble } from "../../../simulator/hook-trouble.ts";
import { newGrants } from "../grants/issued.ts";
import { HookSender } from "../hooks/send.ts";
import type { Author, User } from "../world/account.ts";
import { createIdentities, type Identities } from "../world/identity.ts";
import type { Language, License, Topic } from "../world/repository.ts";
import type { World } from "../world/world.ts";
import { createRandom, type Random } from "./random.ts";

/** What every part of the seeding shares. */
export interface Seed {
  readonly random: Random;
  readonly identities: Identities;
  readonly world: World;
  readonly languages: Map<string, Language>;
  readonly topics: Map<string, Topic>;
  readonly licenses: Map<string, License>;
}

export function createSeed(seed: number): Seed {
  const identities = createIdentities();
  return {
    random: createRandom(seed),
    identities,
    world: {
      users: [],
      bots: [],
      organizations: [],
      repositories: [],
      renames: new Map(),
      identities,
      grants: newGrants(),
      hooks: [],
      hookSender: new HookSender(readTrouble(process.env)),
      workflowRuns: [],
      notifications: [],
      gists: [],
      codeSearches: new Map(),
    },
    languages: new Map(),
    topics: new Map(),
    licenses: new Map(),
  };
}

const epoch = Date.UTC(2023, 0, 2, 9, 0, 0);

/** The hours of a data set, which each reset makes again. */
const known = new Map<number, string>();

/** A moment so many hours after the first day of the data set, in the platform's form (whole seconds, UTC). */
export function hour(hours: number): string {
  const before = known.get(hours);
  if (before !== undefined) return before;
  const made = instant(epoch + hours * 3_600_000);
  known.set(hours, made);
  return made;
}

export function instant(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** A writer of texts; now and then an account that no longer exists. */
export function someAuthor(seed: Seed): Author {
  if (seed.random.chance(0.04)) return null;
  if (seed.random.chance(0.04)) return seed.random.pick(seed.world.bots);
  return someUser(seed);
}

export function someUser(seed: Seed): User {
  return seed.random.pick(seed.world.users);
}
