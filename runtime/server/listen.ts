import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";

/** Starts listening. Slow clients cannot hold a connection open for ever. */
export function listen(app: Express, host: string, port: number): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
    app,
  );
  server.maxHeadersCount = 100;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve({ server, url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}` });
    });
  });
}
