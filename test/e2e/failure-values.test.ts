import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { bad, good } from "./support/service.ts";
import { among, json } from "./support/stranger.ts";

// In a file of its own: the thread that reads large answers is one for the whole process.

describe("an answer of one record with millions of values", () => {
  it("is refused, the next one is read, and the memory of the thread is given back", async () => {
    const threads: Worker[] = [];
    const note = (thread: Worker) => void threads.push(thread);
    let more = "{},".repeat(5_000_000);
    await among(
      (_request, response) => json(response, `{"data":{"user":{"login":"x"}},"extensions":[${more}0]}`),
      { timeoutMs: 100_000 },
      async ({ tenon, seen }) => {
        // The thread of searches starts some time after the service does.
        good(await tenon.run("users", "context_store_search", { query: {} }));
        process.on("worker", note);
        const get = () => tenon.run("users", "get", { username: "x", fields: ["login"] });
        expect(bad(await get(), 422, "platform_too_complex")["message"]).toContain("1,000,000 values");
        expect(seen).toHaveLength(1);
        more = "1,".repeat(200_000);
        expect(good(await get())["data"]).toEqual({ login: "x" });
        process.off("worker", note);
        const [thread, ...others] = threads;
        expect([thread === undefined, others.length]).toEqual([false, 0]);
        if (thread !== undefined) await once(thread, "exit");
      },
    );
  });
});
