import { expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { openAccess } from "../../../runtime/main/open-access.ts";
import { readSettings } from "../../../runtime/main/settings/settings.ts";

it.each([
  ["github", "issues", "update", true],
  ["github", "issues", "get", false],
  ["github", "issues", "context_store_search", false],
  ["of-another-spec", "notes", "create", true],
  ["of-another-spec", "notes", "list", false],
  ["of-another-spec", "notes", "publish", true],
])("%s %s %s counts as a write: %s", async (connector, entity, action, writes) => {
  const { settings } = readSettings({ TENON_URL: "https://tenon.example", TENON_API_KEY: "key" }, [github]);
  const access = await openAccess(settings, {}, { write: () => undefined }, [github]);
  expect(access.writes(connector, entity, action)).toBe(writes);
});
