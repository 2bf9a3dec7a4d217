import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens to the next COMMIT: its message never arrives, or its answer never does. */
export type CommitFault = "before" | "after";

/** A proxy in front of a PostgreSQL server that can break connections. */
export interface BreakingProxy {
  readonly port: number;
  /** Cuts all connections. */
  cut(): void;
  /** Cuts the connection that sends the next COMMIT. @returns resolves when that has happened */
  cutAtCommit(fault: CommitFault): Promise<void>;
  close(): Promise<void>;
}

/** The simple query `COMMIT` in the protocol. */
const commitMessage = Buffer.from("Q\0\0\0\x0bCOMMIT\0", "latin1");

/** @param sent is called with what clients send @param own the port of the proxy; without it, a free one */
export async function startProxy(port: number, sent: (data: Buffer) => void = () => undefined, own = 0): Promise<BreakingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let armed: { readonly fault: CommitFault; readonly struck: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const pair = [client, upstream] as const;
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    pairs.add(pair);
    for (const socket of pair) socket.on("error", end).on("close", end);
    upstream.on("data", (data) => client.write(data));
    client.on("data", (data: Buffer) => {
      sent(data);
      const struck = data.includes(commitMessage) ? armed : undefined;
      if (struck === undefined) {
        upstream.write(data);
        return;
      }
      armed = undefined;
      struck.struck();
      if (struck.fault === "before") return end();
      // The server gets the message whole, and its answer meets a closed connection.
      client.destroy();
      upstream.end(data);
    });
  });
  server.listen(own, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    cutAtCommit: (fault) =>
      new Promise((struck) => {
        armed = { fault, struck };
      }),
    close: async () => {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
