import { expect, it } from "vitest";
import { mcpServer } from "../../../runtime/mcp/server.ts";

it("servers of many requests share the validator, which costs more than all the rest of a server", () => {
  const host = { instances: async () => [], execute: () => Promise.reject(new Error("no")), writes: false };
  const validators = [1, 2].map(() => Reflect.get(mcpServer(host, undefined), "_jsonSchemaValidator"));
  expect(validators[0]).toBeDefined();
  expect(validators[0]).toBe(validators[1]);
});
