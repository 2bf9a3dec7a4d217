import type { SimulatedPlatform } from "../../simulator/simulated-platform.ts";
import type { Viewer } from "./access.ts";
import { admit, standingHeaders } from "./admit.ts";
import { grantAnswer } from "./grants/answer.ts";
import { graphqlApi } from "./graphql/api.ts";
import { limitExceeded } from "./limit.ts";
import { restApi } from "./rest/api.ts";
import { seedWorld } from "./seed/world.ts";
import type { World } from "./world/world.ts";

// Decision 21 in runtime/site/text/decisions-service.md says why this platform is code.

/** GitHub, as the simulating machine takes it. */
export const simulatedGithub: SimulatedPlatform<World, Viewer> = {
  seed: seedWorld,
  web: "https://github.com",
  admit,
  aside: grantAnswer,
  quota: {
    perHour: 5000,
    account: ({ user }) => user.login,
    exceeded: (api, { user }) => limitExceeded(api, user.databaseId),
  },
  headers: standingHeaders,
  graphql: graphqlApi,
  rest: restApi,
  changed: ({ hookSender, hooks }) => hookSender.tell(hooks),
};
