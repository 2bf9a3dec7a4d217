// A receiver of webhooks in a process of its own, which only counts.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
process.on("disconnect", () => process.exit(0));
