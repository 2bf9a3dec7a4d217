import { TenonError } from "../base/errors.ts";

// What a failure of the server or of the way to it means to a caller. Messages name neither the address nor the user: the operator finds
// these in the log, callers need not know them.

/** Seconds after which a caller may try again. */
const soon = 1;

/** How a SQLSTATE goes on in the sentence "The database …". From "PostgreSQL Error Codes"; two letters stand for a whole class. */
const serverProblems: Readonly<Record<string, string>> = {
  "08": "has lost its connection",
  "28": "does not admit the user of its URL",
  "3D": "does not exist on the server",
  "3F000": "has no schema for the tables: the search_path of the user of its URL has to begin with one that exists",
  "40": "has too many changes of the same rows at once",
  "53": "has no resources left",
  "53100": "cannot grow: the disk of the server is full",
  "53200": "has no memory left",
  "53300": "has no connection left for this service",
  "57P01": "is shutting down",
  "57P02": "has crashed and recovers",
  "57P03": "is starting or shutting down",
  "57P05": "has closed the connection",
  "58": "cannot read or write its files",
  "25006": "is read-only at the moment",
  "25P03": "has ended an idle transaction",
  "42501":
    "does not permit the user of its URL what is needed: where tables have to be made, run `tenon store migrate` as their owner",
  XX001: "is damaged",
  XX002: "is damaged",
};

/** The SQLSTATE of an error that the server sent; undefined for every other error. */
export function sqlState(thrown: unknown): string | undefined {
  // Errors that go through another copy of the driver's parser are not of its class.
  if (!(thrown instanceof Error && "severity" in thrown && "code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** The user lacks a right that a statement needs. */
export function isForbidden(thrown: unknown): boolean {
  return sqlState(thrown instanceof TenonError ? thrown.cause : thrown) === "42501";
}

/** Another transaction was in the way: doing all of it again helps. */
export function isConflict(thrown: unknown): boolean {
  return ["40001", "40P01"].includes(sqlState(thrown) ?? "");
}

/** The server cancelled a statement: at the time limit of the transaction, or because somebody asked for it. */
export function isCancelled(thrown: unknown): boolean {
  return sqlState(thrown) === "57014";
}

/** The connection has gone. If that was in COMMIT, nobody knows whether the transaction was done. */
export function isConnectionLost(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state !== undefined) return /^(08|57P0[1235])/.test(state);
  return (
    thrown instanceof Error &&
    !(thrown instanceof TenonError) &&
    (networkCode(thrown) !== undefined || lostMessage.test(thrown.message))
  );
}

/** The driver reports a lost connection by these texts alone. */
const lostMessage = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
const fullPool = /^timeout exceeded when trying to connect/;

/** Turns what the driver throws into an error for callers. A fault of a statement and other errors are returned unchanged. */
export function databaseFailure(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof TenonError) return thrown;
  const state = sqlState(thrown);
  if (state !== undefined) {
    const problem = serverProblems[state] ?? serverProblems[state.slice(0, 2)];
    return problem === undefined ? thrown : unavailable(problem, thrown);
  }
  if (fullPool.test(thrown.message)) return fullDatabase();
  if (isCertificate(thrown))
    return unavailable("has a certificate that is not accepted; see sslmode in the documentation", thrown);
  if (/does not support SSL/.test(thrown.message))
    return unavailable("offers no TLS, which its URL requires by sslmode, or by naming another machine", thrown);
  return isConnectionLost(thrown) ? unavailable("cannot be reached", thrown) : thrown;
}

/** Like {@link databaseFailure}, for the way to the first statement: whatever the reason, there is no connection. */
export function connectFailure(thrown: unknown): unknown {
  const failure = databaseFailure(thrown);
  return failure === thrown && !(thrown instanceof TenonError) ? unavailable("does not accept a connection", thrown) : failure;
}

/** @param why continues the sentence "The database …", without a full stop */
export function unavailable(why: string, cause?: unknown): TenonError {
  return new TenonError("database_unavailable", `The database ${why}.`, { retryAfter: soon, cause });
}

export function fullDatabase(): TenonError {
  return new TenonError("overloaded", "All connections to the database are in use.", { retryAfter: soon });
}

const networkCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|EACCES)$/;

function networkCode(error: Error): string | undefined {
  // A host with several addresses gives one error for all of them.
  const inner = error instanceof AggregateError ? error.errors.find((one) => one instanceof Error) : error;
  return inner instanceof Error && "code" in inner && networkCodes.test(String(inner.code)) ? String(inner.code) : undefined;
}

function isCertificate(error: Error): boolean {
  return "code" in error && /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(String(error.code));
}
