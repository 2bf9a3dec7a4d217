import { readFile } from "node:fs/promises";
import { type Grant, hasRight, mayUseEntity } from "../../accounts/index.ts";
import { actionOf, type Connector, schemaNames, storeActionsOf, type Table, tablesOf } from "../../contract/index.ts";
import { type CacheReport, syncStatus } from "../../sync/index.ts";
import { ByGrant } from "../by-grant.ts";
import { type Tagged, tagged } from "./tagged.ts";

// The parts of the description of a connector that many requests have in common. Each is made once, and its bytes are sent again.

export class DescriptionParts {
  readonly #schemas = new Map<string, Promise<Tagged>>();
  readonly #entities = new ByGrant<Tagged>();
  /** By the report from which they are made, and the entities of the grant. */
  readonly #caches = new WeakMap<CacheReport, Map<string, Tagged>>();

  /** The JSON Schemas of a connector by their names. */
  schemas(connector: Connector): Promise<Tagged> {
    const known = this.#schemas.get(connector.name);
    if (known !== undefined) return known;
    const made = readSchemas(connector).then((schemas) => tagged(JSON.stringify(schemas)));
    this.#schemas.set(connector.name, made);
    // A read that failed, as it does when too many files are open, is tried again with the next request.
    made.catch(() => this.#schemas.delete(connector.name));
    return made;
  }

  /** The entities that a grant allows, with their actions. */
  entities(connector: Connector, grant: Grant): Tagged {
    return this.#entities.take(connector, grant, () => {
      const isUsable = (name: string) => mayUseEntity(grant, name);
      const entities = Object.keys(connector.entities).filter(isUsable);
      const tables = new Map(tablesOf(connector, isUsable).map((table) => [table.entity, table]));
      const described = entities.map((name) => [name, entityOf(connector, name, tables.get(name), isUsable)]);
      return tagged(JSON.stringify(Object.fromEntries(described)));
    });
  }

  /** How far and how fresh each entity of each scope is cached, of those that a grant allows; null where there is no cache. */
  cache(connector: Connector, grant: Grant, report: CacheReport | undefined): Tagged {
    if (report === undefined) return nothing;
    const made = this.#caches.get(report) ?? new Map<string, Tagged>();
    this.#caches.set(report, made);
    const key = JSON.stringify(grant.entities);
    const part = made.get(key) ?? tagged(JSON.stringify(statesOf(connector, grant, report)));
    made.set(key, part);
    return part;
  }
}

const nothing = tagged("null");

/**
 * Whether a caller may know which scopes are cached, and how many records they have: the names of scopes may be those of private
 * repositories.
 */
export function seesCache(grant: Grant): boolean {
  return hasRight(grant, "read") || hasRight(grant, "sync");
}

type Schemas = Readonly<Record<string, unknown>>;

/** The JSON Schemas of a connector, as its OpenAPI document has them; references are `#/data/schemas/<name>`. */
async function readSchemas({ openapi }: Connector): Promise<Schemas> {
  const text = (await readFile(openapi, "utf8")).replaceAll('"#/components/schemas/', '"#/data/schemas/');
  return (JSON.parse(text) as { readonly components: { readonly schemas: Schemas } }).components.schemas;
}

/** The actions of an entity, each with the names of its schemas, and its table in SQL, which an entity without a cache lacks. */
function entityOf(connector: Connector, name: string, table: Table | undefined, isReadable: (entity: string) => boolean) {
  const { actions: own = {}, relations = [], sync = [] } = connector.entities[name] ?? {};
  const actions = [...Object.keys(own), ...storeActionsOf({ sync })];
  const described = actions.map((action) => {
    const { params, answer } = schemaNames(name, action);
    return [action, { writes: actionOf(connector, name, action)?.traits.writes === true, params, answer }];
  });
  return {
    actions: Object.fromEntries(described),
    ...(table === undefined
      ? {}
      : { table: { columns: table.columns, relations: relations.filter((one) => isReadable(one.table)) } }),
  };
}

function statesOf(connector: Connector, grant: Grant, { states, schedule, running }: CacheReport) {
  const own = states.filter(({ entity }) => mayUseEntity(grant, entity));
  return syncStatus(connector, own, { schedule, running, now: Date.now() }).map(
    ({ scope, entity, state, records, synced_at }) => ({ scope, entity, state, records, synced_at }),
  );
}
