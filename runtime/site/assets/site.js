import { addConsoles } from "./console.js";
import { copyButton } from "./copy.js";
import { make } from "./element.js";
import { addSearch } from "./search.js";

const root = document.documentElement;

function icon(path) {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return holder.content;
}

function addTools() {
  const tools = document.getElementById("tools");
  const find = make(
    "button",
    { type: "button", className: "find" },
    icon("M20 20l-4.5-4.5M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0"),
  );
  find.setAttribute("aria-label", "Search the documentation");
  find.append(make("span", {}, "Search"), make("kbd", {}, "/"));
  const theme = make("button", { type: "button", className: "theme" }, icon("M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9"));
  theme.setAttribute("aria-label", "Switch between the light and the dark theme");
  theme.addEventListener("click", switchTheme);
  const menu = make("button", { type: "button", className: "menu" }, icon("M4 7h16M4 12h16M4 17h16"));
  menu.setAttribute("aria-label", "Show the list of pages");
  menu.setAttribute("aria-expanded", "false");
  menu.setAttribute("aria-controls", "side");
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(root.classList.toggle("menu"))));
  tools.append(find, theme, menu);
  return addSearch(find);
}

/** At an address that there is not, the words of the address are what the reader probably looks for. */
function offerSearch(open) {
  const words = decodeURIComponent(location.pathname)
    .replace(/^\/docs|\.\w+$/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const button = make("button", { type: "button", className: "send" }, words === "" ? "Search" : `Search for “${words}”`);
  button.addEventListener("click", () => open(words));
  document.querySelector("article > p").after(make("p", {}, button));
}

function switchTheme() {
  const dark =
    root.dataset.theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

/** A button that copies the code that is shown. */
function addCopyButtons() {
  for (const code of document.querySelectorAll(".code:not(.example .code)"))
    code.querySelector(".code-head").append(copyButton(() => code));
  for (const example of document.querySelectorAll(".example"))
    example
      .querySelector(".ways")
      .append(
        copyButton(() => [...example.querySelectorAll(".panel")].find((panel) => getComputedStyle(panel).display !== "none")),
      );
}

/** The address that the site is written with. */
const written = "http://127.0.0.1:8787";

/** What the page can do only where the service itself shows it: its samples name the address of the service, and can be sent. */
async function useService() {
  const service = await serviceOf();
  if (service === undefined) return;
  if (location.origin !== written) {
    const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (text.data.includes(written)) text.data = text.data.replaceAll(written, location.origin);
    }
  }
  addConsoles(service);
}

/** What the service says to its pages; undefined where another server shows them. */
async function serviceOf() {
  const response = await fetch(`${root.dataset.root}console.json`).catch(() => undefined);
  return response?.ok === true && response.headers.get("content-type")?.includes("json") ? response.json() : undefined;
}

/** All examples show the way of sending that the reader chose last, on other pages too. */
function keepWay() {
  const choose = (way) => {
    for (const input of document.querySelectorAll(`.ways input[value="${CSS.escape(way)}"]`)) input.checked = true;
  };
  const last = localStorage.getItem("way");
  if (last !== null) choose(last);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".ways input")) return;
    const before = target.getBoundingClientRect().top;
    localStorage.setItem("way", target.value);
    choose(target.value);
    // The other examples may have changed their heights; what the reader looks at stays where it is.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
  });
}

/** Marks the heading in the table of contents at which the reader is. */
function followHeadings() {
  const links = [...document.querySelectorAll(".toc a")];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const at = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 120);
    for (const [index, link] of links.entries()) link.classList.toggle("here", index === Math.max(at, 0));
  };
  if (links.length === 0) return;
  document.addEventListener("scroll", mark, { passive: true });
  mark();
}

const openSearch = addTools();
if (document.body.classList.contains("missing")) offerSearch(openSearch);
addCopyButtons();
keepWay();
followHeadings();
document.querySelector(".side [aria-current]")?.scrollIntoView({ block: "nearest" });
useService();
