import { documentsEmitter } from "./documents.ts";
import type { Emitter } from "./emitter.ts";
import { handlersEmitter } from "./handlers.ts";
import { indexEmitter, referenceEmitter } from "./reference.ts";
import { registryEmitter } from "./registry.ts";
import { sharedEmitter } from "./shared.ts";
import { validatorsEmitter } from "./validators.ts";

/** Every emitter, in order. */
export const emitters: readonly Emitter[] = [
  sharedEmitter,
  handlersEmitter,
  validatorsEmitter,
  documentsEmitter,
  registryEmitter,
  referenceEmitter,
  indexEmitter,
];
