import { workerData } from "node:worker_threads";
import { serveSimulator } from "../serve-thread.ts";
import { readPlatformFile } from "./platform-file.ts";

// Serves a platform that a YAML file tells of. The address of the file is what this thread was given, or the first argument.

const given = (workerData as { data?: string } | null)?.data ?? process.argv[2];
if (given === undefined) throw new Error("the address of a file with records is missing");
const read = readPlatformFile(new URL(given, `file://${process.cwd()}/`));
const { file } = read;
await serveSimulator({
  token: file.token,
  ...(file.graphql === undefined ? {} : { graphqlPath: file.graphql.path }),
  platform: async () => (await import("./platform.ts")).describedPlatform(read),
});
