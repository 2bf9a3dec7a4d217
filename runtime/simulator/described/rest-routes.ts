import { type Answer, json, Refused } from "../answer.ts";
import type { RestCall, RestRoute } from "../rest/api.ts";
import { bodyType } from "../rest/form.ts";
import { fileIn } from "../rest/parts.ts";
import type { Json, PlatformFile, RefusalText, RouteFile, StoredRecord } from "./platform-file.ts";
import { queryCheck } from "./query-check.ts";
import { cutPage } from "./rest-page.ts";
import { bodyAt, filled, keysOf, merged, shown, type Values, valueAt } from "./template.ts";

/** The data of a simulated platform: collections of records, a counter for new ones, and what was done with each key of a write. */
export interface DescribedWorld {
  readonly records: Record<string, StoredRecord[]>;
  serial: number;
  readonly done: Record<string, { readonly request: string; readonly answer: Answer }>;
  /** When each call with a limit of its own was made, in milliseconds since 1970. */
  readonly made: Record<string, readonly number[]>;
}

/** The account on whose behalf a request is made. */
export interface DescribedViewer {
  readonly token: string;
}

type Call = RestCall<DescribedWorld, DescribedViewer>;

/** A refusal in the platform's words. */
export function refusalOf({ status, headers, body }: RefusalText, message = "", param = ""): Answer {
  return json(status, filled(body, { message, param }), headers);
}

/** The refusal of a mistake of the caller. @param param what is wrong, where that is one parameter */
export function invalid({ errors }: PlatformFile, message: string, param = ""): Answer {
  return refusalOf((param === "" ? undefined : (errors.params?.[param] ?? errors.field)) ?? errors.invalid, message, param);
}

/** Makes the routes that a file writes. */
export function routesOf(file: PlatformFile, description: Json): RestRoute<DescribedWorld, DescribedViewer>[] {
  return Object.entries(file.routes ?? {}).map(([operation, route]) => {
    const [method = "", path = ""] = operation.split(" ");
    const check = queryCheck(description, method, path);
    return {
      method,
      path,
      run: (call, body) => {
        if (isTooOften(operation, route, call.world)) throw new Refused(refusalOf(file.errors.limited));
        const wrong = check(new URLSearchParams(call.query));
        if (wrong !== undefined) throw new Refused(invalid(file, wrong.message, wrong.param));
        return doneOnce(file, call, body, () => carryOut(route, file, call, body as StoredRecord));
      },
    };
  });
}

/** Notes a call. @returns whether it was made too often in the last minute */
function isTooOften(operation: string, { perMinute }: RouteFile, { made }: DescribedWorld): boolean {
  if (perMinute === undefined) return false;
  const now = Date.now();
  const recent = (made[operation] ?? []).filter((at) => at > now - 60_000);
  made[operation] = [...recent, now];
  return recent.length >= perMinute;
}

/** Does a write with a key once: the same request gets the same answer, and another one is refused. */
function doneOnce(file: PlatformFile, call: Call, body: object, work: () => Answer): Answer {
  const { idempotency } = file;
  const key = idempotency === undefined ? undefined : call.headers[idempotency.toLowerCase()];
  if (key === undefined || call.method === "GET") return work();
  const request = JSON.stringify([call.method, call.path, body]);
  const known = Object.hasOwn(call.world.done, key) ? call.world.done[key] : undefined;
  if (known !== undefined && known.request !== request)
    throw new Refused(invalid(file, "The key of this request was used with other parameters."));
  const done = known ?? { request, answer: work() };
  call.world.done[key] = done;
  return done.answer;
}

function carryOut(route: RouteFile, file: PlatformFile, call: Call, body: StoredRecord): Answer {
  const { records } = call.world;
  const address = new URL(`${call.rest}${call.path}${call.query ?? ""}`);
  const collection = route.list ?? route.get ?? route.create ?? route.update ?? route.delete ?? "";
  const all = records[collection] ?? [];
  records[collection] = all;
  const sent = (valueAt(body, keysOf(route.from)) ?? body) as StoredRecord;
  // An empty text in a form takes a value away.
  const given =
    bodyType(call.headers) !== "application/json"
      ? Object.fromEntries(Object.entries(sent).map(([key, one]) => [key, one === "" ? null : one]))
      : sent;
  const values: Values = { ...given, ...Object.fromEntries(address.searchParams), ...named(call.params, file, records) };
  const missing = (value: Json = null) => new Refused(refusalOf(file.errors.missing, route.missing ?? String(value)));
  if (route.within !== undefined) {
    const [other, field, param] = route.within;
    const wanted = values[param] ?? (valueAt(body, keysOf(param)) as Json | undefined);
    if (!(records[other] ?? []).some((one) => String(one[field]) === String(wanted))) throw missing(wanted);
  }
  const fits = (record: StoredRecord) =>
    Object.entries(route.where ?? {}).every(([field, param]) => {
      const wanted = values[param] ?? (valueAt(given, keysOf(param)) as Json | undefined);
      // A query has texts only.
      const value = valueAt(record, keysOf(field));
      return wanted === undefined || value === wanted || (value !== null && String(value) === String(wanted));
    });
  if (route.list !== undefined)
    return list(
      route,
      file,
      ordered(
        all.filter((one) => fits(one) && isListed(one, route, values)),
        route,
        values,
      ),
      address,
      values,
    );
  const changed = () => changes({ ...route, set: withNumbers(route.set, all[0]) }, file, given, values, call.world);
  if (route.create !== undefined) {
    const written = merged(merged(route.defaults ?? {}, own(given, route)), ofFile(route, body));
    const record = derived(merged(written, changed()), file) as StoredRecord;
    all.push(record);
    return answer(route, record, values);
  }
  const found = all.find(fits);
  if (found === undefined) throw missing(values[Object.values(route.where ?? {})[0] ?? ""]);
  if (!has(found, route.only))
    throw new Refused(refusalOf(file.errors.state ?? file.errors.invalid, "The state does not allow it"));
  if (route.ripens !== undefined) ripen(found, route.ripens);
  if (route.update !== undefined) Object.assign(found, derived(merged(merged(found, own(given, route)), changed()), file));
  if (route.delete !== undefined) all.splice(all.indexOf(found), 1);
  return answer(route, expanded(found, route, values, records), values);
}

