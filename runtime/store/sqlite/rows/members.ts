import type { Statements } from "../../../sqlite/index.ts";
import { joinedRelations, type Relations } from "../../relations.ts";
import type { CollectionIds } from "../../works/ledger.ts";
import type { GoneMembership } from "../../works/sync-runs.ts";
import type { Layout } from "../tables/layout.ts";

/** Where a sync found a record: in a scope, and below a parent. A record may have several memberships. */
export interface Membership {
  /** Id of the connector instance. */
  readonly inst: number;
  /** Id of the scope. */
  readonly scope: number;
  /** Key of the parent, which is the record for which it was read; empty where it belongs to the scope itself. */
  readonly parent: string;
  /** Number of the sync run that saw it there last. */
  readonly run: number;
}

/** What was known of a record before it was found there again. */
interface Known {
  /** Whether it had this membership. */
  readonly membership: boolean;
  /** Whether it was in the scope. */
  readonly scope: boolean;
  /** Whether the present sync run had seen it there. */
  readonly seen: boolean;
}

/** A membership that is to be removed. */
export interface Gone extends GoneMembership {
  readonly id: number;
}

/** Which parts of an entity's records a sync run has read. */
interface Seen extends CollectionIds {
  readonly run: number;
  /** Whether it has read everything, and not only the children of some parents. */
  readonly full: boolean;
  /** Whether it has requested records by what names them. Each of these has a marker, as if it were its own parent. */
  readonly byKey?: true | undefined;
}

/** The memberships of one entity's records. It runs in the caller's transaction. */
export class Members {
  readonly #statements: Statements;
  readonly #layout: Layout;

  constructor(statements: Statements, layout: Layout) {
    this.#statements = statements;
    this.#layout = layout;
  }

  /** Notes that a record was found. @returns what was known of it before */
  add(id: number, key: string, { scope, parent, run }: Membership, relations: Relations | undefined): Known {
    const { members } = this.#layout;
    const values = relations === undefined ? null : JSON.stringify(relations);
    const before = this.#statements.get(`SELECT run FROM ${members} WHERE scope = ? AND k = ? AND parent = ?`).pluck();
    const last = before.get(scope, key, parent);
    if (last !== undefined) {
      this.#statements
        .get(`UPDATE ${members} SET run = ?, relations = ? WHERE scope = ? AND k = ? AND parent = ?`)
        .run(run, values, scope, key, parent);
      return { membership: true, scope: true, seen: last === run };
    }
    const elsewhere = this.inScope(scope, key);
    this.#statements
      .get(`INSERT INTO ${members} (scope, k, parent, id, run, relations) VALUES (?, ?, ?, ?, ?, ?)`)
      .run(scope, key, parent, id, run, values);
    return { membership: false, scope: elsewhere, seen: false };
  }

  /** Whether a sync run has seen a record elsewhere in the scope. */
  isSeenElsewhere(key: string, { scope, parent, run }: Membership): boolean {
    const seen = this.#statements.get(
      `SELECT 1 FROM ${this.#layout.members} WHERE scope = ? AND k = ? AND parent <> ? AND run = ? LIMIT 1`,
    );
    return seen.get(scope, key, parent, run) !== undefined;
  }

  remove(scope: number, { key, parent }: Gone): void {
    this.#statements.get(`DELETE FROM ${this.#layout.members} WHERE scope = ? AND k = ? AND parent = ?`).run(scope, key, parent);
  }

  /** Whether a record was found anywhere in a scope. */
  inScope(scope: number, key: string): boolean {
    return this.#statements.get(`SELECT 1 FROM ${this.#layout.members} WHERE scope = ? AND k = ?`).get(scope, key) !== undefined;
  }

  /** The values of the relation fields from all memberships of a record: each once, in the order of the values. */
  relations(id: number): Record<string, unknown[]> {
    const rows = this.#statements.get(`SELECT relations FROM ${this.#layout.members} WHERE id = ?`).pluck().all(id);
    const all = rows.map((row) => (typeof row === "string" ? (JSON.parse(row) as Relations) : {}));
    return joinedRelations(all, this.#layout.relations);
  }

  /**
   * The memberships that a sync run did not see although it read the lists that should contain them, and those whose parent is no longer in
   * the scope.
   *
   * @param parents layouts of the entities whose records are the parents
   */
  unseen({ inst, scope, entity, run, full, byKey }: Seen, parents: readonly Layout[]): Gone[] {
    const { members } = this.#layout;
    const read = this.#statements
      .get("SELECT DISTINCT parent FROM store_markers WHERE inst = ? AND scope = ? AND entity = ? AND run = ? AND hidden = ?")
      .pluck();
    // Looking each parent up in the table of markers, whose key begins with other things, would go through all markers each time.
    const looked = full ? undefined : new Set(read.all(inst, scope, entity, run, 0) as string[]);
    // What a full sync run has not seen is not gone where the platform forbids to look.
    const hidden = new Set(full ? (read.all(inst, scope, entity, run, 1) as string[]) : []);
    const unseen = this.#statements.get(`SELECT id, k AS key, parent FROM ${members} WHERE scope = ? AND run <> ?`);
    const gone: Gone[] = [];
    if (looked?.size !== 0)
      for (const one of unseen.iterate(scope, run) as IterableIterator<Gone>)
        if (looked === undefined ? !hidden.has(one.parent) : looked.has(byKey ? one.key : one.parent)) gone.push(one);
    if (parents.length === 0) return gone;
    const found = parents.map((table) => `EXISTS (SELECT 1 FROM ${table.members} p WHERE p.scope = m.scope AND p.k = m.parent)`);
    const below = this.#statements
      .get(
        `SELECT m.id, m.k AS key, m.parent, NOT (${found.join(" OR ")}) AS alone FROM ${members} m WHERE m.scope = ? AND m.parent <> '' ORDER BY m.k`,
      )
      .iterate(scope) as IterableIterator<Gone & { readonly alone: number }>;
    const memberships = new Set(gone.map(membershipKey));
    const itself = parents.includes(this.#layout);
    // A record that is only below one parent goes with it. In a tree, keys of records come after those of their parents, so that one walk
    // in the order of the keys finds whole branches.
    const keys = new Set(gone.map(({ key }) => key));
    for (const { id, key, parent, alone } of below)
      if (!memberships.has(membershipKey({ key, parent })) && (alone === 1 || (itself && keys.has(parent)))) {
        gone.push({ id, key, parent });
        keys.add(key);
      }
    return gone;
  }

  /** The keys of the records that have no membership left in a scope when some are removed. */
  leaving(scope: number, gone: readonly Gone[]): string[] {
    const memberships = new Map<string, number>();
    for (const { key } of gone) memberships.set(key, (memberships.get(key) ?? 0) + 1);
    const count = this.#statements.get(`SELECT count(*) FROM ${this.#layout.members} WHERE scope = ? AND k = ?`).pluck();
    return [...memberships].filter(([key, some]) => count.get(scope, key) === some).map(([key]) => key);
  }

  /** Some memberships of a scope. */
  some(scope: number, most: number): Gone[] {
    return this.#statements
      .get(`SELECT id, k AS key, parent FROM ${this.#layout.members} WHERE scope = ? LIMIT ?`)
      .all(scope, most) as Gone[];
  }
}

function membershipKey({ key, parent }: Pick<Gone, "key" | "parent">): string {
  return JSON.stringify([key, parent]);
}
