import { refusal } from "../../../simulator/graphql/refusal.ts";
import { canRead, type Viewer } from "../access.ts";
import type { World } from "../world/world.ts";
import { matches, type Searched } from "./match.ts";
import { parseQuery, qualifiers } from "./query.ts";

export type SearchType = "DISCUSSION" | "ISSUE" | "REPOSITORY" | "USER";

const longest = 256;

/** What the platform's search finds for this viewer, in one fixed order (`sort:` by creation and update is honoured). */
export function searchWorld(world: World, viewer: Viewer, type: SearchType, query: string): Searched[] {
  const condition = parseQuery(query);
  const words = query.replaceAll(/\S+:("[^"]*"|\S+)/g, "").trim();
  if (words.length > longest) throw refusal("UNPROCESSABLE", "The search is longer than 256 characters.");
  const places = qualifiers(condition, "in").flatMap((value) => value.split(","));
  // Forks are left out of a search for repositories unless it asks for them.
  const forks = qualifiers(condition, "fork").length > 0;
  const found = candidates(world, viewer, type).filter(
    (record) => matches(record, condition, places) && (forks || record.__typename !== "Repository" || record.parent === null),
  );
  return sorted(found, qualifiers(condition, "sort")[0]);
}

function candidates(world: World, viewer: Viewer, type: SearchType): Searched[] {
  if (type === "USER") return [...world.users, ...world.organizations];
  const repositories = world.repositories.filter((repository) => canRead(viewer, repository));
  switch (type) {
    case "REPOSITORY":
      return repositories;
    case "ISSUE":
      return repositories.flatMap((repository) =>
        [...repository.issues, ...repository.pullRequests].sort((a, b) => b.number - a.number),
      );
    case "DISCUSSION":
      return repositories.flatMap((repository) => repository.discussions);
  }
}

function sorted(found: Searched[], sort: string | undefined): Searched[] {
  const [field, direction = "desc"] = (sort ?? "").split("-");
  const key = field === "created" ? "createdAt" : field === "updated" ? "updatedAt" : undefined;
  if (key === undefined) return found;
  const sign = direction === "asc" ? 1 : -1;
  return [...found].sort((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : 0));
}
