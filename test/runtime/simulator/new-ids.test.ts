import { expect, it } from "vitest";
import type { PlatformFile } from "../../../runtime/simulator/described/platform-file.ts";
import { type DescribedWorld, routesOf } from "../../../runtime/simulator/described/rest-routes.ts";

const refusal = { status: 400, body: {} };
const route = (collection: string) => ({ create: collection, set: { id: "{serial}", slug: "n-{serial}" } });
const file: PlatformFile = {
  token: "secret",
  web: "https://notes.example",
  viewer: {},
  errors: { unauthorized: refusal, missing: refusal, invalid: refusal, limited: refusal },
  records: {},
  routes: { "POST /notes": route("notes"), "POST /tags": route("tags"), "POST /new": route("new") },
};

it.each([
  ["/notes", [{ id: 1 }], 9001],
  ["/tags", [{ id: "1" }], "9001"],
  ["/new", [], "9001"],
])("a new record of %s has an id like the others", (path, records, id) => {
  const world: DescribedWorld = { records: { [path.slice(1)]: records }, serial: 9000, done: {}, made: {} };
  const found = routesOf(file, {}).find((one) => one.path === path);
  const budget = () => ({ limit: 1, remaining: 1, used: 0, reset: 0 });
  const call = {
    budget,
    method: "POST",
    path,
    query: "",
    params: {},
    headers: {},
    world,
    viewer: { token: "" },
    rest: "http://localhost",
  };
  const answer = found?.run(call, { title: "x", slug: "mine" });
  expect(JSON.parse(String(answer?.body))).toEqual({ id, title: "x", slug: "n-9001" });
});
