import { type GraphQLResolveInfo, getNamedType, isObjectType } from "graphql";
import { lookupIn } from "./graphql-filter.ts";
import { invalid, missing } from "./graphql-refusal.ts";
import type { GraphqlFile, Json, PlatformFile, StoredRecord } from "./platform-file.ts";
import type { DescribedWorld } from "./rest-routes.ts";
import { filled } from "./template.ts";

/** Carries out a mutation by its name: `issueCreate`, `issueUpdate`, `issueArchive`, `issueDelete`. Its payload is like a record. */
export function writeRecord(
  file: PlatformFile,
  graphql: GraphqlFile,
  world: DescribedWorld,
  args: Readonly<Record<string, Json>>,
  { fieldName, returnType, schema }: GraphQLResolveInfo,
): StoredRecord {
  const [, noun = "", verb = ""] = /^(\w+?)(Create|Update|Archive|Unarchive|Delete)$/.exec(fieldName) ?? [];
  const type = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const all = world.records[type];
  if (all === undefined) throw new Error(`the simulated platform cannot carry out ${fieldName}`);
  const payload = getNamedType(returnType);
  const member = isObjectType(payload)
    ? Object.values(payload.getFields()).find((field) => getNamedType(field.type).name === type)?.name
    : undefined;
  const done = (record: StoredRecord, id: Json): StoredRecord => ({
    success: true,
    entityId: id,
    ...(member === undefined ? {} : { [member]: record["id"] ?? null }),
  });
  const input = (args["input"] ?? {}) as StoredRecord;
  const fields = schema.getType(type);
  const known = isObjectType(fields) ? Object.keys(fields.getFields()) : [];
  const now = new Date().toISOString();
  if (verb === "Create") {
    const serial = ++world.serial;
    const values = { serial, now, viewer: file.viewer["id"] ?? null };
    const defaults = filled(graphql.defaults?.[type] ?? {}, values) as StoredRecord;
    const record: StoredRecord = {
      __typename: type,
      id: `${noun}-${serial}`,
      createdAt: now,
      updatedAt: now,
      ...defaults,
      ...changes(graphql, world, input, known),
    };
    all.push(record);
    return done(record, record["id"] ?? null);
  }
  const { id = null } = args;
  const found = all.find((one) => one["id"] === id || (graphql.keys ?? []).some((key) => one[key] === id));
  if (found === undefined) throw missing(graphql, type);
  if (verb === "Delete") all.splice(all.indexOf(found), 1);
  else if (verb === "Update") Object.assign(found, changes(graphql, world, input, known), { updatedAt: now });
  else Object.assign(found, { archivedAt: verb === "Archive" ? now : null, updatedAt: now });
  return done(found, id);
}

/** The fields of a record that an input sets. `teamId` sets `team`, `labelIds` sets `labels`; the records that they name must exist. */
function changes(graphql: GraphqlFile, world: DescribedWorld, input: StoredRecord, known: readonly string[]): StoredRecord {
  const find = lookupIn(world);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const base = name.replace(/Ids?$/, "");
      const field = known.includes(name) ? name : name.endsWith("Ids") ? `${base}s` : base;
      if (field === name) return [name, value];
      for (const id of Array.isArray(value) ? value : [value])
        if (id !== null && find(id) === undefined)
          throw invalid(graphql, `Entity not found: ${base} - Could not find referenced ${base}.`);
      return [field, value];
    }),
  );
}
