import { expect, it } from "vitest";
import { type AccountStore, deriveKeys } from "../../../../runtime/accounts/index.ts";
import type { Connector } from "../../../../runtime/contract/index.ts";
import { checkedConnector } from "../../../../runtime/main/operator/added-connectors.ts";
import { plainConnector } from "../../../e2e/support/accounts.ts";
import { standIn } from "../../../support/shaped.ts";
import { tiny } from "../../../support/tiny-connector.ts";

const { rest: _rest, ...platform } = tiny.platform;
/** A connector with GraphQL alone, whose address has a variable. */
const hosted: Connector = {
  ...tiny,
  platform: {
    ...platform,
    graphql: { url: "https://{host}/graphql", env: "HOSTED_URL" },
    variables: { host: { env: "HOSTED_HOST", doc: "Its host.", example: "example.com" } },
  },
};

const check = (host: string, graphql?: string) =>
  checkedConnector(
    {
      store: standIn<AccountStore>({ instance: async () => undefined }),
      keys: deriveKeys(["a secret key of more than thirty-two characters"]),
      connectors: [hosted],
      allowPrivate: false,
      platforms: {},
    },
    { ...plainConnector, connector: "tiny", id: "mine", graphql, variables: [`host=${host}`], credential: { text: "t" } },
  );

it("an address that follows from a variable is checked where it is used", async () => {
  expect(await check("example.com")).toMatchObject({ graphql: null, variables: { host: "example.com" } });
  await expect(check("10.0.0.7")).rejects.toMatchObject({ faults: [{ pointer: "/variable", code: "bad_address" }] });
  const own = "https://example.com/graphql";
  expect(await check("10.0.0.7", own)).toMatchObject({ graphql: own });
});
