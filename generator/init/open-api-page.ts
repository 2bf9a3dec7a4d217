import { alternatives, jsonTypes, propertyNames, propertySchema, schemaAt } from "../model/json-schema.ts";
import type { JsonSchema, PlatformDescription, RestCall } from "../model/platform-description.ts";
import { queryParams } from "../model/query-params.ts";
import { pageSign } from "../model/unpaged-list.ts";
import { type Draft, pageParams, todo } from "./draft.ts";

/** How a list is paged, as far as a description tells it by the names that most platforms use. */
export interface DraftPage {
  /** Undefined for a list that comes whole, `TODO` for one whose pages the description does not explain. */
  readonly page: Draft | "link" | typeof todo | undefined;
  /** The names among which the author finds how the list is paged, in words. */
  readonly signs: string;
  readonly params: {
    /** The parameters of the action for pages. */
    readonly own: Draft;
    /** Names of the platform's parameters that the paging takes. */
    readonly taken: readonly string[];
  };
}

const sizes = [
  "page[size]",
  "page[limit]",
  "per_page",
  "page_size",
  "pageSize",
  "perPage",
  "limit",
  "count",
  "max_results",
  "maxResults",
  "size",
];
const cursors = [
  "page[after]",
  "page[cursor]",
  "cursor",
  "after",
  "page_token",
  "pageToken",
  "nextPageToken",
  "next_page_token",
  "next_token",
  "start_cursor",
];
/** Parameters that take the id of the last record of the page before. */
const lasts = ["starting_after", "after_id", "since_id"];
const offsets = ["page[offset]", "offset", "skip", "startAt", "start_at"];
const numbers = ["page[number]", "page", "page_number", "pageNumber"];

