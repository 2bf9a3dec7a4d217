import type { Organization } from "../world/account.ts";
import type { DraftIssue, PlainField, Project, ProjectField, ProjectItem } from "../world/project.ts";
import { organizationNamed, repositoryNamed } from "../world/world.ts";
import { need } from "./organizations.ts";
import { seedValues } from "./project-values.ts";
import { hour, type Seed } from "./seed.ts";

const plainFields: readonly (readonly [string, PlainField["dataType"]])[] = [
  ["Title", "TITLE"],
  ["Assignees", "ASSIGNEES"],
  ["Labels", "LABELS"],
  ["Milestone", "MILESTONE"],
  ["Repository", "REPOSITORY"],
  ["Reviewers", "REVIEWERS"],
  ["Linked pull requests", "LINKED_PULL_REQUESTS"],
  ['Notes "free" text', "TEXT"],
  ["Estimate", "NUMBER"],
  ["Due", "DATE"],
];

export function seedProjects(seed: Seed): void {
  const labs = organizationNamed(seed.world, "tenon-labs");
  const widgets = repositoryNamed(seed.world, "tenon-labs/widgets");
  const hello = repositoryNamed(seed.world, "octocat/hello-world");
  if (labs === undefined || widgets === undefined || hello === undefined)
    throw new Error("the seed has no home for its projects");
  const roadmap = project(seed, labs, { title: "Roadmap {2024} 🗺️", shortDescription: 'What "comes" next', public: true });
  for (const content of [...widgets.issues, ...widgets.pullRequests, ...hello.issues.slice(0, 12)]) item(seed, roadmap, content);
  for (let index = 0; index < 4; index++) item(seed, roadmap, draft(seed, `Draft ${index} 📝`, index));
  const archived = roadmap.items[2];
  if (archived !== undefined) archived.isArchived = true;
  const triage = project(seed, labs, { title: "Triage", shortDescription: null, public: false });
  item(seed, triage, draft(seed, "Only a draft", 0));
  const redacted = item(seed, triage, draft(seed, "", 1));
  redacted.content = null;
  redacted.values = [];
  project(seed, labs, { title: "Done with this", public: true, closed: true, closedAt: hour(5000), readme: "# Old" });
}

function project(seed: Seed, owner: Organization, given: Pick<Project, "title"> & Partial<Project>): Project {
  const createdAt = hour(3000 + owner.projects.length * 100);
  const made: Project = {
    __typename: "ProjectV2",
    ...seed.identities.make("ProjectV2"),
    owner,
    number: owner.projects.length + 1,
    shortDescription: "",
    readme: null,
    public: false,
    closed: false,
    closedAt: null,
    template: false,
    creator: need(seed, "octocat"),
    fields: [],
    items: [],
    createdAt,
    updatedAt: createdAt,
    ...given,
  };
  owner.projects.push(made);
  made.fields.push(...fields(seed, made));
  return made;
}

function fields(seed: Seed, project: Project): ProjectField[] {
  const base = () => ({
    ...seed.identities.make("ProjectV2Field"),
    project,
    createdAt: project.createdAt,
    updatedAt: project.createdAt,
  });
  const plain = plainFields.map(
    ([name, dataType]): ProjectField => ({ __typename: "ProjectV2Field", ...base(), name, dataType }),
  );
  return [
    ...plain.slice(0, 2),
    {
      __typename: "ProjectV2SingleSelectField",
      ...base(),
      name: "Status",
      dataType: "SINGLE_SELECT",
      options: [
        { id: "f75ad846", name: "Todo", color: "GRAY", description: "" },
        { id: "47fc9ee4", name: "In progress", color: "YELLOW", description: "Somebody's on it" },
        { id: "98236657", name: "Done ✅", color: "GREEN", description: "" },
      ],
    },
    ...plain.slice(2),
    {
      __typename: "ProjectV2IterationField",
      ...base(),
      name: "Sprint",
      dataType: "ITERATION",
      iterations: [
        { id: "cfc16e4d", title: "Sprint 1", startDate: "2024-01-01", duration: 14 },
        { id: "a1b2c3d4", title: "Sprint 2", startDate: "2024-01-15", duration: 14 },
      ],
    },
  ];
}

function draft(seed: Seed, title: string, index: number): DraftIssue {
  const createdAt = hour(3500 + index);
  const { id } = seed.identities.make("DraftIssue");
  const assignees = index % 2 === 0 ? [need(seed, "monalisa")] : [];
  const creator = index === 3 ? null : need(seed, "octocat");
  return {
    __typename: "DraftIssue",
    id,
    title,
    body: index === 0 ? "" : "A thought.",
    creator,
    assignees,
    item: null,
    createdAt,
    updatedAt: createdAt,
  };
}

function item(seed: Seed, project: Project, content: NonNullable<ProjectItem["content"]>): ProjectItem {
  const createdAt = hour(3600 + project.items.length);
  const made: ProjectItem = {
    __typename: "ProjectV2Item",
    ...seed.identities.make("ProjectV2Item"),
    project,
    content,
    creator: need(seed, "octocat"),
    isArchived: false,
    values: [],
    createdAt,
    updatedAt: createdAt,
  };
  project.items.push(made);
  if (content.__typename === "DraftIssue") content.item = made;
  else content.projectItems.push(made);
  seedValues(seed, made);
  return made;
}
