import type { ActionModel, ConnectorModel, EntityModel, EnumModel, TypeModel } from "../model/types.ts";
import { type SpecChange, SpecChanges } from "./change.ts";
import { compareParams } from "./params.ts";
import { compareEnum, compareType } from "./records.ts";

const plain = { removed: "breaking", added: "compatible" } as const;

/** What differs for callers between two versions of some connectors. */
export function compareModels(before: readonly ConnectorModel[], after: readonly ConnectorModel[]): SpecChange[] {
  const changes = new SpecChanges("");
  changes.pairs("connector", byName(before), byName(after), plain, compareConnector);
  return changes.sorted();
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.name, item]));
}

function compareConnector(before: ConnectorModel, after: ConnectorModel, changes: SpecChanges): void {
  changes.text("its title", before.title, after.title);
  changes.text("its text", before.doc, after.doc);
  const credentials = ({ auth }: ConnectorModel) => new Map(auth.map((one) => [one.kind ?? "credential", one]));
  changes.pairs("kind of credential", credentials(before), credentials(after), plain, (old, now, kind) => {
    kind.value("breaking", "its variables", old.env, now.env);
    kind.text("its text", old.doc, now.doc);
  });
  changes.value("breaking", "the address of its REST API", before.platform.rest?.url, after.platform.rest?.url);
  changes.value("breaking", "the address of its GraphQL API", before.platform.graphql?.url, after.platform.graphql?.url);
  changes.value("compatible", "its rate limits", before.platform.rateLimit, after.platform.rateLimit);
  for (const api of ["graphql", "rest"] as const)
    changes.pairs(
      "error",
      new Map(Object.entries(before.errors[api])),
      new Map(Object.entries(after.errors[api])),
      { removed: "compatible", added: "compatible" },
      (old, now, error) => {
        error.value("breaking", "its code", old.code, now.code);
        error.text("its text", old.doc, now.doc);
      },
      " error ",
    );
  const scopes = (model: ConnectorModel) => new Map(Object.entries(model.scopes));
  changes.pairs("scope", scopes(before), scopes(after), plain, (old, now, scope) => {
    scope.value("breaking", "its parameters", old.params, now.params);
    scope.text("its text", old.doc, now.doc);
  });
  changes.pairs("enum", byName(enumsOf(before)), byName(enumsOf(after)), plain, compareEnum);
  changes.pairs("type", byName(typesOf(before)), byName(typesOf(after)), plain, compareType);
  changes.pairs("entity", byName(before.entities), byName(after.entities), plain, compareEntity);
}

function enumsOf(model: ConnectorModel): EnumModel[] {
  return [...model.enums, ...model.entities.flatMap(({ enums }) => enums)];
}

function typesOf(model: ConnectorModel): TypeModel[] {
  const own = model.entities.flatMap(({ like, record, types }) => [...(like === undefined ? [record] : []), ...types]);
  return [...model.types, ...own];
}

function compareEntity(before: EntityModel, after: EntityModel, changes: SpecChanges): void {
  changes.text("its title", before.title, after.title);
  changes.text("its text", before.doc, after.doc);
  changes.value("breaking", "its record", before.record.name, after.record.name);
  changes.value("breaking", "the key of its records", before.store.key, after.store.key);
  changes.value(
    before.sync.length > 0 && after.sync.length === 0 ? "breaking" : "compatible",
    "how a sync fills its cache",
    before.sync,
    after.sync,
  );
  changes.pairs("action", byName(before.actions), byName(after.actions), plain, compareAction, ".");
}

function compareAction(before: ActionModel, after: ActionModel, changes: SpecChanges): void {
  changes.text("its text", before.doc, after.doc);
  changes.value("breaking", "what it returns", before.returns.name, after.returns.name);
  compareParams("parameter", before.params, after.params, changes);
  const call = ({ operation }: ActionModel) => JSON.stringify(operation);
  if (call(before) !== call(after)) changes.add("compatible", "sends another call to the platform");
  compareTransitions(before, after, changes);
}

/** A state that may no longer be asked for, and a value that may no longer stand beside one, break callers. */
function compareTransitions(before: ActionModel, after: ActionModel, changes: SpecChanges): void {
  const keyed = ({ transitions }: ActionModel) =>
    new Map(
      transitions.map(({ set, allow }) => [
        `with ${Object.entries(set)
          .map(([name, value]) => `${name} ${value}`)
          .join(", ")}`,
        allow,
      ]),
    );
  const [old, now] = [keyed(before), keyed(after)];
  // Without any transition, nothing is refused.
  if (old.size === 0 && now.size > 0) changes.add("breaking", "has transitions now, and refuses what they do not allow");
  if (old.size > 0 && now.size === 0) changes.add("compatible", "has no transitions any longer, and refuses nothing by them");
  if (old.size === 0 || now.size === 0) return;
  changes.pairs("transition", old, now, plain, (was, is, transition) => {
    const values = (allow: Readonly<Record<string, readonly string[]>>) =>
      new Map(Object.entries(allow).flatMap(([name, all]) => all.map((value) => [`${name} ${value}`, value] as const)));
    transition.pairs("value", values(was), values(is), plain, () => undefined);
  });
}
