import { expect, it } from "vitest";
import { linear } from "../../../generated/linear/index.ts";
import { Trace } from "../../../runtime/server/monitoring/trace.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

it("names actions of the connector's own, and nothing that the connector does not have", () => {
  const instance = { ...fakeInstance(() => ({})).instance, connector: linear };
  const deed = (entity: unknown, action: unknown) => {
    const trace = new Trace();
    trace.about(instance, entity, action);
    return trace.deed;
  };
  expect(deed("issues", "archive")).toBe("issues.archive");
  expect(deed("issues", "context_store_search")).toBe("issues.context_store_search");
  expect(deed("issues", "constructor")).toBe("issues.unknown");
  expect(deed("secret-name", "archive")).toBe("unknown.unknown");
});
