import type { Entity } from "./connector.ts";

type Named = Pick<Entity, "aliases"> & { readonly name: string };

/** The entity that people call by another name, such as `prs`, whatever its capitals and separators. */
export function aliased(name: string, entities: readonly Named[]): string | undefined {
  const said = name.toLowerCase().replaceAll(/[\s-]/g, "_");
  return entities.find(({ aliases = [] }) => aliases.includes(said))?.name;
}

/** As {@link aliased}, among the entities of a connector. */
export function aliasedIn(name: string, entities: Readonly<Record<string, Pick<Entity, "aliases">>>): string | undefined {
  return aliased(
    name,
    Object.entries(entities).map(([own, { aliases = [] }]) => ({ name: own, aliases })),
  );
}
