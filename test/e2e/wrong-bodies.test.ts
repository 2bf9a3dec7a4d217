import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shaped } from "../support/shaped.ts";
import { bad, useTenon } from "./support/service.ts";

// Requests whose body or query has another form than the routes of an operator take.

const dataDir = mkdtempSync(join(tmpdir(), "tenon-bodies-"));
const at = useTenon({ secretKey: ["canary-secret-key-of-the-tests-of-bodies"], dataDir, allowPrivateAddresses: true });
const send = (method: string, path: string, body?: unknown) =>
  at.tenon.send(method, path, body === undefined ? undefined : JSON.stringify(body));
const faultsOf = async (method: string, path: string, body?: unknown) => {
  const { errors } = shaped<{ errors: { pointer: string; code: string; message: string; allowed?: unknown }[] }>(
    bad(await send(method, path, body), 422, "invalid_request"),
  );
  return errors;
};

describe("a body that is not an object", () => {
  it.each(["/api/v1/subscriptions", "/api/v1/proposals/prp_1/approve", "/api/v1/integrations/connectors/github/webhooks"])(
    "is refused: %s",
    async (path) => {
      for (const body of [[], "text", 7])
        expect(await faultsOf("POST", path, body)).toContainEqual(
          expect.objectContaining({ pointer: "", code: "wrong_type", message: "The body must be an object." }),
        );
    },
  );
});

describe("a member or parameter with another value than the route takes", () => {
  it("is refused with what is allowed", async () => {
    const scope = "scope must be one such as repository=octocat/hello-world.";
    expect(await faultsOf("POST", "/api/v1/integrations/connectors/github/webhooks", { scope: 7 })).toMatchObject([
      { pointer: "/scope", code: "wrong_type", message: scope },
    ]);
    expect(await faultsOf("GET", "/api/v1/proposals?state=open")).toMatchObject([
      { pointer: "/query/state", message: "There is no such state.", allowed: expect.arrayContaining(["pending", "done"]) },
    ]);
  });
});
