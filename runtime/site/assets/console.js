import { make } from "./element.js";

const root = document.documentElement.dataset.root;
/** The key stays in the memory of this page. It is never stored. */
let key = "";

/** Adds a console to every example, when the service itself shows this page and so can run the example. */
export async function addConsoles() {
  const examples = [...document.querySelectorAll(".example")];
  if (examples.length === 0) return;
  const response = await fetch(`${root}console.json`).catch(() => undefined);
  if (response?.ok !== true || !response.headers.get("content-type")?.includes("json")) return;
  const service = await response.json();
  key = service.key ?? "";
  for (const example of examples) addConsole(example, service);
}

function addConsole(example, service) {
  const summary = make("summary", {}, "Try it");
  const console = make("details", { className: "console" }, summary);
  console.addEventListener("toggle", () => {
    if (console.open && console.childElementCount === 1) fill(console, example, service);
  });
  let last = example;
  for (const kind of ["answer", "document"]) if (last.nextElementSibling?.matches(`.${kind}`)) last = last.nextElementSibling;
  last.after(console);
}

async function fill(console, example, service) {
  const { connector } = example.dataset;
  const { entity, action, params = {} } = JSON.parse(example.dataset.request);
  const schema = await fetch(`${root}schemas/${connector}/${entity}.${action}.params.json`).then((response) => response.json());
  // Where an action takes one of several sets of parameters, the example says which.
  const given = (set) => (set.required ?? []).every((name) => name in params);
  const chosen = schema.anyOf?.map((one) => resolve(one, schema)).find(given) ?? schema;
  const inputs = Object.entries(chosen.properties ?? {}).map(([name, property]) => [
    name,
    control(name, resolve(property, schema), chosen.required?.includes(name) === true, params[name]),
  ]);
  const form = make("form", { noValidate: true }, ...inputs.map(([, { label }]) => label));
  const note = make("output");
  const answer = make("div");
  if (!service.key) form.prepend(keyControl());
  const send = make("button", { type: "submit", className: "send" }, "Send");
  const copy = make("button", { type: "button" }, "Copy as curl");
  form.append(make("div", { className: "actions" }, send, copy, note));
  const request = () => {
    const given = inputs.flatMap(([name, { read }]) => {
      const value = read();
      return value === undefined ? [] : [[name, value]];
    });
    return { entity, action, params: Object.fromEntries(given) };
  };
  const attempt = (work) => async (event) => {
    event.preventDefault();
    try {
      await work();
    } catch (error) {
      note.textContent = error.message;
    }
  };
  form.addEventListener(
    "submit",
    attempt(() => run(connector, request(), note, answer)),
  );
  copy.addEventListener(
    "click",
    attempt(async () => {
      await navigator.clipboard.writeText(curl(connector, request()));
      note.textContent = "Copied";
    }),
  );
  console.append(form, answer);
}

function address(connector) {
  return new URL(`/api/v1/integrations/connectors/${connector}/execute`, location.href).href;
}

async function run(connector, request, note, answer) {
  note.textContent = "…";
  const started = performance.now();
  const response = await fetch(address(connector), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  note.textContent = `${response.status} in ${Math.round(performance.now() - started)} ms`;
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  const pre = make("pre", { tabIndex: 0 }, make("code", {}, pretty));
  answer.replaceChildren(make("div", { className: "code" }, make("div", { className: "code-head" }, "Answer"), pre));
}

function curl(connector, request) {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl -s ${address(connector)} \\\n  -H "Authorization: Bearer $TENON_API_KEY" -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

/** Follows references into the schema's own definitions, one step for the type and its values. */
function resolve(property, schema) {
  const parts = [property, ...(property.anyOf ?? [])].map((part) =>
    part.$ref === undefined ? part : { ...schema.$defs[part.$ref.split("/").at(-1)], ...part },
  );
  return Object.assign({}, ...parts.reverse());
}

/** An input for one parameter: a choice for enumerations and booleans, JSON for lists and objects, otherwise a text. */
function control(name, { type, enum: values, description = "", default: fallback }, required, given) {
  const types = [type].flat();
  const choices = types.includes("boolean") ? ["true", "false"] : values;
  const json = types.includes("array") || types.includes("object") || type === undefined;
  const input = choices
    ? make(
        "select",
        {},
        ...(required ? [] : [make("option", { value: "" }, "")]),
        ...choices.map((value) => make("option", { value: String(value) }, String(value))),
      )
    : make(name === "query" && json ? "textarea" : "input", json ? { spellcheck: false } : {});
  if (input.localName === "textarea") input.rows = 6;
  if (given !== undefined)
    input.value = json ? JSON.stringify(given, null, input.localName === "textarea" ? 2 : undefined) : String(given);
  if (fallback !== undefined) input.placeholder = String(fallback);
  const label = make(
    "label",
    { title: description, className: input.localName === "textarea" ? "wide" : "" },
    make("span", {}, required ? `${name} *` : name),
    input,
  );
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
  return { label, read };
}

function parse(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} must be JSON`);
  }
}

function keyControl() {
  const input = make("input", { type: "password", autocomplete: "off", value: key });
  input.addEventListener("input", () => (key = input.value));
  return make("label", { className: "wide" }, make("span", {}, "API key (kept in this page only)"), input);
}
