import { expect, it } from "vitest";
import type { Json } from "../../../runtime/simulator/described/platform-file.ts";
import { queryCheck } from "../../../runtime/simulator/described/query-check.ts";

const parameter = (name: string, schema: Json, required = false) => ({ in: "query", name, schema, required });
const description: Json = {
  paths: {
    "/notes": {
      parameters: [{ $ref: "#/components/parameters/author" }, { in: "header", name: "version" }],
      get: {
        parameters: [
          parameter("color", { type: "string", enum: ["red", "blue"] }),
          parameter("limit", { type: "integer", minimum: 1, maximum: 100 }),
          parameter("done", { type: "boolean" }),
          parameter("created", { type: "object" }),
        ],
      },
    },
  },
  components: {
    parameters: { author: parameter("author", { type: "string" }, true) },
    securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } },
  },
};
const check = queryCheck(description, "GET", "/notes");

it.each([
  "author=ann",
  "author=&color=red&limit=1&done=true",
  "author=ann&limit=100&created[gte]=5",
  "author=ann&key=secret&done=false",
])("the query %s is as it is described", (query) => {
  expect(check(new URLSearchParams(query))).toBeUndefined();
});

it.each([
  ["author=ann&version=1", "Received unknown parameter: version", "version"],
  ["author=ann&other=1", "Received unknown parameter: other", "other"],
  ["author=ann&color=green", "color does not have a valid value", "color"],
  ["author=ann&limit=0", "limit does not have a valid value", "limit"],
  ["author=ann&limit=101", "limit does not have a valid value", "limit"],
  ["author=ann&limit=1.5", "limit does not have a valid value", "limit"],
  ["author=ann&done=yes", "done does not have a valid value", "done"],
  ["color=red", "Missing required param: author", "author"],
])("the query %s is refused", (query, message, param) => {
  expect(check(new URLSearchParams(query))).toEqual({ message, param });
});
