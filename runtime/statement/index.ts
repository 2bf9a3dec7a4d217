export type { BoundStatement } from "./algebra.ts";
export { statementLimits } from "./bind.ts";
export { outOfRange, statementFault } from "./fault.ts";
export { parseStatement } from "./parser.ts";
export { type Engine, quotedColumn, renderStatement, watchedColumn } from "./render.ts";
export { answered } from "./rows.ts";
export { sqliteAggregates, sqliteFunctions } from "./sqlite-functions.ts";
export { elementOf, type Type } from "./types.ts";
