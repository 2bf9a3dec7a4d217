export { AddressError, readDatabaseUrl } from "./address.ts";
export { type ArrayType, binaryArray, binaryHalves } from "./arrays.ts";
export type { Database, Queries, QueryOptions, TransactionOptions } from "./database.ts";
export { postgresDialect, serverTime } from "./dialect.ts";
export { fullDatabase, isForbidden, sqlState, unavailable } from "./failure.ts";
export { alone, checkVersion, type Migration, migrate, type TableSchema, watchVersion } from "./migrate.ts";
export { type OpenDatabaseOptions, openDatabase } from "./open.ts";
export { withReplica } from "./replica.ts";
