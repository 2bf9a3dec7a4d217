import type { Passage } from "./passages.ts";

/** A request to the thread that cuts and embeds texts. */
export type ThreadRequest =
  | { readonly kind: "cut"; readonly id: number; readonly texts: readonly string[] }
  | { readonly kind: "embed"; readonly id: number; readonly model: string; readonly texts: readonly string[] };

export type ThreadAnswer =
  | { readonly kind: "cut"; readonly id: number; readonly value: readonly (readonly Passage[])[] }
  | { readonly kind: "embed"; readonly id: number; readonly value: readonly Float32Array[] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
