import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { Router } from "express";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { connectors } from "../../../generated/index.ts";
import { createApp } from "../../../runtime/server/app.ts";
import { serviceDocument } from "../../../runtime/server/openapi/document.ts";
import { routeDocs } from "../../../runtime/server/openapi/routes.ts";
import { appOptions } from "../../support/http.ts";

const all = new Map(connectors.map(({ name, openapi }) => [name, openapi]));

const documents = [
  ...connectors.map(({ name, openapi }) => [name, readFileSync(openapi, "utf8")] as const),
  ["the service", await serviceDocument(all, "1.0.0")],
] as const;

describe.each(documents)("the OpenAPI document of %s", (_name, text) => {
  it("is valid by the schema of OpenAPI 3.1", async () => {
    expect(await new Validator().validate(JSON.parse(text) as Record<string, unknown>)).toEqual({ valid: true });
  });

  it("passes the recommended rules of a linter, without a warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`)).toEqual([]);
  });

  it("has a schema for every reference", () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !Object.hasOwn(components.schemas, name))).toEqual([]);
  });

  it("says of every list what is in it", () => {
    const found: object[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if ("type" in value && [value.type].flat().includes("array") && !("items" in value)) found.push(value);
      Object.values(value).forEach(visit);
    };
    visit(JSON.parse(text));
    expect(found).toEqual([]);
  });

  it("has no optional member whose constant is not a string, because openapi-python-client generates invalid code for it", () => {
    const found: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      const { properties, required } = { properties: {}, required: [], ...value };
      for (const [name, one] of Object.entries<object | string>(properties))
        if (
          typeof one === "object" &&
          "const" in one &&
          typeof one.const !== "string" &&
          !Object.values<unknown>(required).includes(name)
        )
          found.push(name);
      Object.values(value).forEach(visit);
    };
    visit(JSON.parse(text));
    expect(found).toEqual([]);
  });
});

describe("all OpenAPI documents together", () => {
  it("give Spectral and openapi-typescript nothing to report", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-openapi-"));
    try {
      // That of the service has the schemas and examples of all connectors; one of each kind of API has routes of its own beside it.
      const read = documents.filter(([name]) => ["github", "notion", "the service"].includes(name));
      expect(read.length).toBe(3);
      const files = read.map(([, text], nth) => {
        const file = join(folder, `${nth}.json`);
        writeFileSync(file, text);
        return file;
      });
      const tools = join(import.meta.dirname, "openapi-tools.js");
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [tools, ...files]);
      expect([stdout, stderr]).toEqual(["", ""]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("the OpenAPI document of the service", () => {
  it("says that /mcp needs both media types, and that the token route needs a body", async () => {
    const { paths } = JSON.parse(await serviceDocument(new Map(), "1.0.0")) as {
      paths: Record<string, { post: { requestBody: object; responses: Record<string, { content?: object }> } }>;
    };
    expect(Object.keys(paths["/mcp"]?.post.responses ?? {})).toEqual(expect.arrayContaining(["200", "202", "400", "406"]));
    expect(Object.keys(paths["/mcp"]?.post.responses["400"]?.content ?? {})).toEqual([
      "application/json",
      "application/problem+json",
    ]);
    expect(paths["/api/v1/account/applications/token"]?.post.requestBody).toMatchObject({ required: true });
  });

  it("lists exactly the routes of the application", async () => {
    const app = createApp(appOptions(new Map()));
    const all = (app.router as Router).stack.flatMap(({ route }) => (route === undefined ? [] : [route]));
    // A route of every method refuses the methods that an address does not take.
    const taken = all.filter(({ stack }) => !stack.some(({ method }) => method === "trace"));
    const routes = taken.flatMap(({ path, stack }) => [...new Set(stack.map(({ method }) => `${method} ${path}`))]);
    const { paths } = JSON.parse(await serviceDocument(new Map(), "1.0.0")) as { paths: Record<string, Record<string, unknown>> };
    const listed = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
    expect(listed.sort()).toEqual(routes.map(openapiPath).sort());
  });

  it("is made from one entry for each route, which names each error once", () => {
    const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);
    expect(twice(routeDocs.map(({ route }) => route))).toEqual([]);
    expect(routeDocs.flatMap(({ route, errors }) => twice(errors).map((code) => `${route}: ${code}`))).toEqual([]);
  });
});

/** `:connectorId` of Express as `{connector_id}`. */
function openapiPath(route: string): string {
  return route.replace(/:(\w+)/g, (_, name: string) => `{${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`);
}

describe("the OpenAPI document of a connector", () => {
  it("has the parameters and the answer of every action", () => {
    const { components } = JSON.parse(readFileSync(github.openapi, "utf8")) as {
      components: { schemas: Record<string, object> };
    };
    for (const [entity, { actions }] of Object.entries(github.entities))
      for (const [action, { params }] of Object.entries(actions)) {
        expect(components.schemas).toHaveProperty([`${entity}.${action}.answer`]);
        const schema = components.schemas[`${entity}.${action}.params`] as { properties: object };
        expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining([...params, "fields"]));
      }
  });
});
