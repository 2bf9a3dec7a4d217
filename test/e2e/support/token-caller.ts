import { once } from "node:events";
import { github } from "../../../generated/github/index.ts";
import { deriveKeys } from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { growingRedactor } from "../../../runtime/base/redact.ts";
import { endpointsOf } from "../../../runtime/execute/index.ts";
import { sourceOf } from "../../../runtime/main/instances/instance-credential.ts";
import { tokenVault } from "../../../runtime/main/instances/token-vault.ts";

// A process that asks for the token of an instance in many places at once, as a service does. Arguments: data directory, secret key,
// address of the platform, credential as JSON, number of askers. It says "ready", waits for a line, and prints the tokens as JSON.

const [dataDir = "", secret = "", rest = "", credential = "{}", askers = "1"] = process.argv.slice(2);
const store = openSqliteAccounts(dataDir);
await store.open();
const source = sourceOf({
  id: "user",
  connector: github,
  credential: JSON.parse(credential),
  endpoints: endpointsOf(github, { rest }),
  vault: tokenVault({ store, secured: { keys: deriveKeys([secret]) } }, "user"),
  userAgent: "tenon/test",
  redactor: growingRedactor([], []),
});
process.stdout.write("ready\n");
await once(process.stdin, "data");
const got = await Promise.all(Array.from({ length: Number(askers) }, () => source.credential()));
process.stdout.write(`${JSON.stringify(got.map(({ values }) => values["token"]))}\n`);
await store.close();
process.exit(0);
