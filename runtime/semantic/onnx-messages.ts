/** A request to the process that runs a transformer. */
export type OnnxRequest = { readonly kind: "open"; readonly folder: string } | OnnxEmbed;

export interface OnnxEmbed {
  readonly kind: "embed";
  readonly id: number;
  readonly texts: readonly string[];
  /** Whether the texts come before those of other requests. */
  readonly urgent: boolean;
}

export type OnnxAnswer =
  | { readonly kind: "opened"; readonly name: string; readonly dims: number }
  | { readonly kind: "unusable"; readonly problem: string }
  | { readonly kind: "embedded"; readonly id: number; readonly vectors: readonly Float32Array[]; readonly cut: boolean }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
