import type { Call } from "./task.ts";

/** A mistake that agents make, and the words that an error must have so that the next call is right. */
export interface Mistake {
  readonly name: "wrong name" | "wrong kind of id" | "old cursor" | "missing scope";
  readonly call: Call;
  /** One of each group must be in the error. */
  readonly hints: readonly (readonly string[])[];
}

/** Names that other tools for GitHub have for our entities, and plain slips. */
const otherNames: Readonly<Record<string, string>> = {
  issues: "issue",
  pull_requests: "prs",
  repositories: "repos",
  users: "user",
  comments: "issue_comments",
};
/** What `params` of a call identify, and what agents give instead. */
const scopes = ["repo", "org", "username", "team", "file", "id", "issue", "query", "key"];

/** The four mistakes, as far as a call has room for them. */
export function mistakesIn(call: Call): Mistake[] {
  return [wrongName(call), wrongId(call), oldCursor(call), missingScope(call)].filter((one) => one !== undefined);
}

function wrongName(call: Call): Mistake {
  const entity = otherNames[call.entity] ?? call.entity.replace(/s$/, "");
  if (entity !== call.entity) return { name: "wrong name", call: { ...call, entity }, hints: [[call.entity]] };
  return { name: "wrong name", call: { ...call, entity: `${call.entity}s` }, hints: [[call.entity]] };
}

function wrongId(call: Call): Mistake | undefined {
  const { params } = call;
  const number = Object.entries(params).find(
    ([, value]) => typeof value === "number" && call.kind !== "search" && call.kind !== "semantic",
  );
  if (number !== undefined && /number/.test(number[0])) {
    const [name, value] = number;
    return {
      name: "wrong kind of id",
      call: { ...call, params: { ...params, [name]: `#${value}` } },
      hints: [[name], [String(value), "whole number"]],
    };
  }
  const { owner, repo } = params;
  if (typeof owner !== "string" || typeof repo !== "string") return undefined;
  return { name: "wrong kind of id", call: { ...call, params: { ...params, repo: `${owner}/${repo}` } }, hints: [["repo"]] };
}

function oldCursor(call: Call): Mistake | undefined {
  if (call.kind === "write" || call.action === "get" || Object.hasOwn(call.params, "groupBy")) return undefined;
  return { name: "old cursor", call: { ...call, params: { ...call.params, cursor: "b2xk" } }, hints: [["cursor", "after"]] };
}

function missingScope(call: Call): Mistake | undefined {
  const name = scopes.find((one) => Object.hasOwn(call.params, one));
  if (name === undefined) return undefined;
  const { [name]: _left, ...params } = call.params;
  return { name: "missing scope", call: { ...call, params }, hints: [[name]] };
}
