import { make } from "./element.js";

const root = document.documentElement.dataset.root;

/**
 * The search dialog: opened by the button, by `/` and by Ctrl-K. The index is loaded when it is first needed.
 *
 * @returns a function that opens it with a text
 */
export function addSearch(button) {
  const input = make("input", { type: "search", placeholder: "Search", autocomplete: "off", spellcheck: false });
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": "Search the documentation",
    "aria-expanded": "true",
    "aria-controls": "results",
    "aria-autocomplete": "list",
  }))
    input.setAttribute(name, value);
  const list = make("ul", { id: "results", role: "listbox" });
  list.setAttribute("aria-label", "Results");
  const dialog = make("dialog", { className: "search" }, input, list);
  dialog.setAttribute("aria-label", "Search");
  document.body.append(dialog);

  let index;
  const open = (text = input.value) => {
    index ??= load();
    input.value = text;
    dialog.showModal();
    input.select();
    show();
  };
  const show = async () => {
    const asked = input.value;
    const found = asked.trim() === "" ? [] : (await index)(asked).slice(0, 12);
    if (asked !== input.value) return;
    list.replaceChildren(...(found.length === 0 && asked.trim() !== "" ? [nothing()] : found.map(entry)));
    select(0);
  };
  const options = () => [...list.querySelectorAll('[role="option"]')];
  const select = (at) => {
    for (const [place, option] of options().entries()) {
      option.setAttribute("aria-selected", String(place === at));
      if (place === at) option.scrollIntoView({ block: "nearest" });
    }
    input.setAttribute("aria-activedescendant", options()[at]?.id ?? "");
  };
  const selected = () => options().findIndex((option) => option.getAttribute("aria-selected") === "true");
  const go = (option) => {
    dialog.close();
    location.href = option.dataset.href;
  };
  button.addEventListener("click", () => open());
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = options().length;
    if (step !== undefined && count > 0) {
      event.preventDefault();
      select((selected() + step + count) % count);
    } else if (event.key === "Enter" && selected() >= 0) {
      event.preventDefault();
      go(options()[selected()]);
    }
  });
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[data-href]");
    if (option !== null) go(option);
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]") !== null;
    if ((event.key === "/" && !typing) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      open();
    }
  });
  return open;
}

async function load() {
  const [{ openIndex, passageOf }, file] = await Promise.all([
    import("./find.js"),
    fetch(new URL("./search.json", import.meta.url)).then((response) => response.json()),
  ]);
  const find = openIndex(file);
  return (text) => find(text).map((result) => ({ ...result, passage: passageOf(result.text, result.terms) }));
}

/** A result: where it is, what it is called, and the passage that was found. */
function entry({ href, group, page, title, passage }, at) {
  const where = [group, ...(page === title ? [] : [page])].filter((one) => one !== title);
  const pieces = passage.map(({ text, found }) => (found ? make("mark", {}, text) : text));
  const option = make(
    "li",
    { id: `result-${at}`, role: "option" },
    make("span", { className: "where" }, where.map((one) => `${one} › `).join("")),
    make("strong", {}, title),
    make("small", {}, ...pieces),
  );
  option.dataset.href = root + href;
  return option;
}

function nothing() {
  return make("li", { className: "none" }, "Nothing found");
}
