import { type Answer, json, Refused } from "../answer.ts";
import type { RestCall, RestRoute } from "../rest/api.ts";
import type { Json, PlatformFile, RefusalText, RouteFile, StoredRecord } from "./platform-file.ts";
import { pageOf } from "./rest-page.ts";
import { bodyAt, filled, keysOf, merged, shown, type Values, valueAt } from "./template.ts";

/** The data of a simulated platform: collections of records, and a counter for new ones. */
export interface DescribedWorld {
  readonly records: Record<string, StoredRecord[]>;
  serial: number;
}

/** The account on whose behalf a request is made. */
export interface DescribedViewer {
  readonly token: string;
}

type Call = RestCall<DescribedWorld, DescribedViewer>;

/** A refusal in the platform's words. */
export function refusalOf({ status, headers, body }: RefusalText, message = ""): Answer {
  return json(status, filled(body, { message }), headers);
}

/** Makes the routes that a file writes. */
export function routesOf(file: PlatformFile): RestRoute<DescribedWorld, DescribedViewer>[] {
  return Object.entries(file.routes ?? {}).map(([operation, route]) => {
    const [method = "", path = ""] = operation.split(" ");
    return { method, path, run: (call, body) => carryOut(route, file, call, body as StoredRecord) };
  });
}

function carryOut(route: RouteFile, file: PlatformFile, call: Call, body: StoredRecord): Answer {
  const { records } = call.world;
  const address = new URL(`${call.rest}${call.path}${call.query ?? ""}`);
  const values: Values = { ...Object.fromEntries(address.searchParams), ...call.params };
  if (route.within !== undefined) {
    const [collection, field, param] = route.within;
    if (!(records[collection] ?? []).some((one) => one[field] === values[param]))
      throw new Refused(refusalOf(file.errors.missing));
  }
  const collection = route.list ?? route.get ?? route.create ?? route.update ?? route.delete ?? "";
  const all = records[collection] ?? [];
  records[collection] = all;
  const given = (valueAt(body, keysOf(route.from)) ?? body) as StoredRecord;
  const fits = (record: StoredRecord) =>
    Object.entries(route.where ?? {}).every(([field, param]) => {
      const wanted = values[param] ?? given[param];
      return wanted === undefined || record[field] === wanted;
    });
  if (route.list !== undefined) return list(route, file, all.filter(fits), address, { ...given, ...values });
  if (route.create !== undefined) return answer(route, created(route, file, all, given, values, call.world));
  const found = all.find(fits);
  if (found === undefined) throw new Refused(refusalOf(file.errors.missing));
  if (route.update !== undefined) Object.assign(found, given, changes(route, file, values, call.world));
  if (route.delete !== undefined) all.splice(all.indexOf(found), 1);
  return answer(route, found);
}

function list(route: RouteFile, file: PlatformFile, all: readonly StoredRecord[], address: URL, values: Values): Answer {
  if (route.page === undefined) return json(200, bodyAt(route.at, all.map(shown), route.with));
  const page = pageOf(all, route.page, address, values);
  if (typeof page === "string") throw new Refused(refusalOf(file.errors.invalid, page));
  return json(200, merged(bodyAt(route.at, page.rows.map(shown), route.with), page.body), page.headers);
}

function answer(route: RouteFile, record: StoredRecord): Answer {
  if (route.delete !== undefined && route.with !== undefined) return json(200, route.with);
  return json(200, bodyAt(route.at, shown(record), route.with));
}

function created(
  route: RouteFile,
  file: PlatformFile,
  all: StoredRecord[],
  given: StoredRecord,
  values: Values,
  world: DescribedWorld,
): StoredRecord {
  const record = { ...given, ...changes(route, file, values, world) };
  all.push(record);
  return record;
}

function changes(route: RouteFile, file: PlatformFile, values: Values, world: DescribedWorld): StoredRecord {
  if (route.set === undefined) return {};
  const serial = ++world.serial;
  const own: Readonly<Record<string, Json>> = { serial: String(serial), now: new Date().toISOString(), viewer: file.viewer };
  return filled(route.set, { ...own, ...values }) as StoredRecord;
}
