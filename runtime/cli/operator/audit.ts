import { visibleText } from "../../base/visible-text.ts";
import { auditEntries } from "../../main/accounts.ts";
import { connectors } from "../../main/connectors.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { out, outputGone, outputRead } from "../output/standard-output.ts";
import { type AuditFilter, checkOutcomes, fitsAudit, SeenValues } from "./audit-filter.ts";
import { milliseconds } from "./duration.ts";

interface AuditFlags extends AuditFilter {
  readonly since: string | undefined;
  readonly config: string | undefined;
}

/** `tenon audit`: prints the audit log as JSON lines, the earliest entry first. @throws SettingsError, CommandError */
export async function run(_args: readonly string[], { since, config, ...wanted }: AuditFlags): Promise<number> {
  checkOutcomes(wanted.outcome);
  const { settings } = readSettings(process.env, connectors, config);
  const from = since === undefined ? 0 : Date.now() - milliseconds(since, "since");
  const seen = new SeenValues();
  for await (const found of auditEntries(settings, from)) {
    seen.of(found);
    if (!fitsAudit(found, wanted)) continue;
    const { at, requestId, number: _number, by, on, ...entry } = found;
    const names = {
      ...(by === undefined ? {} : { caller_name: by.name }),
      ...(on === undefined ? {} : { target_name: on.name, target_rights: on.grant.rights }),
    };
    // Entries of earlier versions may have an intent with characters that turn the direction of text.
    const line = visibleText(JSON.stringify({ at: new Date(at).toISOString(), ...entry, ...names, request_id: requestId }));
    // A reader that does not keep up must not make the lines pile up in memory.
    if (!out.line(line)) await outputRead();
    if (outputGone.aborted) return 0;
  }
  for (const line of seen.missing(wanted)) console.error(visibleText(line));
  return 0;
}
