import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

// What a YAML file tells of a platform that is simulated from its own description: its records, and what the description does not say.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A record as the platform gives it. Members whose names begin with `_` are not given; routes and filters use them. */
export type StoredRecord = { [key: string]: Json };

export interface RefusalText {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** It may have `{message}`, and `{param}` for the parameter that is wrong. */
  readonly body: Json;
}

/**
 * How a route pages its list: the same kinds as in a spec, and two whose `param` takes the id of the last record of the page before:
 * `last`, where the caller gives it, and `keyset`, where the header `Link` has it.
 */
export interface RoutePage {
  readonly by: "link" | "address" | "cursor" | "last" | "keyset" | "offset" | "number";
  /** Parameter of the query or the body with the size of the page, its default and its largest value. */
  readonly size: string;
  readonly default: number;
  readonly max: number;
  readonly param: string;
  readonly next?: string;
  readonly more?: string;
  /** Place of what is true on the last page alone. */
  readonly last?: string;
  readonly total?: string;
}

/** What a REST operation does with a collection. */
export interface RouteFile {
  readonly list?: string;
  readonly get?: string;
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  /** Fields of a record that must have the values of parameters of the path or the query. */
  readonly where?: Readonly<Record<string, string>>;
  /** A record that must exist: its collection, its field, and the parameter of path, query or body with the value. */
  readonly within?: readonly [collection: string, field: string, param: string];
  /** Status of the answer. Default: 200. With 204 it has no body. */
  readonly status?: number;
  /** The order of a list: by this field, or the one that `param` names, the largest first unless `direction` is `asc`. */
  readonly order?: { readonly by: string; readonly param?: string; readonly direction?: string };
  /** Lists of texts that parameters of the same names give between commas. A list of records has those with all of them. */
  readonly lists?: readonly string[];
  /** Fields of which a parameter gives the smallest value. */
  readonly least?: Readonly<Record<string, string>>;
  /** Places in the body whose values change other fields: `state_event: { close: { state: closed } }`. */
  readonly turns?: Readonly<Record<string, Readonly<Record<string, StoredRecord>>>>;
  /** Places in the body with ids, or a list of them: the field of the record, the collection of those that it has, and their key. */
  readonly links?: Readonly<Record<string, readonly [field: string, collection: string, key?: string]>>;
  /** The members of a record that the answer has. Default: all. */
  readonly gives?: readonly string[];
  /** Parameter that names the members of a record's member of the same name which a list gives; it gives none where it is absent. */
  readonly picks?: string;
  /** Values that a record must have to be listed or changed. */
  readonly only?: StoredRecord;
  /** Fields of which a parameter gives what the value must be below. */
  readonly below?: Readonly<Record<string, string>>;
  /** Members of the answer that a file in the body gives: its `name`, `type` and `size`. */
  readonly file?: { readonly part: string; readonly name?: string; readonly type?: string; readonly size?: string };
  /** The answer is a list of the one record. */
  readonly listed?: true;
  /** A record changes when it was read so often, as a job that ends. */
  readonly ripens?: { readonly after: number; readonly set: StoredRecord };
  /** How often the call may be made in a minute. */
  readonly perMinute?: number;
  /** Numbers of a record by which `field[gte]`, `gt`, `lte` and `lt` filter. */
  readonly ranges?: readonly string[];
  /** Parameter whose words the records of a list must have. */
  readonly search?: string;
  /** Fields that `expand` may name, each with the collection of the record whose id they have. */
  readonly expand?: Readonly<Record<string, string>>;
  /** What `{message}` of the refusal is for a record that is not there. Default: the value that was looked for. */
  readonly missing?: string;
  /** Fields of a new record that the caller may set. */
  readonly defaults?: StoredRecord;
  /** Place in the answer of the record or the list, and what else the answer has. */
  readonly at?: string;
  readonly with?: Json;
  /** Place in the body of what the caller sends. */
  readonly from?: string;
  /**
   * Fields of a new or changed record. Texts may have `{serial}`, `{count}` (the same as a number), `{now}`, `{seconds}`, `{viewer}` and
   * parameters of the call.
   */
  readonly set?: StoredRecord;
  readonly page?: RoutePage;
}

