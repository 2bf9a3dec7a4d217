import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { initSpec } from "../../generator/init/init.ts";
import { isObject } from "../../runtime/base/is-object.ts";

type Member = Readonly<Record<string, unknown>>;

/** What a finished spec has of the draft from its own description. */
export interface Drafted {
  /** Values of the finished spec. */
  readonly values: number;
  /** Those that the draft has at the same place. */
  readonly kept: number;
  /** The others, each with its place. */
  readonly missed: readonly string[];
  /** Milliseconds of processor time that the draft took. */
  readonly took: number;
}

/** The files of a spec that an author writes: without the platform's description. */
export function specOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml") && !file.startsWith("description"));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/**
 * Drafts a connector from its description, and compares the finished spec with the draft, value by value. The draft is limited to
 * the entities of the finished spec, as an author would limit it: each with the path of its list where the name is ambiguous.
 *
 * @returns undefined where the description is a package's
 */
export async function draftedShare(name: string): Promise<Drafted | undefined> {
  const files = specOf(join("spec", name));
  const spec = mkdtempSync(join(tmpdir(), "tenon-bench-platforms-"));
  const { graphql, rest } = memberOf(parse(files.get("connector.yaml") ?? ""), "platform");
  const file = (api: unknown, key: string) => {
    const path = join("spec", name, String(isObject(api) ? api[key] : ""));
    return isObject(api) && existsSync(path) ? path : undefined;
  };
  try {
    const schema = file(graphql, "schema");
    const openApi = file(rest, "description");
    if (schema === undefined && (openApi === undefined || graphql !== undefined)) return undefined;
    const started = process.cpuUsage();
    await initSpec({ name, ...(schema === undefined ? { openApi } : { graphql: schema }), only: wanted(files), spec });
    const { user, system } = process.cpuUsage(started);
    const drafted = new Set(valuesOf(specOf(join(spec, name))));
    const own = valuesOf(files);
    const missed = own.filter((value) => !drafted.has(value));
    return { values: own.length, kept: own.length - missed.length, missed, took: (user + system) / 1000 };
  } finally {
    rmSync(spec, { recursive: true, force: true });
  }
}

/** The values of `--only` for the entities of a spec: REST entities with the call of their list. */
export function wanted(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    if (file === "connector.yaml") return [];
    const name = file.replace(/\.yaml$/, "");
    const actions = memberOf(parse(text, { merge: true }) as unknown, "actions");
    const [first = ""] = Object.keys(actions);
    const { rest, graphql } = { ...memberOf(actions, first), ...memberOf(actions, "get"), ...memberOf(actions, "list") };
    if (typeof rest === "string") return [`${name}=${rest}`];
    // `issue(id: $issue) { comments(first: 1) { nodes … } }` is the list `issue.comments`.
    const path = /^(.*?) \{ nodes /.exec(String(graphql).replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, ""))?.[1];
    return [path === undefined ? name : `${name}=${path.split(" { ").join(".")}`];
  });
}

/** The leaves of a spec with their places, each entry with what it takes from the shared entry of its name. */
function valuesOf(files: ReadonlyMap<string, string>): string[] {
  const shared: unknown = parse(files.get("connector.yaml") ?? "");
  const spelled = (own: unknown, all: Member) =>
    Object.fromEntries(
      Object.entries(isObject(own) ? own : {}).map(([key, one]) => [key, { ...memberOf(all, key), ...memberOf({ one }, "one") }]),
    );
  return [...files].flatMap(([file, text]) => {
    const { fields, params, doc: _doc, ...entity } = memberOf({ one: parse(text) as unknown }, "one");
    // Shared entries count where they are used.
    if (file === "connector.yaml") return leaves(entity, file);
    const actions = Object.entries(memberOf(entity, "actions")).map(([key, action]) => [
      key,
      {
        ...memberOf({ action }, "action"),
        params: spelled(memberOf({ action }, "action")["params"], memberOf(shared, "params")),
      },
    ]);
    return leaves({ ...entity, fields: spelled(fields, memberOf(shared, "fields")), actions: Object.fromEntries(actions) }, file);
  });
}

function memberOf(value: unknown, key: string): Member {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
}

function leaves(value: unknown, place: string): string[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) => {
      if (["doc", "title", "example"].includes(key)) return [];
      // The values of an enumeration have texts for readers.
      return / enums \w+ values$/.test(place) ? [`${place} ${key}`] : leaves(one, `${place} ${key}`);
    });
  return [`${place} ${JSON.stringify(value)}`];
}
