import { hour, type Seed } from "./seed.ts";

/** A webhook that its owner has switched off after its address had failed. */
export function seedHooks({ world }: Seed): void {
  const repository = world.repositories.find(({ owner, name }) => owner.login === "octocat" && name === "hello-world");
  if (repository === undefined) throw new Error("the main repository is made first");
  const payload = {
    action: "closed",
    repository: { name: "hello-world", full_name: "octocat/hello-world", owner: { login: "octocat" } },
  };
  world.hooks.push({
    id: 501,
    repository,
    config: { url: "https://ci.example.com/github", content_type: "json", secret: "open sesame" },
    events: ["issues", "push"],
    active: false,
    createdAt: hour(2_000),
    updatedAt: hour(3_000),
    lastStatus: 502,
    deliveries: [
      {
        id: 12_001,
        guid: "5d3a1c52-93f1-4f0e-8a4e-0b6d2c1f7e90",
        event: { name: "issues", payload },
        redelivery: false,
        deliveredAt: Date.parse(hour(2_999)),
        duration: 0.27,
        status: 502,
      },
    ],
    seen: new Map(),
  });
}
