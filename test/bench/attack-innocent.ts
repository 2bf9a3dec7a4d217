// A caller who searches at a steady rate, in a thread of its own, so that nothing but the service holds it up. It gets the seconds of a
// window and answers the milliseconds of its searches, counted from when each was due.

import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, key, perSecond } = (workerData as { data: { url: string; key: string; perSecond: number } }).data;
const agent = new Agent({ keepAlive: true });
const body = JSON.stringify({
  entity: "issues",
  action: "context_store_search",
  params: { query: { filter: { eq: { state: "open" } }, sort: [{ updatedAt: "desc" }] }, limit: 10 },
});

function search(due: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request(`${url}/api/v1/integrations/connectors/github/execute`, {
      agent,
      method: "POST",
      timeout: 20_000,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    sent.on("response", (response) => {
      response.resume().once("end", () => resolve(response.statusCode === 200 ? performance.now() - due : undefined));
    });
    sent.on("error", () => resolve(undefined)).on("timeout", () => sent.destroy());
    sent.end(body);
  });
}

parentPort?.on("message", (seconds: number) => {
  const began = performance.now();
  const searches: Promise<number | undefined>[] = [];
  const timer = setInterval(() => {
    const passed = performance.now() - began;
    while (searches.length < Math.min(passed / 1000, seconds) * perSecond)
      searches.push(search(began + (searches.length * 1000) / perSecond));
    if (passed < seconds * 1000) return;
    clearInterval(timer);
    void Promise.all(searches).then((times) => parentPort?.postMessage(times));
  }, 2);
});