/** Changes a record that was read often enough. */
function ripen(record: StoredRecord, { after, set }: NonNullable<RouteFile["ripens"]>): void {
  const reads = Number(record["_reads"] ?? 0) + 1;
  Object.assign(record, reads >= after ? { ...set, _reads: 0 } : { _reads: reads });
}

/** What a file in the body is to a record. */
function ofFile({ file }: RouteFile, body: StoredRecord): StoredRecord {
  const found = file === undefined ? undefined : fileIn(body, file.part);
  if (file === undefined || found === undefined) return {};
  const given = { name: found.filename, type: found.type, size: found.bytes.length };
  return Object.fromEntries((Object.keys(given) as (keyof typeof given)[]).map((key) => [file[key] ?? key, given[key]]));
}

/** The parameters of a path: the value of a record's field, where a parameter is that or another name of the record. */
function named(params: Call["params"], { names = {} }: PlatformFile, records: DescribedWorld["records"]): Values {
  return Object.fromEntries(
    Object.entries(params).map(([param, value]) => {
      const [collection = "", field = "", other = ""] = names[param] ?? [];
      const found = records[collection]?.find((one) => one[other] === value || String(one[field]) === value);
      return [param, found?.[field] ?? value];
    }),
  );
}

/** A value with what its objects have beside what a caller writes. */
function derived(value: Json, file: PlatformFile): Json {
  if (Array.isArray(value)) return value.map((one) => derived(one, file));
  if (typeof value !== "object" || value === null) return value;
  const more = Object.entries(file.derived ?? {}).flatMap(([key, place]): [string, Json][] => {
    const found = valueAt(value, keysOf(place));
    return found === undefined ? [] : [[key, found as Json]];
  });
  return Object.fromEntries([...Object.entries(value).map(([key, one]) => [key, derived(one, file)] as const), ...more]);
}

/** What a body says of the record itself. */
function own(given: StoredRecord, { turns = {}, links = {} }: RouteFile): StoredRecord {
  const first = (place: string) => keysOf(place)[0] ?? "";
  const other = new Set(Object.keys(turns).map(first));
  for (const [place, [field]] of Object.entries(links)) if (first(place) !== first(field)) other.add(first(place));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !other.has(key)));
}

/** A record of a list, with the requested parts of it. */
function picked(record: StoredRecord, { picks }: RouteFile, values: Values): StoredRecord {
  if (picks === undefined) return shown(record);
  const wanted = [values[picks] ?? []].flat();
  const { [picks]: whole, ...others } = shown(record);
  const kept = Object.entries((whole ?? {}) as StoredRecord).filter(([key]) => wanted.includes(key));
  return kept.length === 0 ? { id: others["id"] ?? null } : { ...others, [picks]: Object.fromEntries(kept) };
}

function ordered(all: readonly StoredRecord[], { order }: RouteFile, values: Values): readonly StoredRecord[] {
  if (order === undefined) return all;
  const field = String(values[order.param ?? ""] ?? order.by);
  const sign = values[order.direction ?? ""] === "asc" ? 1 : -1;
  const compared = (a: Json, b: Json) => (typeof a === "number" ? a - Number(b) : String(a) < String(b) ? -1 : a === b ? 0 : 1);
  const value = (record: StoredRecord) => (valueAt(record, keysOf(field)) ?? null) as Json;
  return all.toSorted((a, b) => sign * compared(value(a), value(b)));
}

