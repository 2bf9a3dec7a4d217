import { serveSimulator } from "../../runtime/simulator/serve-thread.ts";

// A simulator that listens, and then cannot load its platform.

await serveSimulator({ token: "none", platform: () => Promise.reject(new Error("the data set is spoilt")) });
