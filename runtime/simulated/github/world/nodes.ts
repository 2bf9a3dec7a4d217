import { canRead, canSeeProject, canSeeTeam, type Viewer } from "../access.ts";
import type { Project } from "./project.ts";
import type { Repository } from "./repository.ts";
import type { World } from "./world.ts";

interface Node {
  readonly __typename: string;
  readonly id: string;
}

/** Every record with a global id that the viewer may see. CopiedPage, not indexed: tests change the world as they like. */
export function* visibleNodes(world: World, viewer: Viewer): Generator<Node> {
  yield* world.users;
  yield* world.bots;
  yield* world.organizations;
  for (const organization of world.organizations) {
    yield* organization.teams.filter((team) => canSeeTeam(viewer, team));
    for (const project of organization.projects) if (canSeeProject(viewer, project)) yield* projectNodes(project);
  }
  for (const repository of world.repositories) if (canRead(viewer, repository)) yield* repositoryNodes(repository, viewer);
}

function* repositoryNodes(repository: Repository, viewer: Viewer): Generator<Node> {
  yield repository;
  yield* repository.labels;
  yield* repository.milestones;
  yield* repository.refs;
  yield* repository.topics;
  for (const release of repository.releases) yield* [release, ...release.assets];
  for (const issue of repository.issues) yield* [issue, ...issue.comments];
  for (const pullRequest of repository.pullRequests) {
    yield* [pullRequest, ...pullRequest.comments, ...pullRequest.reviewThreads];
    yield* pullRequest.reviews.filter((review) => review.state !== "PENDING" || review.author === viewer.user);
    for (const thread of pullRequest.reviewThreads) yield* thread.comments;
  }
  yield* repository.discussionCategories;
  for (const discussion of repository.discussions) {
    yield discussion;
    for (const comment of discussion.comments) yield* [comment, ...comment.replies];
  }
  yield* repository.objects.values();
}

function* projectNodes(project: Project): Generator<Node> {
  yield project;
  yield* project.fields;
  for (const item of project.items) {
    yield item;
    if (item.content?.__typename === "DraftIssue") yield item.content;
    for (const value of item.values) if ("id" in value) yield value;
  }
}

export function findNode(world: World, viewer: Viewer, id: string): Node | undefined {
  for (const node of visibleNodes(world, viewer)) if (node.id === id) return node;
  return undefined;
}
