import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { operator } from "../../../runtime/server/bearer.ts";
import { describeRoute } from "../../../runtime/server/describe-route.ts";
import { Usages } from "../../../runtime/server/limits/usages.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

it("the description of a connector whose file could not be read once is there the next time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-describe-"));
  const file = join(folder, "openapi.json");
  const { instance } = fakeInstance(() => ({}));
  const { store: _, ...others } = instance;
  const shown: ConnectorInstance = { ...others, connector: { ...instance.connector, openapi: pathToFileURL(file) } };
  const answers = new Answers(1);
  const sent: string[] = [];
  answers.sendJsonText = (_response, text) => void sent.push(text);
  const instances = { instances: new Map([["github", shown]]) };
  const route = describeRoute({ instances, limits: new Usages({}, {}), timeout: 1_000 }, answers);
  const ask = async () =>
    route(
      { params: { connectorId: "github" }, headers: {} } as never,
      { locals: { caller: operator }, setHeader: () => undefined } as never,
      () => undefined,
    );
  await expect(ask()).rejects.toThrow("ENOENT");
  copyFileSync(instance.connector.openapi, file);
  await ask();
  expect(Object.keys(JSON.parse(sent[0] ?? "").data.schemas).length).toBeGreaterThan(10);
  rmSync(folder, { recursive: true });
});
