import { markdownTable } from "../../generator/print/markdown.ts";
import { maxFaults } from "../base/errors.ts";
import { attemptLimits, bytesText, requestLimits } from "../base/request-limits.ts";
import { schemaNames, searchLimits, semanticLimits, sqlAction, storeAction, storeLimits } from "../contract/index.ts";
import { settingsTable } from "../main/settings/settings-table.ts";
import { type ConnectorSource, titleOf } from "./sources.ts";

// Tables of the page of limits. Their numbers are the constants by which the program decides.

const number = (value: number) => value.toLocaleString("en-US");

/** What one request may have. */
export function requestTable(): string {
  const { depth, nodes, values, sortKeys, text, groupFields, groups } = searchLimits;
  const {
    body,
    webhook,
    depth: bodyDepth,
    values: bodyValues,
    growth,
    growthFrom,
    pieces,
    pieceBytes,
    form,
    headers,
    headersSeconds,
    seconds,
  } = requestLimits;
  const { ahead, aheadOfHasty, members, metaMembers, messageValues, idempotencyKey, intent, fields, fieldKeys } = requestLimits;
  return markdownTable(
    ["what", "limit"],
    [
      ["body of a request", bytesText(body)],
      ["delivery of a platform's webhook", bytesText(webhook)],
      ["lists and objects of a body within each other", number(bodyDepth)],
      ["values of a body: members and elements at any depth", number(bodyValues)],
      ["members of one object of a body", number(members)],
      ["members of `_meta` in a message of MCP", number(metaMembers)],
      ["values of a message of MCP, not counting the arguments of a tool", number(messageValues)],
      [`growth of a compressed body that unpacks to more than ${bytesText(growthFrom)}`, `${growth} times`],
      [
        `bytes of a piece (chunk) of a body that comes in more than ${number(pieces)}, on average`,
        `at least ${number(pieceBytes)}`,
      ],
      ["form with which a client requests a token", bytesText(form)],
      ["headers of a request, together", bytesText(headers)],
      ["time until all headers, and until the whole request has come in", `${headersSeconds} s, ${seconds} s`],
      ["requests that a connection may send ahead", number(ahead)],
      ["the same for a minute after a connection from the same address had more", number(aheadOfHasty)],
      ["characters of the header `Idempotency-Key`", `1 to ${idempotencyKey}`],
      ["characters of `intent`", number(intent)],
      ["names in `fields`", `${number(fields)}, each path with at most ${fieldKeys} keys`],
      ["depth of a filter", number(depth)],
      ["conditions in a filter", number(nodes)],
      ["values in one `in`", number(values)],
      ["keys of a sort", number(sortKeys)],
      ["characters of a text in a filter", number(text)],
      ["fields in `groupBy`", number(groupFields)],
      ["groups in a response", number(groups)],
      ["faults that one error reports", number(maxFaults)],
    ],
  );
}

/** What one address may do in a minute. */
export function attemptTable(): string {
  const { failures, lookups, tokens } = attemptLimits;
  return markdownTable(
    ["what one address may do in a minute", "limit"],
    [
      ["send a wrong key, token or client secret", number(failures)],
      ["send a wrong key or token that has the form of a real one, before new ones are refused without a look", number(lookups)],
      ["get access tokens for one client", number(tokens)],
    ],
  );
}

/** What the parameters of actions that count records allow, by connector, and the limits of searches. */
export function countTable(connectors: readonly ConnectorSource[]): string {
  const rows = connectors.flatMap((connector) =>
    [...countsOf(connector)].map(([range, actions]) => {
      const [param = "", bounds = "", fallback = ""] = range.split("|");
      return [`${titleOf(connector)}: \`${param}\``, bounds, fallback, actionsText(actions)];
    }),
  );
  const search = ["`limit`", `1 to ${number(storeLimits.most)}`, number(storeLimits.default), "every cached search, and SQL"];
  const semantic = ["`limit`", `1 to ${number(semanticLimits.most)}`, number(semanticLimits.default), "every search by meaning"];
  return markdownTable(["parameter", "limit", "default", "of"], [...rows, search, semantic]);
}

/** Names of actions by the range of a parameter of theirs that has a range and a default: `name|1 to 100|30`. */
function countsOf({ openapi }: ConnectorSource): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(openapi.components.schemas)) {
    const action = /^(.+)\.params$/.exec(name)?.[1];
    if (action === undefined || action.endsWith(`.${storeAction}`) || name === schemaNames("", sqlAction).params) continue;
    for (const [param, { minimum, maximum, default: fallback }] of Object.entries(schema.properties ?? {})) {
      if (minimum === undefined || maximum === undefined || fallback === undefined) continue;
      const range = `${param}|${number(minimum)} to ${number(maximum)}|${number(Number(fallback))}`;
      found.set(range, [...(found.get(range) ?? []), action]);
    }
  }
  return found;
}

function actionsText(actions: readonly string[]): string {
  return actions.length > 4 ? `${actions.length} actions` : actions.map((action) => `\`${action}\``).join(", ");
}

/** What ends an answer of a cached search. */
export function answerTable(): string {
  return markdownTable(
    ["what ends a response of a cached search", "limit"],
    [
      ["the `limit` of the request", `at most ${number(storeLimits.most)} records`],
      ["the size of its records", `about ${bytesText(storeLimits.bytes)}`],
      ["a sort by a long text", `${number(storeLimits.byText)} records`],
    ],
  );
}

/** Settings that bound what callers may cost. */
const bounding = [
  "maxRequests",
  "maxConnections",
  "maxUnsentMib",
  "timeoutMs",
  "callerRequests",
  "callerConcurrent",
  "callerWrites",
  "callerPoints",
  "callerPlatformShare",
  "callerWaitMs",
  "callerSearchSeconds",
  "callerBodyMib",
  "callerCpuSeconds",
] as const satisfies readonly (keyof typeof settingsTable)[];

/** What all callers, and what one of them may cost. */
export function serviceTable(): string {
  const rows = bounding.map((name) => {
    const { env, default: fallback, doc } = settingsTable[name];
    return [`\`${env}\``, `\`${JSON.stringify(fallback)}\``, doc];
  });
  return markdownTable(["setting", "default", "what it bounds"], rows);
}
