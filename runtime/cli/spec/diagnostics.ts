import { type Diagnostic, formatDiagnostic } from "../../../generator/index.ts";

/** Writes what is wrong in specs on standard error: one line each, on a terminal to be read, elsewhere as JSON. */
export function writeDiagnostics(
  diagnostics: readonly Diagnostic[],
  out: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
): void {
  for (const one of diagnostics) out.write(`${out.isTTY === true ? formatDiagnostic(one) : JSON.stringify(one)}\n`);
}
