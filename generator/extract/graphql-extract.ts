import {
  type ASTNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isInputObjectType,
  isInterfaceType,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type TypeDefinitionNode,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Used } from "./used.ts";

/** How the text of an extract begins. */
const extractMark = "# Extracted from ";

/** Whether a schema holds only what a connector used of it when it was extracted. */
export function isExtract(sdl: string): boolean {
  // Editors may put a byte order mark before it.
  return sdl.startsWith(extractMark, sdl.startsWith("\uFEFF") ? 1 : 0);
}

/** What an extract keeps of a type: all of it, or the members with these names. */
interface Kept {
  readonly members: Set<string>;
  /** By the name of a field, the arguments that are used. */
  readonly args: Map<string, Set<string>>;
}

/**
 * Cuts out of a schema what documents use: types, fields, arguments and fields of inputs, without descriptions. A required argument or
 * field of an input is kept too, because a document without it would not be valid.
 */
export function extractSchema(schema: GraphQLSchema, sdl: string, { documents, inputs }: Used, source: string): string {
  const kept = new Map<string, Kept>();
  const keep = (type: string, member?: string): Kept => {
    const found = kept.get(type) ?? { members: new Set<string>(), args: new Map<string, Set<string>>() };
    kept.set(type, found);
    if (member !== undefined) found.members.add(member);
    return found;
  };
  for (const { text } of documents) collect(schema, parse(text, { noLocation: true }), keep);
  for (const [type, path] of inputs) keepInput(schema, type, path, keep);
  keepInherited(schema, kept, keep);
  const definitions = definitionsOf(sdl);
  const roots = { query: schema.getQueryType()?.name, mutation: schema.getMutationType()?.name };
  const out = new Map<string, TypeDefinitionNode>();
  const add = (name: string): void => {
    const definition = definitions.get(name);
    if (definition === undefined || out.has(name)) return;
    out.set(name, definition);
    const cut = cutType(definition, kept.get(name), (type) => kept.has(type));
    out.set(name, cut);
    visit(cut, { NamedType: ({ name: used }) => add(used.value) });
  };
  for (const name of [roots.query, roots.mutation]) if (name !== undefined && kept.has(name)) add(name);
  for (const name of kept.keys()) add(name);
  const schemaText = Object.entries(roots).flatMap(([root, name]) =>
    name !== undefined && out.has(name) ? [`  ${root}: ${name}`] : [],
  );
  const types = [...out.values()].sort((a, b) => (a.name.value < b.name.value ? -1 : 1));
  return `${extractMark}${source} by \`tenon spec extract\`. Do not edit.\n\nschema {\n${schemaText.join("\n")}\n}\n\n${types.map(print).join("\n\n")}\n`;
}

/** The members of a type that its extensions may add to, whichever kind it has. */
type Parts = {
  readonly [Part in "directives" | "interfaces" | "fields" | "types" | "values"]?: readonly ASTNode[];
};

/** The types that a schema defines, each with what its extensions add (GraphQL, 3.4.3). */
function definitionsOf(sdl: string): Map<string, TypeDefinitionNode> {
  const { definitions } = parse(sdl, { noLocation: true });
  const types = new Map<string, TypeDefinitionNode>();
  for (const one of definitions) if (isTypeDefinitionNode(one) && !types.has(one.name.value)) types.set(one.name.value, one);
  for (const one of definitions.filter(isTypeExtensionNode)) {
    const known = types.get(one.name.value);
    if (known !== undefined) types.set(one.name.value, extended(known, one));
  }
  return types;
}

function extended<Definition extends TypeDefinitionNode & Parts>(known: Definition, extension: Parts): Definition {
  const joined = (part: keyof Parts) => [part, [...(known[part] ?? []), ...(extension[part] ?? [])]] as const;
  const parts = (["directives", "interfaces", "fields", "types", "values"] as const).map(joined);
  return { ...known, ...Object.fromEntries(parts) };
}

type Keep = (type: string, member?: string) => Kept;

