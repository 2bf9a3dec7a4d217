import type { ConnectorEmitter, EntityEmitter } from "./emitter.ts";

type Emitter = { readonly name: string } & (
  | { readonly for: "connector"; readonly load: () => Promise<ConnectorEmitter> }
  | { readonly for: "entity"; readonly load: () => Promise<EntityEmitter> }
);

/** Every emitter, in order. Each is loaded when it has something to emit, because their libraries take long to load. */
export const emitters: readonly Emitter[] = [
  { name: "shared", for: "connector", load: async () => (await import("./shared.ts")).sharedEmitter },
  { name: "handlers", for: "entity", load: async () => (await import("./handlers.ts")).handlersEmitter },
  { name: "validators", for: "entity", load: async () => (await import("./validators.ts")).validatorsEmitter },
  { name: "documents", for: "entity", load: async () => (await import("./documents.ts")).documentsEmitter },
  { name: "registry", for: "connector", load: async () => (await import("./registry.ts")).registryEmitter },
  { name: "client", for: "connector", load: async () => (await import("./client.ts")).clientEmitter },
  { name: "openapi", for: "connector", load: async () => (await import("./openapi.ts")).openapiEmitter },
  { name: "reference", for: "entity", load: async () => (await import("./reference.ts")).referenceEmitter },
  { name: "reference index", for: "connector", load: async () => (await import("./reference.ts")).indexEmitter },
];
