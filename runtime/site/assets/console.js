import { inputsOf } from "./console-inputs.js";
import { copyButton } from "./copy.js";
import { make } from "./element.js";
import { jsonCode } from "./json-html.js";

const root = document.documentElement.dataset.root;
const connectors = "/api/v1/integrations/connectors";
/** The key stays in the memory of this page. It is never stored. */
let key = "";
/** The connector instances that the key may use; undefined until they are known. */
let instances;

/** Adds a console to every example of a page that the service itself shows, because it can run the example. */
export function addConsoles(service) {
  key = service.key ?? "";
  for (const example of document.querySelectorAll(".example")) addConsole(example, service);
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
  const { connector, writes } = example.dataset;
  const { entity, action, params = {} } = JSON.parse(example.dataset.request);
  const schema = await fetch(`${root}schemas/${connector}/${entity}.${action}.params.json`).then((response) => response.json());
  const inputs = inputsOf(schema, params);
  const choice = instanceChoice(connector);
  const form = make("form", { noValidate: true }, choice.element, ...inputs.map(([, { element }]) => element));
  const note = make("output");
  const answer = make("div");
  if (!service.key) form.prepend(keyControl(choice.update));
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
    attempt(async () => {
      const body = request();
      const { id, simulated } = choice.chosen();
      if (writes === "true" && !simulated && !(await confirmed(body, id))) note.textContent = "Not sent";
      else await run(id, body, note, answer);
    }),
  );
  copy.addEventListener(
    "click",
    attempt(async () => {
      await navigator.clipboard.writeText(curl(choice.chosen().id, request()));
      note.textContent = "Copied";
    }),
  );
  console.append(form, answer);
  if (key !== "") await choice.update();
}

/** A choice among the instances of a connector. Until they are known, it has the one that is named after the connector. */
function instanceChoice(connector) {
  const select = make("select", {}, make("option", { value: connector }, connector));
  const element = make("label", { title: "The configured account that gets the request" }, make("span", {}, "instance"), select);
  const own = () => instances?.filter((one) => one.connector === connector) ?? [];
  const update = async () => {
    instances ??= await listInstances();
    if (own().length === 0) return;
    const options = own().map(({ id, simulated }) => make("option", { value: id }, simulated ? `${id} (simulated)` : id));
    const before = select.value;
    select.replaceChildren(...options);
    if (own().some(({ id }) => id === before)) select.value = before;
  };
  // What is not known to be simulated counts as real.
  const chosen = () => own().find(({ id }) => id === select.value) ?? { id: select.value, simulated: false };
  return { element, update, chosen };
}

async function listInstances() {
  const response = await fetch(connectors, { headers: { authorization: `Bearer ${key}` } });
  return response.ok ? (await response.json()).data : undefined;
}

/** Asks before a request changes something outside this machine. */
function confirmed({ entity, action }, id) {
  const dialog = make(
    "dialog",
    { className: "confirm", "aria-label": "Confirm the write" },
    make(
      "p",
      {},
      make("strong", {}, `${entity}.${action}`),
      " writes real data through the instance ",
      make("strong", {}, id),
      ".",
    ),
    make(
      "form",
      { method: "dialog" },
      make("button", { value: "send", className: "send" }, "Write real data"),
      make("button", { value: "" }, "Cancel"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "send");
    }),
  );
}

function address(id) {
  return new URL(`${connectors}/${encodeURIComponent(id)}/execute`, location.href).href;
}

async function run(id, request, note, answer) {
  note.textContent = "…";
  const started = performance.now();
  const response = await fetch(address(id), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  note.textContent = `${response.status} in ${Math.round(performance.now() - started)} ms`;
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  const code = make("div", { className: "code" });
  code.append(
    make(
      "div",
      { className: "code-head" },
      "Response",
      copyButton(() => code),
    ),
    make("pre", { tabIndex: 0 }, jsonCode(pretty)),
  );
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const shown = make("pre", { tabIndex: 0 }, `HTTP ${response.status}\n${headers}`);
  const more = make(
    "details",
    { className: "headers" },
    make("summary", {}, "Response headers"),
    make("div", { className: "code" }, shown),
  );
  answer.replaceChildren(code, more);
}

function curl(id, request) {
  const body = JSON.stringify(request).replaceAll("'", "'\\''");
  return `curl -s ${address(id)} \\\n  -H "Authorization: Bearer $TENON_API_KEY" -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

/** @param changed called when the key is another one */
function keyControl(changed) {
  const input = make("input", { type: "password", autocomplete: "off", value: key });
  input.addEventListener("input", () => (key = input.value));
  input.addEventListener("change", () => {
    instances = undefined;
    changed();
  });
  return make("label", { className: "wide" }, make("span", {}, "API key (kept in this page only)"), input);
}
