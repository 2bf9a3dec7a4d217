import type pg from "pg";

/** What a connection of the driver has that the driver's types do not declare. */
export interface DriverConnection {
  /** What the server gave the connection when it began. */
  readonly processID?: number | null;
  readonly secretKey?: number | Uint8Array | null;
  readonly connection?: {
    /** A socket, or what stands for one. */
    readonly stream?: { cork?(): void; uncork?(): void };
    /** The texts of the statements that the server keeps for this connection, by their names. */
    readonly parsedStatements?: Record<string, string>;
  };
}

export function driverConnection(client: pg.ClientBase): DriverConnection {
  return client as pg.ClientBase & DriverConnection;
}

/** Sends what is asked of a connection now, and until nothing else is left to do at this moment, as one packet instead of several. */
export function sendTogether(client: pg.ClientBase): void {
  const stream = driverConnection(client).connection?.stream;
  stream?.cork?.();
  process.nextTick(() => stream?.uncork?.());
}
