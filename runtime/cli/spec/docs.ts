import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../main/own-command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

interface DocsFlags {
  readonly generated: string | undefined;
  readonly out: string | undefined;
}

/** `tenon docs`: builds the pages of the connectors in a folder that `tenon generate` has written. */
export const docs = {
  run: async (_args: readonly string[], { generated = "generated", out = "dist/docs" }: DocsFlags): Promise<number> => {
    if (!existsSync(join(generated, "index.ts")))
      throw new CommandError(
        `there are no generated connectors in "${generated}"; run \`tenon generate\` first`,
        exitStatus.usage,
      );
    // A program of its own: the site is made from the commands too, so it comes after them.
    const builder = ["runtime/site/main.ts", "dist/runtime/site/main.js"].map((path) => join(root, path)).find(existsSync);
    if (builder === undefined) throw new CommandError(`the builder of pages is missing in ${root}`, exitStatus.unavailable);
    const child = spawn(process.execPath, [builder, "--generated", generated, "--out", out], { stdio: "inherit" });
    const [status] = await once(child, "exit");
    return typeof status === "number" ? status : 1;
  },
};
