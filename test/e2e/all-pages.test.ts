import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { withProcesses } from "./support/process.ts";
import { until } from "./support/service.ts";

// `--all` with a reader that does not keep up.

const pages = 60;

/** A service with a list of many large pages, of which the third says that something is missing. */
async function startService() {
  const asked = { pages: 0 };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const number = ++asked.pages;
      const missing = { path: "data", code: "record_missing", message: "One was left out." };
      const warnings = number === 3 ? [missing, { ...missing, code: "list_cut" }] : [];
      const meta = { has_next_page: number < pages, end_cursor: `c${number}`, warnings };
      const data = Array.from({ length: 10 }, () => ({ number, name: "x".repeat(30_000) }));
      response.end(JSON.stringify({ data, meta }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it.each(["--ndjson", "--json"])("all pages with %s are read no faster than their reader takes them", (form) =>
  withProcesses(async ({ start }) => {
    const { server, asked, url } = await startService();
    const list = ["github", "labels", "list", "--owner", "a", "--repo", "b", "--all", form];
    const { child, exit, err } = start({ TENON_URL: url, TENON_API_KEY: "k" }, list);
    child.stdout?.removeAllListeners("data").pause();
    await until(() => asked.pages > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(asked.pages).toBeLessThan(pages / 2);
    const out = await text(child.stdout as Readable);
    expect([await exit, asked.pages]).toEqual([0, pages]);
    if (form === "--json") expect(JSON.parse(out).data).toHaveLength(pages * 10);
    else expect(out.trim().split("\n")).toHaveLength(pages * 10);
    // What is missing is told, although lines of records have no place for it.
    expect(err()).toBe("warning: record_missing: One was left out.\n");
    server.close();
  }),
);
