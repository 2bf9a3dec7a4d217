import { describe, expect, it } from "vitest";
import { type SyncService, syncHosted } from "../../../runtime/cli/sync/hosted-sync.ts";
import type { EntityStatus } from "../../../runtime/sync/index.ts";
import { onTerminal } from "../../support/command-output.ts";

const scope = "repository=octocat/hello-world";
const complete: EntityStatus = {
  ...{ scope, entity: "issues", state: "complete", records: 120, hidden: 0, repeated: 0, misfits: {}, calls: null, points: null },
  ...{ synced_at: "2026-01-31T09:30:59.999Z", full_sync_at: null, verified_at: null, verification: null, next_sync_at: null },
  ...{ position: null, problem: null },
};
const wanted = { scopes: [scope], entities: ["issues"], full: false, massDelete: false };

/** A service that knows one collection. @param look is called when the command looks at the sync */
function serviceOf(look: () => void = () => undefined) {
  const asked: unknown[] = [];
  const service: SyncService = {
    sync: async (method, path, body, signal) => {
      asked.push(body === undefined ? `${method} ${path}` : [`${method} ${path}`, body]);
      if (method === "POST") return { data: { scopes: [scope] }, meta: {} };
      if (method === "DELETE") return { data: null, meta: {} };
      look();
      signal.throwIfAborted();
      return { data: [complete], meta: { running: false } };
    },
  };
  return { service, asked };
}

describe("a sync on a service", () => {
  const { signal } = new AbortController();

  it("shows each entity and how it ended", async () => {
    const { service, asked } = serviceOf();
    expect(await onTerminal(() => syncHosted(service, wanted, signal))).toMatchObject({
      status: 0,
      lines: [`${scope} issues: 120 records, complete`, "Sync complete."],
    });
    expect(asked).toEqual([["POST ", { scopes: [scope], entities: ["issues"] }], "GET "]);
  });

  it("is a full one, and may remove most records, only where that was asked for", async () => {
    const { service, asked } = serviceOf();
    await onTerminal(() => syncHosted(service, { ...wanted, full: true, massDelete: true }, signal));
    expect(asked[0]).toEqual(["POST ", { scopes: [scope], entities: ["issues"], full: true, allow_mass_delete: true }]);
  });

  it("is stopped on the service too when the command is interrupted", async () => {
    const end = new AbortController();
    const { service, asked } = serviceOf(() => end.abort());
    await expect(onTerminal(() => syncHosted(service, wanted, end.signal))).rejects.toMatchObject({ name: "AbortError" });
    expect(asked.slice(1)).toEqual(["GET ", "DELETE "]);
  });

  it("goes on there when only a look at it fails", async () => {
    const { service, asked } = serviceOf(() => {
      throw new Error("cut");
    });
    await expect(onTerminal(() => syncHosted(service, wanted, signal))).rejects.toThrow("cut");
    expect(asked.slice(1)).toEqual(["GET "]);
  });
});
