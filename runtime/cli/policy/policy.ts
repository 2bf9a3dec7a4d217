import { connectors } from "../../main/connectors.ts";
import { dryRunPolicy, policyOf } from "../../main/policy.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { milliseconds } from "../operator/duration.ts";
import { printRows } from "../output/output.ts";
import { out } from "../output/standard-output.ts";

interface PolicyFlags {
  readonly config: string | undefined;
}

/** `tenon policy check`: fails for a policy that cannot be used. */
export const check = {
  async run([path]: readonly string[], { config }: PolicyFlags): Promise<number> {
    const { settings } = readSettings(process.env, connectors, config);
    const rules = policyOf(settings, connectors, path).length;
    out.line(`The policy can be used: ${rules} ${rules === 1 ? "rule" : "rules"}.`);
    return 0;
  },
};

/** `tenon policy show`: the rules in their order. */
export const show = {
  async run([path]: readonly string[], { config }: PolicyFlags): Promise<number> {
    const { settings } = readSettings(process.env, connectors, config);
    const rows = policyOf(settings, connectors, path).map(
      (
        { key = null, connector = null, entity = null, action = null, fields = null, params = {}, effect, reason = null },
        index,
      ) => ({
        rule: index + 1,
        effect,
        key,
        connector,
        entity,
        action,
        fields,
        params: Object.entries(params).map(([name, patterns]) => `${name}=${patterns.join("|")}`),
        reason,
      }),
    );
    printRows(rows, "The policy has no rules: every write is allowed.");
    return 0;
  },
};

/** What the audit log does not have, though a rule looks at it. */
const missing = {
  fields: "a rule looks at fields, and this entry of an earlier version has none",
  values: "a rule looks at values, and the audit log has none",
} as const;

/** `tenon policy dry-run`: what the policy would have done with past writes. */
export const dryRun = {
  async run([path]: readonly string[], { since, config }: PolicyFlags & { readonly since: string | undefined }): Promise<number> {
    const { settings } = readSettings(process.env, connectors, config);
    const from = since === undefined ? 0 : Date.now() - milliseconds(since, "since");
    const past = await dryRunPolicy(policyOf(settings, connectors, path), settings, connectors, from);
    const counts = { allow: 0, reject: 0, require_approval: 0, unknown: 0 };
    const rows = past.map(({ decided, unknown, ...write }) => {
      const [effect = "allow", ...others] = new Set(decided.map((one) => one?.rule.effect ?? "allow"));
      counts[others.length === 0 ? effect : "unknown"] += write.writes;
      return {
        ...write,
        effect: [effect, ...others].join(" or "),
        cannot_tell: others.length === 0 || unknown === null ? null : missing[unknown],
        rules: decided.flatMap((one) => (one === undefined ? [] : [String(one.number)])),
      };
    });
    printRows(rows, "The audit log has no writes in this time.");
    const { allow, reject, require_approval: waiting, unknown } = counts;
    const sum = `Of ${allow + reject + waiting + unknown} writes, ${reject} would have been rejected, and ${waiting} would have waited for an approval.`;
    process.stderr.write(unknown === 0 ? `${sum}\n` : `${sum} The audit log does not say enough about ${unknown}.\n`);
    return 0;
  },
};
