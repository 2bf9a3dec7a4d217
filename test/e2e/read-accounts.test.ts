import type { Organization } from "../../runtime/simulated/github/world/account.ts";
import { organizationRecord, teamRecord, userRecord } from "./records/organization.ts";
import { itemRecord, projectRecord } from "./records/project.ts";
import type { Facts, GetCase, ListCase } from "./support/case.ts";
import { checkGets } from "./support/check-get.ts";
import { checkLists } from "./support/check-list.ts";
import { useTenon } from "./support/service.ts";
import { found, organization, sorted, user } from "./support/world.ts";

// Organizations, people, teams and projects.

const running = useTenon();

const labs = ({ world }: Facts) => organization(world, "tenon-labs");
const asOrganization = (one: Organization, { world, viewer }: Facts, member: string | null = null) =>
  organizationRecord(one, world, viewer, member);
const asUser = (login: string) => (facts: Facts) => userRecord(user(facts.world, login), facts.world, facts.viewer);
const project = (facts: Facts, number: number) => found(labs(facts).projects.find((one) => one.number === number));
const members = (login: string, all: boolean) => (facts: Facts) =>
  organization(facts.world, login)
    .memberships.filter((one) => all || one.public)
    .map((one) => userRecord(one.user, facts.world, facts.viewer, login));

const lists: readonly ListCase[] = [
  {
    entity: "organizations",
    params: { username: "octocat" },
    expected: (facts) =>
      ["tenon-labs", "Paper-Guild"].map((login) => asOrganization(organization(facts.world, login), facts, "octocat")),
  },
  { entity: "users", params: { org: "tenon-labs" }, expected: members("tenon-labs", true) },
  // octocat does not belong to it and sees public members only.
  { entity: "users", note: "for an outsider", params: { org: "quiet-org" }, expected: members("quiet-org", false) },
  {
    entity: "teams",
    params: { org: "tenon-labs" },
    expected: (facts) => sorted(labs(facts).teams, (one) => one.name.toLowerCase(), "ASC").map(teamRecord),
  },
  { entity: "projects", params: { org: "tenon-labs" }, expected: (facts) => labs(facts).projects.map(projectRecord) },
  ...[1, 2].map(
    (number): ListCase => ({
      entity: "project_items",
      note: `of project ${number}`,
      params: { org: "tenon-labs", project_number: number },
      expected: (facts) => project(facts, number).items.map(itemRecord),
    }),
  ),
];

const gets: readonly GetCase[] = [
  { entity: "organizations", params: { org: "tenon-labs" }, expected: (facts) => asOrganization(labs(facts), facts) },
  {
    entity: "organizations",
    note: "in another case of letters",
    params: { org: "QUIET-ORG" },
    expected: (facts) => asOrganization(organization(facts.world, "quiet-org"), facts),
  },
  ...["octocat", "ghost-writer-42", "sam-o-reilly", "noor-al-din"].map(
    (login): GetCase => ({ entity: "users", note: login, params: { username: login }, expected: asUser(login) }),
  ),
  { entity: "viewer", params: {}, expected: asUser("octocat") },
  ...["platform", "storage", "security-response"].map(
    (slug): GetCase => ({
      entity: "teams",
      note: slug,
      params: { org: "tenon-labs", team_slug: slug },
      expected: (facts) => teamRecord(found(labs(facts).teams.find((one) => one.slug === slug))),
    }),
  ),
  ...[1, 2, 3].map(
    (number): GetCase => ({
      entity: "projects",
      note: `${number}`,
      params: { org: "tenon-labs", project_number: number },
      expected: (facts) => projectRecord(project(facts, number)),
    }),
  ),
];

checkLists(running, lists);
checkGets(running, gets);
