import { type Arrow, stateDiagram } from "./diagram.ts";
import { type DrawnRoom, roomPicture } from "./room-picture.ts";

/** Heads of the tables that list the parameters or fields of something. These are easier to read as a list than as a table. */
const lists: ReadonlySet<string> = new Set(["parameter", "field", "variable", "setting", "route", "value"]);

/** Heads of second columns that stand beside the name as they are. */
const types: ReadonlySet<string> = new Set(["type", "compared as", "key in the file"]);

/** Heads of tables of transitions, which also become diagrams. */
const transitions: ReadonlySet<string> = new Set(["state before", "path from"]);

/** Head of the tables of rooms, which become pictures and lists. */
const rooms = "room";

/** Head of the table of figures on the front page, which become tiles. */
const figures = "figure";

/**
 * A table of Markdown as HTML. Its cells are HTML already.
 *
 * @param idOf makes an id that is unique in the page from the name of an entry
 */
export function tableHtml([head = [], ...rows]: readonly (readonly string[])[], idOf: (name: string) => string): string {
  if (lists.has(head[0] ?? ""))
    return `<dl class="fields">${rows.map((row) => listEntry(head, row, idOf(plain(row[0] ?? "")))).join("")}</dl>\n`;
  if (head[0] === rooms) return `${roomPicture(rows.map(roomOf))}<dl class="fields">${rows.map(roomEntry).join("")}</dl>\n`;
  if (head[0] === figures) return `<ul class="figures">${rows.map(tile).join("")}</ul>\n`;
  // A column of names needs no head, and an empty one says nothing to those who hear the page.
  const heads = head.map((cell) => (cell === "" ? "<td></td>" : `<th scope="col">${cell}</th>`)).join("");
  // Where there is no room for columns beside each other, each cell shows the head of its column.
  const labels = head.map((cell, at) => (at === 0 ? "" : ` data-head="${plain(cell)}"`));
  const body = rows.map((row) => `<tr>${row.map((cell, at) => `<td${labels[at] ?? ""}>${cell}</td>`).join("")}</tr>`).join("");
  const kind = head.length > 2 ? "table stacked" : "table";
  const diagram = transitions.has(head[0] ?? "") ? stateDiagram(rows.map(arrowOf)) : "";
  return `${diagram}<div class="${kind}" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>\n`;
}

function tile([figure = "", what = "", against = ""]: readonly string[]): string {
  return `<li>${figure}<p>${what}</p><p class="against">Against ${against}</p></li>`;
}

/** Name and type first, then marks such as "required", then what it is, which is always the last column. Each entry has an address. */
function listEntry(head: readonly string[], row: readonly string[], id: string): string {
  const [name = "", ...rest] = row;
  const doc = rest.pop() ?? "";
  const cells = rest.map((cell, index) => ({ cell, column: head[index + 1] ?? "" })).filter(({ cell }) => cell !== "");
  const shown = cells.map(({ cell, column }) =>
    types.has(column)
      ? `<span class="type">${cell}</span>`
      : `<span class="mark${column === "required" ? " required" : ""}">${markText(column, cell)}</span>`,
  );
  const link = `<a class="anchor" href="#${id}" aria-label="Link to ${plain(name)}">#</a>`;
  return `<div class="field" id="${id}"><dt>${[name, ...shown, link].join(" ")}</dt><dd>${doc}</dd></div>`;
}

/** A cell "yes" says what its column says. */
function markText(column: string, cell: string): string {
  return cell === "yes" ? column : `${column} ${cell}`;
}

function plain(html: string): string {
  return html.replace(/<[^>]+>/g, "").replaceAll('"', "");
}

function arrowOf([from = "", set = "", to = ""]: readonly string[]): Arrow {
  return { from: plain(from), to: plain(to), label: plain(set) };
}

function roomEntry([name = "", holds = "", imports = ""]: readonly string[]): string {
  const from = imports === "" ? "" : `<p class="imports">May import from ${imports}</p>`;
  return `<div class="field"><dt>${name}</dt><dd>${holds}${from}</dd></div>`;
}

function roomOf([name = "", , imports = ""]: readonly string[]): DrawnRoom {
  return { name: plain(name), imports: plain(imports).split(", ") };
}
