export { runIn, sqliteDialect } from "./dialect.ts";
export { sqliteProblem } from "./file-problem.ts";
export { type Connection, Statements } from "./statements.ts";
