import { expect, it } from "vitest";
import { eventSubscriptionId, refusalOf } from "../../../runtime/subscriptions/event.ts";
import { newSecret } from "../../../runtime/subscriptions/signature.ts";

const asked = { url: "https://receiver.example/", secret: newSecret(), id: "sub_1" };

/** Why a receiver that responds in this way does not want deliveries. @param response gets the challenge */
const refusal = (response: (challenge: string) => Response) =>
  refusalOf(async (_url, init) => response(JSON.parse(String(init?.body)).challenge), asked);

it.each<[what: string, response: (challenge: string) => Response, reason: string | undefined]>([
  ["repeats the challenge", (challenge) => Response.json({ challenge }), undefined],
  ["repeats another one", (challenge) => Response.json({ challenge: `${challenge}x` }), "challenge_failed"],
  ["repeats it as something else than JSON", (challenge) => new Response(challenge), "challenge_failed"],
  ["sends JSON that is not an object", (challenge) => Response.json(challenge), "challenge_failed"],
  ["sends a challenge that is not a string", () => Response.json({ challenge: 1 }), "challenge_failed"],
  ["repeats it with an error", (challenge) => Response.json({ challenge }, { status: 403 }), "http_4xx"],
])("a receiver that %s has not given its consent", async (_what, response, reason) => {
  expect(await refusal(response)).toBe(reason);
});

it("a client finds its subscription again after an upgrade: the id stays the same for the same caller, address, event and arguments", () => {
  const id = (args: object) => eventSubscriptionId("key_1", "https://receiver.example/", "issues.changed", args);
  expect(id({ owner: "octocat", repo: "hello-world" })).toBe("sub_d9b8cbb1000ff2bf7a33dc6c");
  expect(id({ repo: "hello-world", owner: "octocat" })).toBe("sub_d9b8cbb1000ff2bf7a33dc6c");
  expect(id({ owner: "octocat", repo: "other" })).not.toBe("sub_d9b8cbb1000ff2bf7a33dc6c");
});
