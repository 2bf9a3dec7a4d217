import { sqliteDialect } from "../../sqlite/index.ts";
import { accountChanges, accountReads } from "../works/index.ts";

export const reads = accountReads(sqliteDialect);
export const changes = accountChanges(sqliteDialect);
