import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";

// A receiver of webhooks in a process of its own, which a test kills. It responds when a delivery is on the disk.

const [port = "0", file = ""] = process.argv.slice(2);
const log = openSync(file, "a");

const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += String(piece);
  // A killed process may have left a part of a line.
  writeSync(log, `\n${JSON.stringify({ id: request.headers["webhook-id"], body: JSON.parse(text) as unknown })}\n`);
  fsyncSync(log);
  response.writeHead(204).end();
});
server.listen(Number(port), "127.0.0.1", () => console.log("listening"));
process.on("exit", () => closeSync(log));
