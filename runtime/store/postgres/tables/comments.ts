import type { Layout } from "./layout.ts";

// What the tables hold, for whoever looks into the database with other programs.

const shared: Readonly<Record<string, string>> = {
  store_instances: "Connector instances, by the names that the service gives them",
  store_scopes: "What syncs read of an instance, such as a repository",
  store_entities: "The current layout of each entity that has tables; loading: its indexes are being created again",
  store_layouts: "Layouts of entities: one for each version of their specs that was ever started",
  store_changes: "Keys of records that were changed in the current layout and are still to be copied to another one",
  store_users: "Processes, with the layouts that they use, until when",
  store_collections: "Entities of instances; turn: how many transactions have written to one",
  store_counts: "How many records an entity has in a scope, or in the instance (scope 0)",
  store_states: "How far each entity of a scope is synced, and what went wrong",
  store_markers: "How far the children of a record are synced",
  store_schedules: "Which scopes of an instance are synced, and how often",
  store_leases: "Which process syncs what, until when",
  semantic_models: "Models of search by meaning",
  semantic_fields: "Fields that are searched by meaning",
  semantic_texts: "Texts of these fields: a digest, and a version that grows when the text changes",
  semantic_queue: "Texts that wait to be embedded",
  semantic_indexes: "How many passages a field has, and whether all texts are embedded",
  semantic_passages: "Parts of texts, with their vectors",
  semantic_removed: "Passages that were removed a short while ago, for processes that have them in memory",
};

const demand: typeof shared = {
  store_indexes: "Indexes of records that searches have requested, by their names without the version of a layout",
};

const changeLog: typeof shared = {
  store_change_heads: "How far the change log of each instance reaches: its first change, and the next one that will be stored",
  store_change_blocks: "The change log: records that were created, updated or deleted, many in one row",
};

const commentsOn = (tables: typeof shared): readonly string[] =>
  Object.entries(tables).map(([table, text]) => comment(`TABLE ${table}`, text));

/** The statements that describe the tables that all entities share. */
export const sharedComments = commentsOn(shared);
export const changeComments = commentsOn(changeLog);
export const demandComments = commentsOn(demand);

/** The statements that describe the tables of an entity, and the columns of its records. @param name of the entity, as in messages */
export function commentsOf({ records, members, vocabulary, columns, written }: Layout, name: string): string[] {
  const ofFields = [...columns.values()].flatMap(({ field, kind, name: column, folded, words }) => [
    ...(kind === "key" ? [] : [[column, `${field}${kind === "list" ? ": tokens of its values" : ""}`]]),
    ...(folded === undefined ? [] : [[folded, `${field} without case and marks`]]),
    ...(words === undefined ? [] : [[words.name, `${field}: tokens of its words`]]),
  ]);
  const known = new Map([
    ["inst", "The instance, in store_instances"],
    ["k", "The key of the record"],
    ["digest", "Digest of everything that a search returns of the record"],
    ["found", "JSON of the fields that are searched, but for long texts"],
    ["more", "JSON of all other fields"],
    ...ofFields.map(([column = "", text = ""]): [string, string] => [column, text]),
  ]);
  const names = ["inst", "k", ...written.map((column) => column.name)];
  return [
    comment(`TABLE ${records}`, `Records of ${name}`),
    comment(
      `TABLE ${members}`,
      `Where each record of ${name} was found: its scope and parent, and the sync run that saw it last`,
    ),
    comment(`TABLE ${vocabulary}`, `Words in the records of ${name}, by the number of their field`),
    ...names.map((column) => comment(`COLUMN ${records}.${column}`, known.get(column) ?? "")),
  ];
}

function comment(of: string, text: string): string {
  return `COMMENT ON ${of} IS '${text.replaceAll("'", "''")}'`;
}
