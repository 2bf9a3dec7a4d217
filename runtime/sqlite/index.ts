export { runIn, sqliteDialect, sqliteText } from "./dialect.ts";
export { sqliteProblem } from "./file-problem.ts";
export { type Connection, type SqliteValue, Statements } from "./statements.ts";
