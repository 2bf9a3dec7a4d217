import type { World } from "../world/world.ts";
import { seedAccounts } from "./accounts.ts";
import { seedActivity } from "./activity.ts";
import { seedHooks } from "./hooks.ts";
import { seedMainRepository } from "./main-repository.ts";
import { seedOrganizations } from "./organizations.ts";
import { seedOtherRepositories } from "./other-repositories.ts";
import { seedProjects } from "./projects.ts";
import { seedRealRepository } from "./real-repository.ts";
import { createSeed } from "./seed.ts";

const defaultSeed = 42;

/** The whole data set. The same number gives the same world. */
export function seedWorld(seed = defaultSeed): World {
  const made = createSeed(seed);
  seedAccounts(made);
  seedOrganizations(made);
  seedMainRepository(made);
  seedOtherRepositories(made);
  seedProjects(made);
  seedRealRepository(made);
  seedHooks(made);
  seedActivity(made);
  return made.world;
}
