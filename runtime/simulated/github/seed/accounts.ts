import type { Organization, User } from "../world/account.ts";
import { hour, type Seed } from "./seed.ts";

type Person = Pick<User, "login"> & Partial<User>;

const people: readonly Person[] = [
  {
    login: "octocat",
    name: "The Octocat",
    email: "octocat@example.com",
    bio: 'Mascot. Likes "quotes" and {braces} 🐙',
    company: "@tenon-labs",
    location: "San Francisco",
    websiteUrl: "https://octocat.example.com",
    pronouns: "they/them",
  },
  { login: "hubot", name: "Hubot", email: "hubot@example.com", bio: "A life embetterment robot." },
  { login: "monalisa", name: "Mona Lisa", email: "", location: "Paris", isHireable: true, twitterUsername: "monalisa" },
  { login: "defunkt", name: "Chris", email: "defunkt@example.com", isSiteAdmin: true },
  { login: "ghost-writer-42", name: null, email: "" },
  { login: "noor-al-din", name: "نور الدين", email: "noor@example.com", bio: "مطوّر برمجيات" },
  { login: "yuki-dev", name: "雪 ✨", email: "yuki@example.com", location: "東京" },
  { login: "sam-o-reilly", name: "Sam O'Reilly", email: "", company: 'Reilly & "Sons"' },
];

export function seedAccounts(seed: Seed): void {
  for (const [index, person] of people.entries()) seed.world.users.push(user(seed, person, hour(-8000 + index * 100)));
  for (const login of ["dependabot", "github-actions"]) {
    const at = hour(-9000);
    seed.world.bots.push({ __typename: "Bot", ...seed.identities.make("Bot"), login, createdAt: at, updatedAt: at });
  }
  for (const [index, follower] of seed.world.users.entries()) {
    for (const other of seed.random.sample(seed.world.users, 1 + (index % 4))) if (other !== follower) follow(follower, other);
  }
}

export function user(seed: Seed, person: Person, createdAt: string): User {
  return {
    __typename: "User",
    ...seed.identities.make("User"),
    name: null,
    email: "",
    bio: null,
    company: null,
    location: null,
    websiteUrl: null,
    twitterUsername: null,
    pronouns: null,
    isHireable: false,
    isSiteAdmin: false,
    createdAt,
    updatedAt: hour(20_000),
    followers: [],
    following: [],
    starred: [],
    ...person,
  };
}

export function organization(seed: Seed, given: Pick<Organization, "login"> & Partial<Organization>): Organization {
  const made: Organization = {
    __typename: "Organization",
    ...seed.identities.make("Organization"),
    name: null,
    description: null,
    email: null,
    location: null,
    websiteUrl: null,
    twitterUsername: null,
    isVerified: false,
    archivedAt: null,
    createdAt: hour(-5000),
    updatedAt: hour(20_000),
    memberships: [],
    basePermission: "READ",
    teams: [],
    projects: [],
    ...given,
  };
  seed.world.organizations.push(made);
  return made;
}

function follow(follower: User, followed: User): void {
  follower.following.push(followed);
  followed.followers.push(follower);
}