export function pageOf(call: RestCall, platform: PlatformDescription): DraftPage {
  // A search by POST has its paging in the body.
  const inBody = call.body === undefined ? [] : propertyNames(call.body, platform);
  const query = queryParams(call, platform);
  const holders = query.filter((one) => query.some(({ name }) => name.startsWith(`${one.name}[`))).map(({ name }) => name);
  const names = [...query.map(({ name }) => name).filter((name) => !holders.includes(name)), ...inBody];
  const first = (wanted: readonly string[]) => wanted.find((name) => names.includes(name));
  const [size, cursor, last, offset, number] = [first(sizes), first(cursors), first(lasts), first(offsets), first(numbers)];
  const ofPages = [size, cursor, last, offset, number].filter((name) => name !== undefined);
  // A platform with two ways of paging has a size for each.
  const others = names.filter(
    (name) => /^(before|ending_before|prev|page\[before\])/.test(name) || (size !== undefined && sizes.includes(name)),
  );
  const taken = [...ofPages, ...others, ...holders.filter((name) => ofPages.some((one) => one.startsWith(`${name}[`)))];
  const places = placesIn(call, platform);
  const typesOf = (schema: JsonSchema | undefined) =>
    schema === undefined ? [] : alternatives(schema, platform).flatMap(jsonTypes);
  const typesAt = (path: string) => typesOf(schemaAt(call.answer ?? {}, path.split("."), platform));
  const address = places.find(
    (path) =>
      /(^|[._])(next|next_page|nextPage|next_url)(\.(href|uri|url))?$/.test(path) &&
      !/(cursor|token)/i.test(path) &&
      typesAt(path).every((type) => type === "string" || type === "null"),
  );
  // A next offset that is a text is a cursor, and not a number of records.
  const mark = places.find((path) => /(^|[._])offset$/.test(path) && typesAt(path).includes("string"));
  const isMark = mark !== undefined && typesOf(query.find(({ name }) => name === offset)?.schema).includes("string");
  const next = places.find((path) =>
    /(next_cursor|nextCursor|next_page_token|nextPageToken|next_token|cursor\.after|after|after_cursor|end_cursor)$/.test(path),
  );
  const more = places.find((path) => /(^|\.)(more|has_more|hasMore|has_next|hasNextPage)$/.test(path));
  const lastPage = places.find((path) => /(^|\.)(last|is_last|isLast|last_page|lastPage|end_of_stream)$/.test(path));
  // A plain `count` is the number of records in this page on some platforms.
  const total =
    places.find((path) => /(^|\.)(total|total_?(count|items|results|records|size|elements))$/i.test(path)) ??
    (address === undefined ? undefined : places.find((path) => /(^|\.)count$/.test(path)));
  const list = places.find((path) => schemaAt(call.answer ?? {}, [...path.split("."), "0"], platform) !== undefined);
  const token = places.find((path) => /(^|[._])(next|next_page|nextPage)$/.test(path));
  const flag = more !== undefined ? { more } : isFlag(lastPage, call, platform) ? { last: lastPage } : {};
  const end = Object.keys(flag).length > 0 ? flag : total !== undefined ? { total } : { end: "short" };
  const page =
    cursor !== undefined && next !== undefined
      ? { by: "cursor", param: cursor, next, ...flag }
      : offset !== undefined && isMark
        ? { by: "cursor", param: offset, next: mark, ...flag }
        : last !== undefined && list !== undefined && size !== undefined
          ? { by: "cursor", param: last, next: `${list}[-1].id`, ...flag }
          : number !== undefined && token !== undefined && Object.keys(flag).length > 0
            ? { by: "cursor", param: number, next: token, ...flag }
            : call.links
              ? "link"
              : address !== undefined && size !== undefined
                ? { by: "address", next: address }
                : offset !== undefined && size !== undefined
                  ? { by: "offset", param: offset, ...end }
                  : number !== undefined && size !== undefined
                    ? { by: "number", param: number, ...end }
                    : undefined;
  const isPaged = [size, cursor, last, offset, number, address, next, more, pageSign(call.answer ?? {}, platform)].some(
    (sign) => sign !== undefined,
  );
  const lacks = page !== undefined && size === undefined ? "No param says how many records a page has. " : "";
  const signs = `${lacks}Query params: ${listed(names)}; next to the list: ${listed(places)}`;
  if (page === undefined || size === undefined) return { page: isPaged ? todo : undefined, signs, params: { own: {}, taken } };
  const { maximum: most, default: usual } =
    query.find((one) => one.name === size)?.schema ??
    (call.body === undefined ? undefined : propertySchema(call.body, size, platform)) ??
    {};
  const largest = typeof most === "number" ? Math.min(100, most) : 100;
  const described = typeof usual === "number" && Number.isInteger(usual) && usual > 0 ? usual : 30;
  const perPage = {
    ...(pageParams["per_page"] as Draft),
    range: [1, largest],
    default: Math.min(described, largest),
    ...(size === "per_page" ? {} : { name: size }),
  };
  return { page, signs, params: { own: { per_page: perPage, after: structuredClone(pageParams["after"]) }, taken } };
}

/** Whether the answer has a boolean at a place: a number of the last page has the same names. */
function isFlag(path: string | undefined, { answer }: RestCall, platform: PlatformDescription): boolean {
  const schema = path === undefined || answer === undefined ? undefined : schemaAt(answer, path.split("."), platform);
  return schema !== undefined && alternatives(schema, platform).flatMap(jsonTypes).includes("boolean");
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10);
  return shown.length === 0 ? "none" : `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}

/** Paths of the values beside the list, two levels deep. */
function placesIn({ answer }: RestCall, platform: PlatformDescription): string[] {
  if (answer === undefined) return [];
  return propertyNames(answer, platform).flatMap((name) => {
    const inner = schemaAt(answer, [name], platform);
    if (inner === undefined) return [name];
    const below = propertyNames(inner, platform).flatMap((one) => {
      const third = schemaAt(inner, [one], platform);
      const last = third === undefined ? [] : propertyNames(third, platform);
      return [`${name}.${one}`, ...last.map((own) => `${name}.${one}.${own}`)];
    });
    return [name, ...below];
  });
}
