import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { followPages } from "../docs/follow.ts";
import { type Installed, installPacked } from "./packed.ts";

// Pages that are followed from the top to the bottom by somebody who has a clone of the repository and nothing else.

const root = join(import.meta.dirname, "../..");
/** The pages that are read one after the other. */
const journeys = [
  ["quickstart-agent"],
  ["quickstart-team"],
  ["quickstart-connector"],
  ["quickstart-typescript", "typescript"],
  ["sync"],
  ["approve-writes", "policy"],
];

let installed: Installed;
let npmCache: string;
beforeAll(async () => {
  installed = await installPacked();
  npmCache = join(dirname(installed.folder), "npm-cache");
  // The packages are built for it, which takes minutes on a busy machine.
}, 400_000);
afterAll(() => installed.remove());

describe("the quickstarts", () => {
  // For a slow network: packages are fetched.
  it.each(journeys.map((names) => [names.join(", then "), names] as const))(
    "%s: work from the top to the bottom",
    { timeout: 400_000 },
    async (_title, names) => {
      const place = mkdtempSync(join(tmpdir(), "tenon-quickstart-"));
      const folder = join(place, "tenon");
      mkdirSync(folder);
      // A clone that is built: the tests read and write no folder that others use at the same time.
      symlinkSync(join(installed.own, "runtime"), join(folder, "runtime"));
      symlinkSync(join(dirname(installed.tarball), "source/dist"), join(folder, "dist"));
      // Where the network has a certificate of its own, npm needs it.
      const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
      const env = {
        npm_config_cache: npmCache,
        npm_config_audit: "false",
        ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
      };
      try {
        const files = names.map((name) => join(root, `runtime/site/text/${name}.md`));
        await followPages(files, { folder, env, root, made: ["build"] });
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  );
});
