import type { ServerResponse } from "node:http";

/** Is aborted when the caller goes away before the answer is sent. */
export function whileOpen(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
