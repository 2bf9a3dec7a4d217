import { startPlatform } from "../../support/github/start.ts";

// The simulated platform as a process of its own, without a quota that ends.

const platform = await startPlatform();
platform.fail({ kind: "quota", remaining: 10_000_000, limit: 10_000_000 });
process.stdout.write(`${platform.url}\n`);
