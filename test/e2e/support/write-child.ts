import { writeSync } from "node:fs";
import { github } from "../../../generated/github/index.ts";
import { startService } from "../../../runtime/main/index.ts";
import type { Settings } from "../../../runtime/main/settings/settings.ts";
import { withoutPace } from "../../support/simulated.ts";

// A service that is killed while it writes. Its settings are the last argument, as JSON. It prints its address.

const settings = JSON.parse(process.argv.at(-1) ?? "") as Settings;
const service = await startService(settings, {
  sink: { write: () => undefined },
  connectors: [withoutPace(github)],
  role: "serve",
});
await service.ready;
writeSync(1, `${service.url}\n`);
