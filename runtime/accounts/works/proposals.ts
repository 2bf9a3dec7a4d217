import type { ProposalState } from "../../contract/proposal.ts";
import { changesOf, type Dialect, raw, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import type {
  ListedProposal,
  NewProposal,
  ProposalChoice,
  ProposalDecision,
  ProposalEnd,
  StoredProposal,
} from "../proposal-store.ts";

/** Old proposals that one new one forgets, so that it does not take long. */
const mostForgotten = 100;

interface ListedRow extends Pick<ListedProposal, "id" | "caller" | "request" | "head" | "hash" | "state" | "owner"> {
  readonly created_at: number;
  readonly expires_at: number;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
}

type WholeRow = ListedRow & Pick<StoredProposal, "content" | "outcome">;

function proposalOf<Row extends ListedRow>({ created_at, expires_at, decided_by, decided_at, ...row }: Row) {
  return { ...row, createdAt: created_at, expiresAt: expires_at, decidedBy: decided_by, decidedAt: decided_at };
}

const columns = "id, caller, request, head, hash, state, created_at, expires_at, decided_by, decided_at, owner";
const listed = raw(`SELECT ${columns} FROM account_proposals`);
// Contents have a table of their own: SQLite reads all of a row up to the last column that is requested.
const whole = raw(`SELECT ${columns}, outcome, content FROM account_proposals JOIN account_proposal_contents USING (id)`);
const latest = raw("ORDER BY created_at DESC, id DESC");

/** What is read about proposals. */
export const proposalReads = {
  *proposal(id: string): Work<StoredProposal | undefined> {
    const row = yield* rowOf<WholeRow>(sql`${whole} WHERE id = ${id}`);
    return row && proposalOf(row);
  },

  *proposalOf(caller: string, request: string, now: number): Work<StoredProposal | undefined> {
    const row = yield* rowOf<WholeRow>(
      sql`${whole} WHERE caller = ${caller} AND request = ${request} AND state IN ('pending', 'rejected') AND expires_at > ${now}
        ${latest} LIMIT 1`,
    );
    return row && proposalOf(row);
  },

  *proposals(
    state: ProposalState | undefined,
    now: number,
    limit: number,
    { caller, after }: ProposalChoice = {},
  ): Work<ListedProposal[]> {
    const wanted =
      state === undefined
        ? sql`TRUE`
        : state === "pending"
          ? sql`state = 'pending' AND expires_at > ${now}`
          : state === "in_doubt"
            ? // One that is being sent is in doubt once its process has ended, which is seen when it is read.
              sql`state IN ('in_doubt', 'sending')`
            : sql`state = ${state}`;
    const own = caller === undefined ? sql`TRUE` : sql`caller = ${caller}`;
    const behind = after === undefined ? sql`TRUE` : sql`(created_at, id) < (${after.createdAt}, ${after.id})`;
    const rows = sql`${listed} WHERE ${wanted} AND ${own} AND ${behind} ${latest} LIMIT ${limit}`;
    return (yield* rowsOf<ListedRow>(rows)).map(proposalOf);
  },
};

/** What is changed about them. */
export function proposalChanges({ inTurn, lock }: Dialect) {
  return {
    *addProposal(given: NewProposal, most: number, oldest: number): Work<StoredProposal | undefined> {
      const { id, caller, request, head, content, hash, createdAt, expiresAt } = given;
      // One process at a time adds proposals, so that none is counted too late, and none is there twice.
      yield* rowsOf(inTurn("account_proposals"));
      const old = yield* rowsOf<{ id: string }>(
        sql`DELETE FROM account_proposals WHERE id IN (SELECT id FROM account_proposals
          WHERE expires_at < ${oldest} ORDER BY expires_at LIMIT ${mostForgotten}${lock.free}) RETURNING id`,
      );
      for (const one of old) yield* changesOf(sql`DELETE FROM account_proposal_contents WHERE id = ${one.id}`);
      const pending = sql`caller = ${caller} AND state = 'pending' AND expires_at > ${createdAt}`;
      const known = yield* rowOf<WholeRow>(sql`${whole} WHERE ${pending} AND request = ${request}`);
      if (known !== undefined) return proposalOf(known);
      const counted = yield* rowOf<{ count: number }>(sql`SELECT count(*) AS count FROM account_proposals WHERE ${pending}`);
      if (Number(counted?.count) >= most) return undefined;
      yield* changesOf(
        sql`INSERT INTO account_proposals (id, caller, request, head, hash, state, created_at, expires_at)
          VALUES (${id}, ${caller}, ${request}, ${head}, ${hash}, 'pending', ${createdAt}, ${expiresAt})`,
      );
      yield* changesOf(sql`INSERT INTO account_proposal_contents (id, content) VALUES (${id}, ${content})`);
      return { ...given, state: "pending", decidedBy: null, decidedAt: null, owner: null, outcome: null };
    },

    *decideProposal(id: string, { state, by, at, owner = null, content }: ProposalDecision): Work<boolean> {
      const mayDecide = state === "withdrawn" ? sql`caller = ${by}` : sql`caller <> ${by}`;
      const decide = sql`UPDATE account_proposals SET state = ${state}, decided_by = ${by}, decided_at = ${at}, owner = ${owner}
        WHERE id = ${id} AND state = 'pending' AND expires_at > ${at} AND ${mayDecide}`;
      const isDone = (yield* changesOf(decide)) > 0;
      if (isDone && content !== undefined)
        yield* changesOf(sql`UPDATE account_proposal_contents SET content = ${content} WHERE id = ${id}`);
      return isDone;
    },

    *endProposal(id: string, owner: string, { state, outcome }: ProposalEnd): Work<void> {
      yield* changesOf(
        sql`UPDATE account_proposals SET state = ${state}, outcome = ${outcome}
          WHERE id = ${id} AND owner = ${owner} AND state = 'sending'`,
      );
    },
  };
}
