import type { SelectedField } from "../../../simulator/graphql/document.ts";
import { locations } from "../../../simulator/graphql/locations.ts";
import type { PlatformError } from "../../../simulator/graphql/platform-error.ts";
import { hasScope, type Token } from "../tokens.ts";

/** Types every field of which needs one of these scopes. */
const byType: Readonly<Record<string, readonly string[]>> = {
  Team: ["read:org", "read:discussion"],
  TeamConnection: ["read:org", "read:discussion"],
  TeamMemberConnection: ["read:org"],
  TeamRepositoryConnection: ["read:org"],
  ProjectV2: ["read:project"],
  ProjectV2Connection: ["read:project"],
  ProjectV2Item: ["read:project"],
  ProjectV2ItemConnection: ["read:project"],
  ProjectV2FieldConfigurationConnection: ["read:project"],
};

const byField: Readonly<Record<string, readonly string[]>> = {
  "User.email": ["user:email", "read:user"],
  "Organization.organizationBillingEmail": ["admin:org"],
  "Organization.pendingMembers": ["admin:org"],
};

/** One error for each field that the token may not select; a single one refuses the whole document. */
export function scopeErrors(fields: readonly SelectedField[], token: Token): PlatformError[] {
  return fields.flatMap((field) => {
    const name = field.node.name.value;
    const needed = byField[`${field.parent}.${name}`] ?? (name === "__typename" ? undefined : byType[field.parent]);
    if (needed === undefined || needed.some((scope) => hasScope(token, scope))) return [];
    const list = (scopes: readonly string[]) => `[${scopes.map((scope) => `'${scope}'`).join(", ")}]`;
    const message =
      "Your token has not been granted the required scopes to execute this query. " +
      `The '${name}' field requires one of the following scopes: ${list(needed)}, but your token has only been granted the: ` +
      `${list([...token.scopes].sort())} scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`;
    return [{ type: "INSUFFICIENT_SCOPES", locations: locations(field.node.loc), message }];
  });
}
