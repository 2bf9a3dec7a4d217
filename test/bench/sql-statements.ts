import { columnNamed as postgresColumn, layoutOf as postgresLayout } from "../../runtime/store/postgres/tables/layout.ts";
import { columnNamed as sqliteColumn, layoutOf as sqliteLayout } from "../../runtime/store/sqlite/tables/layout.ts";
import { type Entity, plans } from "./sql-world.ts";

/** What a person writes for the tables of one store: how they are called there, and what engines say in different ways. */
interface Names {
  readonly table: (entity: Entity, alias: string) => string;
  readonly column: (entity: Entity, field: string, alias: string) => string;
  readonly month: (column: string) => string;
  /** Keeps an engine without statistics from an index of few values. */
  readonly unindexed: (column: string) => string;
  /** Joins what comes first with what comes second. */
  readonly joinInOrder: string;
}

export interface BenchStatement {
  readonly name: string;
  readonly sql: string;
  /** The same by hand. `:keys` stands for the keys and scores that a search by meaning has found. */
  readonly byHand: (names: Names) => string;
  /** The prompt, where the statement searches by meaning. */
  readonly prompt?: string;
}

const postgres = (entity: Entity) => postgresLayout("github", entity, plans.github[entity]);
const sqlite = (entity: Entity) => sqliteLayout("github", entity, plans.github[entity]);
const as = (alias: string, name: string) => name.replace(/\bn\./, `${alias}.`);

