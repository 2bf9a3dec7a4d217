import { make } from "./element.js";

// The inputs of a console: one for each parameter of an action.

/** Follows references into the schema's own definitions, one step for the type and its values. */
function resolve(property, schema) {
  const parts = [property, ...(property.anyOf ?? [])].map((part) =>
    part.$ref === undefined ? part : { ...schema.$defs[part.$ref.split("/").at(-1)], ...part },
  );
  return Object.assign({}, ...parts.reverse());
}

/**
 * @param schema JSON Schema of the parameters
 * @param params those of the example, which are filled in
 * @returns names with the elements to show and a function that reads the value; undefined where there is none
 */
export function inputsOf(schema, params) {
  // Where an action takes one of several sets of parameters, the example says which.
  const given = (set) => (set.required ?? []).every((name) => name in params);
  const chosen = schema.anyOf?.map((one) => resolve(one, schema)).find(given) ?? schema;
  return Object.entries(chosen.properties ?? {}).map(([name, property]) => {
    const type = resolve(property, schema);
    const values = type.items === undefined ? undefined : resolve(type.items, schema).enum;
    const required = chosen.required?.includes(name) === true;
    const input = values === undefined ? control : choices;
    return [name, input(name, { ...type, values }, required, params[name])];
  });
}

function caption(name, required) {
  return make("span", {}, required ? `${name} *` : name);
}

/** A box to tick for each value that an element of a list may have. */
function choices(name, { values, description = "" }, required, given = []) {
  const boxes = values.map((value) => [value, make("input", { type: "checkbox", checked: given.includes(value) })]);
  const labels = boxes.map(([value, box]) => make("label", {}, box, value));
  const legend = make("legend", {}, caption(name, required));
  const element = make("fieldset", { title: description, className: "choices" }, legend, ...labels);
  const read = () => {
    const ticked = boxes.filter(([, box]) => box.checked).map(([value]) => value);
    return ticked.length === 0 ? undefined : ticked;
  };
  return { element, read };
}

/** An input for one parameter: a choice for enumerations and booleans, JSON for lists and objects, otherwise a text. */
function control(name, { type, enum: values, description = "", default: fallback }, required, given) {
  const types = [type].flat();
  const allowed = types.includes("boolean") ? ["true", "false"] : values;
  const json = types.includes("array") || types.includes("object") || type === undefined;
  const input = allowed
    ? make(
        "select",
        {},
        ...(required ? [] : [make("option", { value: "" }, "")]),
        ...allowed.map((value) => make("option", { value: String(value) }, String(value))),
      )
    : make(name === "query" && json ? "textarea" : "input", json ? { spellcheck: false } : {});
  const isLong = input.localName === "textarea";
  if (isLong) input.rows = 6;
  if (given !== undefined) input.value = json ? JSON.stringify(given, null, isLong ? 2 : undefined) : String(given);
  if (fallback !== undefined) input.placeholder = String(fallback);
  const element = make("label", { title: description, className: isLong ? "wide" : "" }, caption(name, required), input);
  const read = () => {
    const text = input.value.trim();
    if (text === "") return undefined;
    if (json) return parse(name, text);
    if (types.includes("boolean")) return text === "true";
    return (types.includes("integer") || types.includes("number")) && /^-?[\d.]+$/.test(text)
      ? Number(text)
      : text === "null" && types.includes("null")
        ? null
        : text;
  };
  return { element, read };
}

function parse(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be JSON`);
  }
}
