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
    server.once("error", (error) => reject(listenProblem(error, host, port)));
    server.listen(port, host, () => {
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve({ server, url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}` });
    });
  });
}

/** The error in words that say what to change. */
function listenProblem(error: Error, host: string, port: number): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new Error(`port ${port} is taken; choose another one with PORT or --port`, { cause: error });
  if (code === "EACCES") return new Error(`port ${port} needs more rights; choose one above 1023`, { cause: error });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Error(`${host} is not an address of this machine; choose another one with HOST or --host`, { cause: error });
  return error;
}