export const names: Readonly<Record<"sqlite" | "postgres", Names>> = {
  sqlite: {
    table: (entity, alias) => `${sqlite(entity).narrow} ${alias}`,
    column: (entity, field, alias) => as(alias, field === "key" ? "n.k" : sqliteColumn(sqlite(entity), field).sql),
    unindexed: (column) => `+${column}`,
    joinInOrder: "CROSS JOIN",
    month: (column) => `strftime('%Y-%m-01T00:00:00Z', ${column} / 1000, 'unixepoch')`,
  },
  postgres: {
    table: (entity, alias) => `${postgres(entity).records} ${alias}`,
    column: (entity, field, alias) =>
      as(alias, field === "key" ? "n.k" : postgresColumn(postgres(entity), field).sql.texts.join("")),
    unindexed: (column) => column,
    joinInOrder: "JOIN",
    month: (column) =>
      `to_char(date_trunc('month', to_timestamp(${column} / 1000.0) AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  },
};

/** A shorter way to write columns: `i("number")`. */
const of =
  ({ column }: Names, entity: Entity, alias: string) =>
  (field: string) =>
    column(entity, field, alias);
const since = "2025-12-01T00:00:00Z";

/** Ten statements of five kinds. @param repository one with many issues */
export function statementsOf(repository: string): BenchStatement[] {
  const meaning = (prompt: string) =>
    `semantic_search(entity => 'pull_requests', field => 'body', prompt => '${prompt}', top => 50) s JOIN pull_requests p ON p.key = s.key`;
  return [
    {
      name: "join of issues and comments of a repository",
      sql: `SELECT i.number, i.title, c.author_login FROM issues i JOIN comments c ON c.repository = i.repository AND c.number = i.number WHERE i.repository = '${repository}' AND i.state = 'open' ORDER BY c.created_at DESC LIMIT 50`,
      byHand: (n) => {
        const [i, c] = [of(n, "issues", "i"), of(n, "comments", "c")];
        return `SELECT ${i("number")} AS number, ${i("title")} AS title, ${c("authorLogin")} AS author_login FROM ${n.table("issues", "i")} JOIN ${n.table("comments", "c")} ON c.inst = 1 AND ${c("repository")} = ${i("repository")} AND ${c("number")} = ${i("number")} WHERE i.inst = 1 AND ${i("repository")} = '${repository}' AND ${n.unindexed(i("state"))} = 'open' ORDER BY ${c("createdAt")} DESC LIMIT 50`;
      },
    },
    {
      name: "join of all open issues with their newest comments",
      sql: `SELECT i.repository, count(*) AS n FROM comments c JOIN issues i ON c.repository = i.repository AND c.number = i.number WHERE i.state = 'open' AND c.created_at >= '${since}' GROUP BY i.repository ORDER BY n DESC, i.repository LIMIT 20`,
      byHand: (n) => {
        const [i, c] = [of(n, "issues", "i"), of(n, "comments", "c")];
        return `SELECT ${i("repository")} AS repository, count(*) AS n FROM ${n.table("comments", "c")} JOIN ${n.table("issues", "i")} ON i.inst = 1 AND ${c("repository")} = ${i("repository")} AND ${c("number")} = ${i("number")} WHERE c.inst = 1 AND ${n.unindexed(i("state"))} = 'open' AND ${c("createdAt")} >= ${Date.parse(since)} GROUP BY 1 ORDER BY n DESC, 1 LIMIT 20`;
      },
    },
    ...["repository", "author_login"].map(
      (by): BenchStatement => ({
        name: `the two newest open issues of each ${by}`,
        sql: `SELECT ${by}, number, title FROM (SELECT ${by}, number, title, row_number() OVER (PARTITION BY ${by} ORDER BY created_at DESC, key) AS place FROM issues WHERE state = 'open') x WHERE place <= 2 ORDER BY 1, 2, 3 LIMIT 1000`,
        byHand: (n) => {
          const i = of(n, "issues", "i");
          const field = by === "repository" ? by : "authorLogin";
          return `SELECT v, number, title FROM (SELECT ${i(field)} AS v, ${i("number")} AS number, ${i("title")} AS title, row_number() OVER (PARTITION BY ${i(field)} ORDER BY ${i("createdAt")} DESC, i.k) AS place FROM ${n.table("issues", "i")} WHERE i.inst = 1 AND ${i("state")} = 'open') x WHERE place <= 2 ORDER BY 1 NULLS LAST, 2, 3 LIMIT 1000`;
        },
      }),
    ),
    {
      name: "issues of each month, and in all until then",
      sql: "SELECT date_trunc('month', created_at) AS month, count(*) AS n, sum(count(*)) OVER (ORDER BY date_trunc('month', created_at)) AS in_all FROM issues GROUP BY date_trunc('month', created_at) ORDER BY month",
      byHand: (n) => {
        const month = n.month(of(n, "issues", "i")("createdAt"));
        return `SELECT month, count(*) AS n, sum(count(*)) OVER (ORDER BY month) AS in_all FROM (SELECT ${month} AS month FROM ${n.table("issues", "i")} WHERE i.inst = 1) x GROUP BY month ORDER BY month`;
      },
    },
    {
      name: "the longest pauses between issues of a repository",
      sql: `SELECT number, created_at - lag(created_at) OVER (ORDER BY created_at, key) AS pause FROM issues WHERE repository = '${repository}' ORDER BY pause DESC LIMIT 20`,
      byHand: (n) => {
        const i = of(n, "issues", "i");
        return `SELECT ${i("number")} AS number, ${i("createdAt")} - lag(${i("createdAt")}) OVER (ORDER BY ${i("createdAt")}, i.k) AS pause FROM ${n.table("issues", "i")} WHERE i.inst = 1 AND ${i("repository")} = '${repository}' ORDER BY pause DESC NULLS LAST LIMIT 20`;
      },
    },
    {
      name: "hits of a search by meaning, with their pull requests",
      prompt: "lur dra trios",
      sql: `SELECT p.number, p.title, s.score FROM ${meaning("lur dra trios")} ORDER BY s.score DESC, p.number`,
      byHand: (n) => {
        const p = of(n, "pull_requests", "p");
        return `SELECT ${p("number")} AS number, ${p("title")} AS title, s.score FROM :keys s ${n.joinInOrder} ${n.table("pull_requests", "p")} ON p.inst = 1 AND p.k = s.k ORDER BY s.score DESC, 1`;
      },
    },
    {
      name: "hits of a search by meaning, with the issues of their repositories",
      prompt: "kaid zea sil",
      sql: `SELECT p.repository, count(*) AS n FROM ${meaning("kaid zea sil")} JOIN issues i ON i.repository = p.repository WHERE i.state = 'open' GROUP BY p.repository ORDER BY n DESC, p.repository`,
      byHand: (n) => {
        const [p, i] = [of(n, "pull_requests", "p"), of(n, "issues", "i")];
        return `SELECT ${p("repository")} AS repository, count(*) AS n FROM :keys s ${n.joinInOrder} ${n.table("pull_requests", "p")} ON p.inst = 1 AND p.k = s.k JOIN ${n.table("issues", "i")} ON i.inst = 1 AND ${i("repository")} = ${p("repository")} WHERE ${n.unindexed(i("state"))} = 'open' GROUP BY 1 ORDER BY n DESC, 1`;
      },
    },
    ...(["locked", "stateReason"] as const).map(
      (field): BenchStatement => ({
        name: `all issues by state and ${field}`,
        sql: `SELECT state, ${field}, count(*) AS n FROM issues GROUP BY state, ${field} ORDER BY n DESC`,
        byHand: (n) => {
          const i = of(n, "issues", "i");
          return `SELECT ${i("state")} AS state, ${i(field)} AS v, count(*) AS n FROM ${n.table("issues", "i")} WHERE i.inst = 1 GROUP BY 1, 2 ORDER BY n DESC`;
        },
      }),
    ),
  ];
}
