import { isMainThread, parentPort } from "node:worker_threads";
import { startPlatform } from "./platform.ts";
import { ownerToken } from "./tokens.ts";

const port = Number(process.env["PLATFORM_PORT"] ?? 0);
const { url, graphqlUrl } = await startPlatform({ port });
if (isMainThread) process.stdout.write(`${JSON.stringify({ url, graphqlUrl, token: ownerToken })}\n`);
else parentPort?.postMessage({ url, graphqlUrl, token: ownerToken });
