import { openPostgresAccounts } from "../../../runtime/accounts/postgres/postgres-account-store.ts";
import { openDatabase } from "../../../runtime/postgres/index.ts";

// A process that changes accounts as fast as it can, and prints the id of each change that was acknowledged. It is killed.

const store = openPostgresAccounts(openDatabase(process.argv[2] ?? "", { connections: 2 }));
const name = process.argv[3] ?? "";
for (let serial = 0; ; serial++) {
  const target = `${name}-${serial}`;
  const rest = { caller: "chaos", action: "change", outcome: "done", times: 1, requestId: null, intent: null };
  await store.audit([{ at: Date.now(), target, ...rest }]).then(
    () => process.stdout.write(`${target}\n`),
    () => undefined,
  );
}
