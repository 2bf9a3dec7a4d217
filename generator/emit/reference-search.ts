import { columnType, type SearchField, type SearchIndex } from "../../runtime/contract/index.ts";
import type { EntityModel, SyncModel } from "../model/types.ts";
import { tableText } from "../print/doc.ts";
import { markdownTable, shortTable } from "../print/markdown.ts";

const foundBy: Readonly<Record<SearchIndex, string>> = {
  exact: "value",
  name: "value, words, parts",
  text: "words, parts",
};

/** What an entity's page says of its records in the cache. */
export function searchView(entity: EntityModel) {
  const { store } = entity;
  return {
    key: store.key.map((path) => `\`${path}\``).join(", "),
    fields: fieldTable(entity),
    request: exampleSearch(entity),
    table: entity.name,
    joins: joinTable(entity),
    sync: entity.sync.map((one) => syncView(one, entity)),
  };
}

function joinTable({ relations }: EntityModel): string {
  const rows = relations.map(({ table, on }) => [`[\`${table}\`](${table}.md)`, `\`${on}\``]);
  return rows.length === 0 ? "" : markdownTable(["joins with", "on"], rows);
}

function fieldTable({ store, record }: EntityModel): string {
  const semantic = new Set(record.fields.flatMap(({ name, semantic }) => (semantic === undefined ? [] : [name])));
  const rows = Object.entries(store.fields).map(([name, field]) => [
    `\`${name}\``,
    typeText(field),
    `\`${columnType(field)}\``,
    field.nullable === undefined ? "" : "yes",
    semantic.has(name) ? "yes" : "",
    foundBy[field.index],
  ]);
  return shortTable(["field", "compared as", "in SQL", "may be null", "by meaning", "found by"], rows);
}

function typeText({ type, values, list }: SearchField): string {
  const text = values === undefined ? type : values.map((value) => `\`${value}\``).join(", ");
  if (list === undefined) return text;
  return list.by === undefined ? `list of ${text}` : `list, by ${list.by.map((path) => `\`${path}\``).join(" or ")}: ${text}`;
}

/** A search that asks for one value and puts the latest first. */
function exampleSearch(entity: EntityModel): string {
  const filtered = exampleFilter(entity);
  const sort = exampleSort(entity, filtered?.name);
  const query = {
    ...(filtered === undefined ? {} : { filter: { eq: { [filtered.name]: filtered.value } } }),
    ...(sort === undefined ? {} : { sort: [sort] }),
  };
  return JSON.stringify({ entity: entity.name, action: "context_store_search", params: { query, limit: 2 } }, null, 2);
}

interface Example {
  readonly name: string;
  readonly value: unknown;
  readonly rank: number;
}

/**
 * A field and a value that some records will probably have. A field that is never null is best. An entity that shares the record
 * of another may have no record with the other's examples, so a boolean is best for it.
 */
function exampleFilter({ record, like }: EntityModel): Example | undefined {
  const examples = record.fields.flatMap(({ name, search, example }): Example | readonly [] => {
    if (search === undefined || search.index === "text") return [];
    if (like !== undefined && search.type === "boolean" && !search.nullable) return { name, value: false, rank: 0 };
    const value = example ?? search.values?.[0];
    return value === undefined ? [] : { name, value, rank: search.nullable ? 2 : 1 };
  });
  return examples.sort((a, b) => a.rank - b.rank)[0];
}

function exampleSort({ store, sync }: EntityModel, filtered: string | undefined): Record<string, string> | undefined {
  const fields = Object.entries(store.fields);
  const cursor = sync.find((one) => one.cursor !== undefined)?.cursor?.field;
  const newest = cursor ?? fields.findLast(([, { type, list }]) => type === "timestamp" && list === undefined)?.[0];
  if (newest !== undefined) return { [newest]: "desc" };
  const first = fields.find(([name, { index, list }]) => index !== "text" && list === undefined && name !== filtered);
  return first === undefined ? undefined : { [first[0]]: "asc" };
}

function syncView({ scope, action, cursor, each }: SyncModel, entity: EntityModel) {
  const doc = entity.syncAction?.doc;
  return {
    scope,
    action: action === "sync" && doc !== undefined ? tableText(doc) : `[\`${action}\`](#${action})`,
    records: each === undefined ? "" : eachText(each, entity),
    limit: [
      cursor === undefined ? "" : `until \`${cursor.field}\` is older than the last sync`,
      each?.changed === undefined ? "" : `unless \`${each.changed}\` is as at the last sync`,
    ]
      .filter((text) => text !== "")
      .join("; "),
  };
}

function eachText(each: NonNullable<SyncModel["each"]>, entity: EntityModel): string {
  const link = each.entity === entity.name ? `the \`${each.entity}\` found` : `[\`${each.entity}\`](${each.entity}.md)`;
  const conditions = [
    ...Object.entries(each.where ?? {}).map(([name, value]) => `\`${name}\` is \`${value}\``),
    ...Object.entries(each.unless ?? {}).map(([name, value]) => `\`${name}\` is not \`${value}\``),
    ...Object.entries(each.atMost ?? {}).map(([name, value]) => `\`${name}\` is at most ${value}`),
    ...(each.paths === undefined ? [] : [pathText(each.paths)]),
  ];
  return `${link}${conditions.length === 0 ? "" : ` whose ${conditions.join(", ")}`}`;
}

function pathText({
  field,
  include,
  exclude,
}: {
  field: string;
  include: readonly string[];
  exclude: readonly string[];
}): string {
  const patterns = (all: readonly string[]) => all.map((one) => `\`${one}\``).join(", ");
  const name = `\`${field}\` fits ${patterns(include)}`;
  return tableText(exclude.length === 0 ? name : `${name} but not ${patterns(exclude)}`);
}
