import { describe, expect, it } from "vitest";
import { description } from "../../../runtime/simulated/github/rest/api.ts";
import type { Json } from "../client.ts";
import { list, platform } from "./setup.ts";
import { send } from "./write-setup.ts";

const named = "/repos/octocat/hello-world";
const place = "/repos/{owner}/{repo}";

/** A read that must succeed with what GitHub's description says. */
async function read(path: string, described: string): Promise<Json> {
  const { status, body, text } = await send("GET", path);
  expect(status, text).toBe(200);
  expect(description.responseErrors({ method: "GET", path: described }, status, body), path).toEqual([]);
  return body;
}

/** The id of the first record of a list, which must have one. */
function firstId(records: Json | undefined): string {
  const [first] = list(records);
  expect(first?.["id"]).toBeDefined();
  return String(first?.["id"]);
}

describe("REST reads", () => {
  it("give a repository by its name, and by its number", async () => {
    const { status, body } = await send("GET", named);
    expect([status, body["full_name"]]).toEqual([200, "octocat/hello-world"]);
    expect((await send("GET", `/repositories/${body["id"]}`)).body).toEqual(body);
  });

  it("answer what GitHub describes", async () => {
    // The simulated platform calls no address elsewhere, and notes a delivery that failed.
    const config = { url: "https://receiver.example/hook", content_type: "json" };
    const made = await send("POST", `${named}/hooks`, { config, events: ["push"] });
    expect(description.responseErrors({ method: "POST", path: `${place}/hooks` }, made.status, made.body)).toEqual([]);
    await platform().world.hookSender.idle();
    const hook = firstId(await read(`${named}/hooks`, `${place}/hooks`));
    await read(`${named}/hooks/${hook}`, `${place}/hooks/{hook_id}`);
    firstId(await read(`${named}/hooks/${hook}/deliveries`, `${place}/hooks/{hook_id}/deliveries`));
    await read(`/gists/${firstId(await read("/gists", "/gists"))}`, "/gists/{gist_id}");
    const thread = firstId(await read("/notifications", "/notifications"));
    await read(`/notifications/threads/${thread}`, "/notifications/threads/{thread_id}");
    const run = firstId((await read(`${named}/actions/runs`, `${place}/actions/runs`))["workflow_runs"]);
    await read(`${named}/actions/runs/${run}`, `${place}/actions/runs/{run_id}`);
    const job = firstId((await read(`${named}/actions/runs/${run}/jobs`, `${place}/actions/runs/{run_id}/jobs`))["jobs"]);
    await read(`${named}/actions/jobs/${job}`, `${place}/actions/jobs/{job_id}`);
  });
});
