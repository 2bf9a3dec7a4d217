import type { SyncPosition } from "../store/store.ts";

/** The position of the same pass at the beginning of a step. */
export function atStep({ pass, full, source, newest, parts, began, met }: SyncPosition, step: number): SyncPosition {
  return {
    pass,
    full,
    step,
    ...(source === undefined ? {} : { source }),
    ...(newest === undefined ? {} : { newest }),
    ...(parts === undefined ? {} : { parts }),
    ...(began === undefined ? {} : { began }),
    ...(met === undefined ? {} : { met }),
  };
}
