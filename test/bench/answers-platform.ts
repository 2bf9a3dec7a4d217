// A platform in a thread of its own that answers every call with one large page, made before it listens.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

const records = 100;
const labels = Array.from({ length: 3000 }, (_, index) => ({ name: `label ${index}`, color: "d73a4a", count: index }));
const nodes = Array.from({ length: records }, (_, index) => ({ number: index + 1, labels }));
const page = { issues: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } };
const answer = Buffer.from(JSON.stringify({ data: { repository: page } }));

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
});
server.listen(0, "127.0.0.1", () =>
  parentPort?.postMessage({ port: (server.address() as AddressInfo).port, bytes: answer.length }),
);
