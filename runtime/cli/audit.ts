import { auditEntries, connectors } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { milliseconds } from "./duration.ts";

interface AuditFlags {
  readonly since: string | undefined;
  readonly config: string | undefined;
}

/** `tenon audit`: prints the audit log as JSON lines, the earliest entry first. */
export async function run(_args: readonly string[], { since, config }: AuditFlags): Promise<number> {
  const { settings } = readSettings(process.env, connectors, config);
  const from = since === undefined ? 0 : Date.now() - milliseconds(since, "since");
  for await (const { at, requestId, number: _number, ...entry } of auditEntries(settings, from)) {
    const line = JSON.stringify({ at: new Date(at).toISOString(), ...entry, request_id: requestId });
    // A reader that does not keep up must not make the lines pile up in memory.
    if (!process.stdout.write(`${line}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
  return 0;
}
