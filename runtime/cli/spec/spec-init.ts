import { createInterface } from "node:readline/promises";
import { type Initialized, initSpec } from "../../../generator/index.ts";
import { CommandError, refuse } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { checkConnectorName } from "./connector-name.ts";
import { writeDiagnostics } from "./diagnostics.ts";

interface InitFlags {
  readonly graphql: string | undefined;
  readonly openapi: string | undefined;
  readonly only: readonly string[];
  readonly spec: string | undefined;
}

/**
 * `tenon spec init`: 0 when the draft generates, 1 when something in it is left to mend. On a terminal it asks what the
 * description cannot tell.
 */
export const specInit = {
  run: async (
    [name = ""]: readonly string[],
    { graphql, openapi, only, spec = "spec" }: InitFlags,
    words: readonly string[],
  ): Promise<number> => {
    checkConnectorName(name, words);
    if ((graphql === undefined) === (openapi === undefined))
      throw new CommandError(
        "give the description of the platform with one of --graphql and --openapi; where the platform publishes none, write an OpenAPI file with the calls that you need",
        exitStatus.usage,
      );
    const names = only.flatMap((text) => text.split(",")).filter((text) => text !== "");
    const terminal = process.stdin.isTTY && process.stderr.isTTY ? createInterface(process.stdin, process.stderr) : undefined;
    const ask = terminal && ((question: string, fallback: string) => terminal.question(`${question} [${fallback}]: `));
    const made = await initSpec({ name, graphql, openApi: openapi, only: names, spec, ask })
      .catch(refuse(exitStatus.usage))
      .finally(() => terminal?.close());
    const { folder, entities, fields, actions, todos, left, open } = made;
    if (out.isTTY) for (const line of summary(made)) out.line(line);
    else out.line(JSON.stringify({ event: "drafted", folder, entities, fields, actions, todos, left, open }));
    writeDiagnostics(made.diagnostics);
    return made.diagnostics.length === 0 ? 0 : 1;
  },
};

function summary({ folder, entities, fields, actions, todos, left, open, diagnostics }: Initialized): string[] {
  return [
    `wrote ${folder}/: ${entities} entities, ${fields} fields, ${actions} actions`,
    ...(left.length === 0 ? [] : ["left out, because it would not generate:", ...left.map((line) => `  ${line}`)]),
    ...(todos === 0 ? [] : [`${todos} texts are TODO: search for the word and write them`]),
    ...(open.length === 0 ? [] : ["to decide or check:", ...open.map((line) => `  ${line}`)]),
    diagnostics.length === 0 ? "next: tenon generate" : "next: correct what is reported, then tenon generate",
  ];
}