function collect(schema: GraphQLSchema, document: DocumentNode, keep: Keep): void {
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (node) => {
        const parent = info.getParentType();
        const field = info.getFieldDef();
        if (!parent || !field || node.name.value.startsWith("__")) return;
        const found = keep(parent.name, node.name.value);
        const args = found.args.get(node.name.value) ?? new Set<string>();
        for (const argument of node.arguments ?? []) args.add(argument.name.value);
        found.args.set(node.name.value, args);
        keep(getNamedType(field.type).name);
        // What an interface has, its types have too.
        if (isInterfaceType(parent))
          for (const type of schema.getPossibleTypes(parent)) keepLike(type.name, node.name.value, args, keep);
      },
      InlineFragment: (node) => void (node.typeCondition && keep(node.typeCondition.name.value)),
      FragmentDefinition: (node) => void keep(node.typeCondition.name.value),
      VariableDefinition: (node) => void keep(nameOf(node.type)),
      ObjectField: (node) => {
        const parent = info.getParentInputType();
        const type = parent ? getNamedType(parent) : undefined;
        if (type) keep(type.name, node.name.value);
      },
    }),
  );
}

function keepLike(type: string, field: string, args: ReadonlySet<string>, keep: Keep): void {
  const found = keep(type, field);
  found.args.set(field, new Set([...(found.args.get(field) ?? []), ...args]));
}

/** What is kept of an interface must be in every kept type that has it, also where nothing but the interface's name is used. */
function keepInherited(schema: GraphQLSchema, kept: ReadonlyMap<string, Kept>, keep: Keep): void {
  for (const [name, { members }] of kept) {
    const type = schema.getType(name);
    if (!isInterfaceType(type)) continue;
    const [first] = Object.keys(type.getFields());
    if (members.size === 0 && first !== undefined) members.add(first);
    const { objects, interfaces } = schema.getImplementations(type);
    for (const one of [...objects, ...interfaces]) if (kept.has(one.name)) for (const member of members) keep(one.name, member);
  }
}

function keepInput(schema: GraphQLSchema, type: string, path: readonly string[], keep: Keep): void {
  let here = schema.getType(type);
  for (const key of path) {
    if (!isInputObjectType(here)) return;
    keep(here.name, key);
    here = getNamedType(here.getFields()[key]?.type);
  }
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** The definition with what is kept, and without prose. */
function cutType(definition: TypeDefinitionNode, kept: Kept | undefined, isKept: (type: string) => boolean): TypeDefinitionNode {
  const bare = visit(definition, {
    enter: (node: ASTNode) => ("description" in node ? { ...node, description: undefined } : undefined),
  });
  switch (bare.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION: {
      const fields = unique(bare.fields ?? []).filter(({ name }) => kept?.members.has(name.value));
      return {
        ...bare,
        interfaces: (bare.interfaces ?? []).filter(({ name }) => isKept(name.value)),
        // A type needs a field, also where only its name is used.
        fields: (fields.length > 0 ? fields : firstField(bare)).map((field) => cutField(field, kept?.args.get(field.name.value))),
      };
    }
    case Kind.INPUT_OBJECT_TYPE_DEFINITION: {
      const fields = bare.fields ?? [];
      const used = fields.filter((field) => kept?.members.has(field.name.value) || isRequired(field));
      return { ...bare, fields: used.length > 0 ? used : fields.slice(0, 1) };
    }
    case Kind.UNION_TYPE_DEFINITION: {
      const types = (bare.types ?? []).filter(({ name }) => isKept(name.value));
      return { ...bare, types: types.length > 0 ? types : (bare.types ?? []).slice(0, 1) };
    }
    default:
      return bare;
  }
}

function firstField(definition: Pick<ObjectTypeDefinitionNode, "fields">): readonly FieldDefinitionNode[] {
  const fields = definition.fields ?? [];
  return [
    fields.find(({ name }) => name.value === "id") ?? fields.find(({ type }) => nameOf(type) === "String") ?? fields[0],
  ].filter((field) => field !== undefined);
}

function cutField(field: FieldDefinitionNode, used: ReadonlySet<string> | undefined): FieldDefinitionNode {
  return { ...field, arguments: (field.arguments ?? []).filter((one) => used?.has(one.name.value) || isRequired(one)) };
}

/** Published schemas may name a field twice. */
function unique(fields: readonly FieldDefinitionNode[]): FieldDefinitionNode[] {
  return [...new Map(fields.map((field) => [field.name.value, field])).values()];
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
}
