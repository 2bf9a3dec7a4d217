import type { CollectionIds } from "../../works/ledger.ts";
import type { Memberships } from "../../works/sync-runs.ts";
import type { Gone } from "../rows/members.ts";
import type { EntityWriter } from "./entity-writer.ts";

/** The memberships of an entity in a scope, for the ledger. */
export function membershipsOf(writer: EntityWriter, ids: CollectionIds): Memberships<Gone> {
  const { members } = writer;
  return {
    ids,
    some: (most) => members.some(ids.scope, most),
    leaving: (gone) => members.leaving(ids.scope, gone),
    remove: (gone, notes) => {
      const removed = gone.filter((one) => writer.leave(ids.scope, one, notes)).length;
      writer.flush();
      return removed;
    },
  };
}
