import { serveSimulator } from "../../simulator/serve-thread.ts";
import { graphqlPath, ownerToken } from "./tokens.ts";

await serveSimulator({
  token: ownerToken,
  graphqlPath,
  platform: async () => (await import("./platform.ts")).simulatedGithub,
});