/** Whether a record is in a list by the parameters that are not values of its fields. */
function isListed(
  record: StoredRecord,
  { least = {}, below = {}, lists = [], only, ranges = [], search }: RouteFile,
  values: Values,
): boolean {
  const words = search === undefined ? "" : String(values[search] ?? "").toLowerCase();
  // The query language of a platform is not simulated: the texts in quotes, or all of it, have to be in the record.
  const texts = [...words.matchAll(/["']([^"']*)["']/g)].map(([, text = ""]) => text);
  const text = JSON.stringify(record).toLowerCase();
  return (
    has(record, only) &&
    lists.every((name) => textsIn(values[name]).every((one) => [record[name] ?? null].flat().includes(one))) &&
    (texts.length === 0 ? [words] : texts).every((one) => text.includes(one)) &&
    Object.entries(least).every(
      ([field, param]) => values[param] === undefined || String(record[field]) >= String(values[param]),
    ) &&
    Object.entries(below).every(
      ([field, param]) => values[param] === undefined || String(record[field]) < String(values[param]),
    ) &&
    ranges.every((field) =>
      Object.entries(comparisons).every(([name, holds]) => {
        const bound = values[`${field}[${name}]`];
        return bound === undefined || holds(Number(record[field]), Number(bound));
      }),
    )
  );
}

function has(record: StoredRecord, wanted: StoredRecord = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => (record[key] ?? null) === value);
}

/** The texts between commas. */
function textsIn(value: Json = ""): Json[] {
  return String(value)
    .split(",")
    .filter((one) => one !== "");
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};

/** The record with the whole objects whose ids it has, where the call asks for them. */
function expanded(
  record: StoredRecord,
  { expand = {} }: RouteFile,
  values: Values,
  records: DescribedWorld["records"],
): StoredRecord {
  const asked = Object.entries(values).flatMap(([name, value]) => (/^expand\[\d*\]$/.test(name) ? [String(value)] : []));
  const whole = asked.flatMap((field): [string, StoredRecord][] => {
    const found = records[expand[field] ?? ""]?.find(({ id }) => id === record[field]);
    return found === undefined ? [] : [[field, shown(found)]];
  });
  return { ...record, ...Object.fromEntries(whole) };
}

function list(route: RouteFile, file: PlatformFile, all: readonly StoredRecord[], address: URL, values: Values): Answer {
  if (route.page === undefined)
    return json(
      200,
      bodyAt(
        route.at,
        all.map((one) => picked(one, route, values)),
        route.with,
      ),
    );
  const page = cutPage(all, route.page, address, values);
  if (typeof page === "string") throw new Refused(invalid(file, page));
  const body = bodyAt(
    route.at,
    page.rows.map((one) => picked(one, route, values)),
    route.with,
  );
  return json(200, Array.isArray(body) ? body : merged(body, page.body), page.headers);
}

function answer(route: RouteFile, record: StoredRecord, values: Values): Answer {
  const { status = 200 } = route;
  if (status === 204) return { status, headers: {}, body: "" };
  const beside = filled(route.with ?? {}, { ...values, ...record });
  if (route.delete !== undefined && route.with !== undefined) return json(status, beside);
  const given =
    route.gives === undefined ? shown(record) : Object.fromEntries(route.gives.map((key) => [key, record[key] ?? null]));
  return json(status, route.listed === true ? [given] : bodyAt(route.at, given, beside));
}

/** A new id is a number where the ids of the other records are numbers. */
function withNumbers(set: StoredRecord = {}, other: StoredRecord = {}): StoredRecord {
  return Object.fromEntries(
    Object.entries(set).map(([key, one]) => [key, one === "{serial}" && typeof other[key] === "number" ? "{count}" : one]),
  );
}

/** What a write changes beside what the body says by itself. @throws Refused for a value that the platform does not know */
function changes(route: RouteFile, file: PlatformFile, given: StoredRecord, values: Values, world: DescribedWorld): Json {
  const now = new Date();
  const count = Object.keys(route.set ?? {}).length === 0 ? world.serial : ++world.serial;
  const own: Values = {
    count,
    serial: String(count),
    now: now.toISOString(),
    seconds: Math.floor(now.getTime() / 1000),
    viewer: file.viewer,
    ...values,
  };
  let result: Json = Object.fromEntries(
    (route.lists ?? []).flatMap((name) => (name in given ? [[name, textsIn(given[name])]] : [])),
  );
  for (const [place, turns] of Object.entries(route.turns ?? {})) {
    const value = valueAt(given, keysOf(place));
    if (value === undefined) continue;
    const turn = turns[String(value)];
    if (turn === undefined) throw new Refused(invalid(file, `${place} does not have a valid value`, place));
    result = merged(result, filled(turn, own));
  }
  for (const [place, [field, collection, key = "id"]] of Object.entries(route.links ?? {})) {
    const ids = valueAt(given, keysOf(place)) as Json | undefined;
    if (ids === undefined) continue;
    const find = (id: Json) => (world.records[collection] ?? []).find((one) => one[key] === id);
    const found = (id: Json) => {
      const one = find(id);
      if (one === undefined) throw new Refused(invalid(file, "does not exist", keysOf(field).at(-1)));
      return shown(one);
    };
    result = merged(result, bodyAt(field, Array.isArray(ids) ? ids.map(found) : ids === null ? null : found(ids)));
  }
  return merged(result, filled(route.set ?? {}, own));
}
