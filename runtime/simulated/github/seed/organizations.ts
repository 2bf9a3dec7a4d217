import type { Organization, Team, User } from "../world/account.ts";
import { userNamed, type World } from "../world/world.ts";
import { organization } from "./accounts.ts";
import { hour, type Seed } from "./seed.ts";

export function seedOrganizations(seed: Seed): void {
  const labs = organization(seed, {
    login: "tenon-labs",
    name: "Tenon Labs",
    description: 'Joints that fit. {curly} "quoted" 🪵',
    email: "hello@tenon-labs.example.com",
    location: "Utrecht",
    websiteUrl: "https://tenon-labs.example.com",
    isVerified: true,
  });
  member(seed, labs, "octocat", "ADMIN", true);
  member(seed, labs, "monalisa", "MEMBER", true);
  member(seed, labs, "noor-al-din", "MEMBER", false);
  member(seed, labs, "yuki-dev", "MEMBER", false);

  const quiet = organization(seed, { login: "quiet-org" });
  member(seed, quiet, "monalisa", "ADMIN", true);
  member(seed, quiet, "defunkt", "MEMBER", false);

  const guild = organization(seed, { login: "Paper-Guild", name: "The Paper Guild", description: "" });
  member(seed, guild, "octocat", "MEMBER", false);
  member(seed, guild, "hubot", "ADMIN", true);

  const platform = team(seed, labs, {
    slug: "platform",
    name: "Platform 🚂",
    description: "Keeps it running.",
    privacy: "VISIBLE",
  });
  platform.members.push({ user: need(seed, "octocat"), role: "MAINTAINER" }, { user: need(seed, "monalisa"), role: "MEMBER" });
  const storage = team(seed, labs, {
    slug: "storage",
    name: "Storage",
    description: null,
    privacy: "VISIBLE",
    parentTeam: platform,
  });
  storage.members.push({ user: need(seed, "noor-al-din"), role: "MEMBER" });
  const secret = team(seed, labs, {
    slug: "security-response",
    name: "Security response",
    description: "Not listed.",
    privacy: "SECRET",
  });
  secret.members.push({ user: need(seed, "yuki-dev"), role: "MAINTAINER" });
  team(seed, labs, { slug: "nobody-yet", name: "Nobody yet", description: "", privacy: "VISIBLE" });
}

function member(seed: Seed, to: Organization, login: string, role: "ADMIN" | "MEMBER", isPublic: boolean): void {
  to.memberships.push({ user: need(seed, login), role, public: isPublic });
}

function team(
  seed: Seed,
  owner: Organization,
  given: Pick<Team, "slug" | "name" | "description" | "privacy"> & Partial<Team>,
): Team {
  const made: Team = {
    __typename: "Team",
    ...seed.identities.make("Team"),
    organization: owner,
    notificationSetting: "NOTIFICATIONS_ENABLED",
    parentTeam: null,
    members: [],
    repositories: [],
    createdAt: hour(-4000),
    updatedAt: hour(1000),
    ...given,
  };
  owner.teams.push(made);
  return made;
}

export function need(seed: { readonly world: World }, login: string): User {
  const found = userNamed(seed.world, login);
  if (found === undefined) throw new Error(`the seed has no user ${login}`);
  return found;
}