export interface PlatformFile {
  /** The credential that the simulated platform accepts. */
  readonly token: string;
  readonly web: string;
  /** Who the credential belongs to. */
  readonly viewer: StoredRecord;
  readonly perHour?: number;
  /** Header with which a write is done once. */
  readonly idempotency?: string;
  /** Members that objects in records have beside another of their places: `plain_text: text.content`. */
  readonly derived?: Readonly<Record<string, string>>;
  /** A header with an HMAC of a text that is made of the call, by the credential. */
  readonly signature?: {
    readonly header: string;
    readonly of: string;
    readonly algorithm: string;
    readonly encoding: "hex" | "base64";
    /** Header with the seconds since 1970, which may be five minutes old. */
    readonly timestamp: string;
  };
  /** Headers that every request must have, such as the version of the API. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers with the budget. */
  readonly budget?: { readonly remaining: string; readonly reset: string; readonly as?: "seconds" | "milliseconds" };
  /**
   * `field`: what is wrong with one parameter, where that is said in another way; `params`: the same for those that it names; `state`: a
   * record that cannot be changed now.
   */
  readonly errors: Readonly<Record<"unauthorized" | "missing" | "invalid" | "limited", RefusalText>> & {
    readonly field?: RefusalText & { /** Member of bodies whose members are the parameters. */ readonly below?: string };
    readonly params?: Readonly<Record<string, RefusalText>>;
    readonly state?: RefusalText;
  };
  /** Parameters of paths that may also name a record by another field than the routes use: its collection, and both fields. */
  readonly names?: Readonly<Record<string, readonly [collection: string, field: string, other: string]>>;
  readonly records: Readonly<Record<string, readonly StoredRecord[]>>;
  readonly routes?: Readonly<Record<string, RouteFile>>;
  readonly graphql?: GraphqlFile;
}

export interface GraphqlFile {
  readonly path: string;
  /** Header that takes the credential, as it is or behind `Bearer`. */
  readonly header: string;
  readonly page: { readonly default: number; readonly max: number };
  /** Other names of record types, such as those of search results. */
  readonly like?: Readonly<Record<string, string>>;
  /** Fields beside `id` by which a root field may find a record. */
  readonly keys?: readonly string[];
  /** Fields of a new record, by its type. */
  readonly defaults?: Readonly<Record<string, StoredRecord>>;
  /** Field that is changed by each write. */
  readonly changed?: string;
  /** Error code of a mistake of the caller. */
  readonly invalidCode: string;
}

/** The parts of `connector.yaml` that say what the platform is described by. */
export interface SpecOfPlatform {
  readonly platform: {
    readonly rest?: { readonly description: string; readonly overrides?: Readonly<Record<string, Json>> };
    readonly graphql?: { readonly schema: string };
  };
}

export interface ReadPlatformFile {
  readonly file: PlatformFile;
  readonly spec: SpecOfPlatform["platform"];
  /** Folder of the spec. */
  readonly folder: string;
}

/**
 * Reads the file that a spec names as its simulator, and the `connector.yaml` of the spec.
 *
 * @param address of a file in a folder below that of the spec
 */
export function readPlatformFile(address: URL): ReadPlatformFile {
  const path = fileURLToPath(address);
  const file = parse(readFileSync(path, "utf8"), { merge: true }) as PlatformFile;
  let folder = dirname(path);
  for (let up = 0; up < 3 && !isSpecFolder(folder); up++) folder = dirname(folder);
  const spec = parse(readFileSync(join(folder, "connector.yaml"), "utf8")) as SpecOfPlatform;
  return { file, spec: spec.platform, folder };
}

function isSpecFolder(folder: string): boolean {
  try {
    readFileSync(join(folder, "connector.yaml"));
    return true;
  } catch {
    return false;
  }
}
