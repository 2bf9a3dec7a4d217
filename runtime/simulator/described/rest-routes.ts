import { type Answer, json, Refused } from "../answer.ts";
import type { RestCall, RestRoute } from "../rest/api.ts";
import { isForm } from "../rest/form.ts";
import type { Json, PlatformFile, RefusalText, RouteFile, StoredRecord } from "./platform-file.ts";
import { queryCheck } from "./query-check.ts";
import { pageOf } from "./rest-page.ts";
import { bodyAt, filled, keysOf, merged, shown, type Values, valueAt } from "./template.ts";

/** The data of a simulated platform: collections of records, a counter for new ones, and what was done with each key of a write. */
export interface DescribedWorld {
  readonly records: Record<string, StoredRecord[]>;
  serial: number;
  readonly done: Record<string, { readonly request: string; readonly answer: Answer }>;
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

/** Makes the routes that a file writes. */
export function routesOf(file: PlatformFile, description: Json): RestRoute<DescribedWorld, DescribedViewer>[] {
  return Object.entries(file.routes ?? {}).map(([operation, route]) => {
    const [method = "", path = ""] = operation.split(" ");
    const check = queryCheck(description, method, path);
    return {
      method,
      path,
      run: (call, body) => {
        const wrong = check(new URLSearchParams(call.query));
        if (wrong !== undefined) throw new Refused(refusalOf(file.errors.invalid, wrong.message, wrong.param));
        return doneOnce(file, call, body, () => carryOut(route, file, call, body as StoredRecord));
      },
    };
  });
}

/** Does a write with a key once: the same request gets the same answer, and another one is refused. */
function doneOnce({ idempotency, errors }: PlatformFile, call: Call, body: object, work: () => Answer): Answer {
  const key = idempotency === undefined ? undefined : call.headers[idempotency.toLowerCase()];
  if (key === undefined || call.method === "GET") return work();
  const request = JSON.stringify([call.method, call.path, body]);
  const known = Object.hasOwn(call.world.done, key) ? call.world.done[key] : undefined;
  if (known !== undefined && known.request !== request)
    throw new Refused(refusalOf(errors.invalid, "The key of this request was used with other parameters."));
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
  const given = isForm(call.headers)
    ? Object.fromEntries(Object.entries(sent).map(([key, one]) => [key, one === "" ? null : one]))
    : sent;
  const values: Values = { ...given, ...Object.fromEntries(address.searchParams), ...call.params };
  const missing = (value: Json = null) => new Refused(refusalOf(file.errors.missing, route.missing ?? String(value)));
  if (route.within !== undefined) {
    const [other, field, param] = route.within;
    if (!(records[other] ?? []).some((one) => one[field] === values[param])) throw missing(values[param]);
  }
  const fits = (record: StoredRecord) =>
    Object.entries(route.where ?? {}).every(([field, param]) => {
      const wanted = values[param];
      // A query has texts only.
      return wanted === undefined || record[field] === wanted || (record[field] !== null && String(record[field]) === wanted);
    });
  if (route.list !== undefined)
    return list(
      route,
      file,
      all.filter((one) => fits(one) && isListed(one, route, values)),
      address,
      values,
    );
  if (route.create !== undefined) return answer(route, created(route, file, all, given, values, call.world), values);
  const found = all.find(fits);
  if (found === undefined) throw missing(values[Object.values(route.where ?? {})[0] ?? ""]);
  if (route.update !== undefined) Object.assign(found, merged(found, given), changes(route, file, values, call.world));
  if (route.delete !== undefined) all.splice(all.indexOf(found), 1);
  return answer(route, expanded(found, route, values, records), values);
}

/** Whether a record is in a list by what is asked beside the values of its fields. */
function isListed(record: StoredRecord, { only = {}, ranges = [], search }: RouteFile, values: Values): boolean {
  const words = search === undefined ? "" : String(values[search] ?? "").toLowerCase();
  // The query language of a platform is not simulated: the texts in quotes, or all of it, have to be in the record.
  const texts = [...words.matchAll(/["']([^"']*)["']/g)].map(([, text = ""]) => text);
  const text = JSON.stringify(record).toLowerCase();
  return (
    Object.entries(only).every(([key, value]) => (record[key] ?? null) === value) &&
    (texts.length === 0 ? [words] : texts).every((one) => text.includes(one)) &&
    ranges.every((field) =>
      Object.entries(comparisons).every(([name, holds]) => {
        const bound = values[`${field}[${name}]`];
        return bound === undefined || holds(Number(record[field]), Number(bound));
      }),
    )
  );
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
  if (route.page === undefined) return json(200, bodyAt(route.at, all.map(shown), route.with));
  const page = pageOf(all, route.page, address, values);
  if (typeof page === "string") throw new Refused(refusalOf(file.errors.invalid, page));
  return json(200, merged(bodyAt(route.at, page.rows.map(shown), route.with), page.body), page.headers);
}

function answer(route: RouteFile, record: StoredRecord, values: Values): Answer {
  const beside = filled(route.with ?? {}, { ...values, ...record });
  if (route.delete !== undefined && route.with !== undefined) return json(200, beside);
  return json(200, bodyAt(route.at, shown(record), beside));
}

function created(
  route: RouteFile,
  file: PlatformFile,
  all: StoredRecord[],
  given: StoredRecord,
  values: Values,
  world: DescribedWorld,
): StoredRecord {
  const record = { ...route.defaults, ...given, ...changes(route, file, values, world) };
  all.push(record);
  return record;
}

function changes(route: RouteFile, file: PlatformFile, values: Values, world: DescribedWorld): StoredRecord {
  if (route.set === undefined) return {};
  const serial = ++world.serial;
  const now = new Date();
  const seconds = Math.floor(now.getTime() / 1000);
  const own: Readonly<Record<string, Json>> = { serial: String(serial), now: now.toISOString(), seconds, viewer: file.viewer };
  return filled(route.set, { ...own, ...values }) as StoredRecord;
}
