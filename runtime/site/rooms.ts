/** A folder of the program with a purpose of its own. */
export interface Room {
  /** What it holds, as a part of a sentence. */
  readonly holds: string;
  /** The rooms that it may import from besides itself, types included. */
  readonly imports: readonly string[];
}

/**
 * The folders of each store, of which a file imports only from its own and from those before it. What the stores share imports from none of
 * them, and neither store from another.
 */
export const storeLayers: readonly string[] = ["tables", "words", "rows", "search", "meaning", "write", "threads"];

/**
 * The one table of rooms. `test/architecture.test.ts` fails on an import that it does not allow, and on a permission that nothing uses; the
 * page of the architecture draws it. Files that stand in `generator/` itself put its rooms together.
 */
export const rooms: Readonly<Record<string, Room>> = {
  "runtime/base": { holds: "what every room may need: errors and faults, log and redaction, texts, threads", imports: [] },
  "runtime/contract": {
    holds:
      "what the generator and the runtime share; generated code imports `public.ts` of it, and no other room of the runtime but the client",
    imports: ["runtime/base"],
  },
  "runtime/sql": {
    holds: "SQL as text and values, and units of work that run on any engine",
    imports: [],
  },
  "runtime/sqlite": {
    holds: "what all SQLite files need: statements, the dialect, problems with a file, but no tables",
    imports: ["runtime/base", "runtime/sql"],
  },
  "runtime/postgres": {
    holds: "the way to PostgreSQL: connections, transactions, cancelling, failures, schema versions, the dialect, but no tables",
    imports: ["runtime/base", "runtime/sql"],
  },
  "runtime/accounts": {
    holds: "who may call the service, what each caller may do, and the stored connector instances with their credentials",
    imports: ["runtime/base", "runtime/contract", "runtime/sql", "runtime/sqlite", "runtime/postgres"],
  },
  "runtime/fleet": {
    holds:
      "limits that several processes keep together: who may use how much of them, and for how long; it does not know what they limit",
    imports: ["runtime/base", "runtime/sql", "runtime/postgres"],
  },
  "runtime/platform": {
    holds: "calls to a platform: rate limits, retries, the meaning of failures",
    imports: ["runtime/base", "runtime/contract", "runtime/fleet"],
  },
  "runtime/search": {
    holds: "the meaning of a query: operators, parser, and a test of one record in memory",
    imports: ["runtime/base", "runtime/contract"],
  },
  "runtime/statement": {
    holds: "SQL of callers: checks it against a list, and writes new SQL for each engine",
    imports: ["runtime/base", "runtime/contract", "runtime/search", "runtime/sql"],
  },
  "runtime/semantic": {
    holds:
      "search by meaning without records and stores: the model, the chunks of a text, the arithmetic, whose inner loops are in `kernel.wat`",
    imports: ["runtime/base"],
  },
  "runtime/store": {
    holds: "stores records and finds them; each store translates queries into its own language",
    imports: [
      "runtime/base",
      "runtime/contract",
      "runtime/search",
      "runtime/semantic",
      "runtime/sql",
      "runtime/sqlite",
      "runtime/statement",
      "runtime/postgres",
    ],
  },
  "runtime/execute": {
    holds: "checks a request and runs its action",
    imports: [
      "runtime/base",
      "runtime/contract",
      "runtime/platform",
      "runtime/search",
      "runtime/semantic",
      "runtime/statement",
      "runtime/store",
    ],
  },
  "runtime/policy": {
    holds: "which writes are sent, when and how often: the policy, proposals that wait for an approval, idempotency",
    imports: ["runtime/base", "runtime/contract", "runtime/accounts", "runtime/platform", "runtime/execute"],
  },
  "runtime/sync": {
    holds: "fills the store, scope by scope",
    imports: ["runtime/base", "runtime/contract", "runtime/search", "runtime/semantic", "runtime/store", "runtime/execute"],
  },
  "runtime/changes": {
    holds: "the change feed: what consumers read of the change log, whatever way they come by",
    imports: ["runtime/base", "runtime/contract", "runtime/search", "runtime/store", "runtime/execute"],
  },
  "runtime/webhooks": {
    holds: "webhooks of platforms: verifies deliveries, stores what they name, and has it read",
    imports: ["runtime/base", "runtime/contract", "runtime/accounts", "runtime/store", "runtime/execute", "runtime/sync"],
  },
  "runtime/subscriptions": {
    holds: "webhooks to receivers of callers: what is sent to whom, how far each is, retries and signatures",
    imports: ["runtime/base", "runtime/contract", "runtime/accounts", "runtime/platform", "runtime/execute", "runtime/changes"],
  },
  "runtime/server": {
    holds: "HTTP: keys, limits, the form of requests and errors",
    imports: [
      "runtime/webhooks",
      "runtime/subscriptions",
      "runtime/base",
      "runtime/contract",
      "runtime/accounts",
      "runtime/fleet",
      "runtime/manual",
      "runtime/mcp",
      "runtime/execute",
      "runtime/policy",
      "runtime/sync",
      "runtime/changes",
    ],
  },
  "runtime/compat": {
    holds: "the routes under `/compat`: a translation for the client of another service, over the same actions",
    imports: ["runtime/base", "runtime/contract", "runtime/accounts", "runtime/execute", "runtime/manual", "runtime/server"],
  },
  "runtime/admin": {
    holds: "the operator's page at `/admin`; its templates hold no decision",
    imports: ["runtime/base", "runtime/accounts", "runtime/execute", "runtime/server", "runtime/sync"],
  },
  "runtime/simulator": {
    holds: "what simulated platforms have in common: HTTP, GraphQL, REST, rate limits, planned faults",
    imports: ["runtime/base"],
  },
  "runtime/simulated": {
    holds: "simulated platforms whose rules need code, a folder for each; specs name them by their files",
    imports: ["runtime/simulator"],
  },
  "runtime/main": {
    holds: "connects the other modules; the only one with the list of connectors",
    imports: [
      "runtime/base",
      "runtime/manual",
      "runtime/mcp",
      "runtime/client",
      "runtime/accounts",
      "runtime/contract",
      "runtime/fleet",
      "runtime/platform",
      "runtime/postgres",
      "runtime/semantic",
      "runtime/store",
      "runtime/execute",
      "runtime/policy",
      "runtime/changes",
      "runtime/sync",
      "runtime/webhooks",
      "runtime/subscriptions",
      "runtime/server",
      "runtime/compat",
      "runtime/admin",
      "runtime/simulator",
      "generated",
    ],
  },
  "runtime/manual": { holds: "what callers read about a connector before they call it", imports: ["runtime/contract"] },
  "runtime/mcp": {
    holds: "the tools for models, and their server; they need nothing but the manual and a way to run actions",
    imports: ["runtime/base", "runtime/contract", "runtime/manual"],
  },
  "runtime/client": {
    holds: "the client library, in which generated clients are tables; it loads what local mode needs only when that is used",
    imports: ["runtime/base", "runtime/contract", "runtime/platform", "runtime/execute"],
  },
  "runtime/cli": {
    holds: "the command line",
    imports: [
      "runtime/base",
      "runtime/manual",
      "runtime/mcp",
      "runtime/contract",
      "runtime/accounts",
      "runtime/client",
      "runtime/sync",
      "runtime/main",
      "generator",
    ],
  },
  "runtime/site": {
    holds: "makes these pages from the tables of the other rooms, and from what the generator wrote",
    imports: [
      "runtime/base",
      "runtime/contract",
      "runtime/client",
      "runtime/mcp",
      "runtime/server",
      "runtime/main",
      "runtime/cli",
      "generator/print",
    ],
  },
  generated: {
    holds: "what the generator wrote; committed, never edited by hand",
    imports: ["runtime/contract", "runtime/client"],
  },
  "generator/cache": {
    holds: "results between runs; it loads nothing else, so that a run that has all results loads nothing else either",
    imports: [],
  },
  "generator/diagnostic": { holds: "what is wrong in a spec: the place, what was expected, the source line", imports: [] },
  "generator/load": {
    holds: "reads specs",
    imports: ["runtime/base", "runtime/contract", "generator/cache", "generator/diagnostic"],
  },
  "generator/model": {
    holds: "checks what was read and completes it",
    imports: ["runtime/base", "runtime/contract", "generator/cache", "generator/diagnostic", "generator/load"],
  },
  "generator/extract": {
    holds: "cuts the part that a spec uses out of a platform's description",
    imports: ["runtime/base", "runtime/contract", "generator/model"],
  },
  "generator/init": {
    holds: "drafts specs from a platform's description",
    imports: ["runtime/base", "generator/cache", "generator/diagnostic", "generator/extract", "generator/model"],
  },
  "generator/print": {
    holds: "forms of text that several writers share, and the printing of what emitters make",
    imports: ["generator/model"],
  },
  "generator/emit": {
    holds: "writes files from the model",
    imports: ["runtime/base", "runtime/contract", "generator/model", "generator/print"],
  },
  "generator/diff": { holds: "what differs for callers between two versions of a spec", imports: ["generator/model"] },
  "generator/drift": {
    holds: "what another description of a platform means for a connector",
    imports: [
      "runtime/contract",
      "generator/cache",
      "generator/diagnostic",
      "generator/diff",
      "generator/extract",
      "generator/load",
      "generator/model",
    ],
  },
  generator: {
    holds: "puts the rooms of the generator together",
    imports: [
      "generator/cache",
      "generator/diagnostic",
      "generator/diff",
      "generator/drift",
      "generator/load",
      "generator/model",
      "generator/extract",
      "generator/init",
      "generator/emit",
      "generator/print",
    ],
  },
};
