// The platform of the service bench, in a process of its own: it answers at once, and sets no pace.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { issueAnswer, quotaHeaders } from "./issue.ts";

const comment = JSON.stringify({
  id: 1,
  node_id: "IC_1",
  url: "https://api.platform.example/comments/1",
  html_url: "https://platform.example/comments/1",
  body: "a comment",
  user: null,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  issue_url: "https://api.platform.example/issues/1",
  author_association: "NONE",
  performed_via_github_app: null,
  reactions: {},
});

const server = createServer((request, response) => {
  request.resume();
  const isRead = request.url === "/graphql";
  response.writeHead(isRead ? 200 : 201, quotaHeaders).end(isRead ? issueAnswer : comment);
});
server.listen(0, "127.0.0.1", () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.on("disconnect", () => process.exit(0));
