import type { AccountStore } from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import type { NewConnector } from "../../../runtime/main/index.ts";

/** Does something with the accounts in a data directory as a command does it: from outside of the service. */
export async function withAccounts<Result>(dataDir: string, work: (store: AccountStore) => Promise<Result>): Promise<Result> {
  const store = openSqliteAccounts(dataDir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A new instance of GitHub without any optional value. The test adds the id and the credential. */
export const plainConnector: Omit<NewConnector, "id" | "credential"> = {
  connector: "github",
  workspace: undefined,
  organization: undefined,
  rest: undefined,
  graphql: undefined,
  variables: [],
  scopes: [],
  minutes: 60,
};
