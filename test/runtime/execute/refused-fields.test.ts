import { expect, it } from "vitest";
import type { Connector } from "../../../runtime/contract/index.ts";
import { fakeInstance, run, unpaced } from "../../support/fake-instance.ts";

// A platform whose refusals have a text for each wrong field, and the time to wait in the body.

const { errors } = unpaced.platform;
const places = { message: ["message"], fields: ["errors"], retry: ["wait"] };
const connector: Connector = { ...unpaced, platform: { ...unpaced.platform, errors: { ...errors, places } } };
const create = { entity: "issues", action: "create", params: { owner: "o", repo: "r", title: "t", labels: ["a"] } };
const refusal = (status: number, body: object) => fakeInstance(() => Response.json(body, { status }), "t", connector).instance;

it("points to each param that the platform refuses, and tells of the others", async () => {
  const body = { message: "Invalid", errors: { title: "It is taken.", labels: ["There is no a."], color: "It is wrong." } };
  const refused = await run(refusal(422, body), create).catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({
    code: "platform_rejected",
    faults: [
      { pointer: "/params/title", message: "It is taken." },
      { pointer: "/params/labels", message: "There is no a." },
    ],
  });
  expect(String(refused)).toContain("It says: Invalid. title: It is taken. labels: There is no a. color: It is wrong.");
});

it("waits as long as the body says", async () => {
  const refused = run(refusal(429, { message: "Too many", wait: 30 }), create);
  await expect(refused).rejects.toMatchObject({ code: "rate_limited", retryAfter: 30 });
});
