import { escapeHtml } from "./html.ts";

/** One of several panels of which a page shows one at a time. */
export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/**
 * Panels with radio buttons that choose one of them, so that they work without JavaScript.
 *
 * @param id unique in its page
 * @param legend what the panels are, for screen readers
 */
export function tabsHtml(id: string, legend: string, tabs: readonly Tab[]): string {
  const choices = tabs.map(
    ({ name, title }, index) =>
      `<input type="radio" name="${id}" id="${id}-${name}" value="${name}"${index === 0 ? " checked" : ""}>` +
      `<label for="${id}-${name}">${escapeHtml(title)}</label>`,
  );
  const panels = tabs.map(({ name, html }) => `<div class="panel" data-way="${name}">${html}</div>`);
  return `<fieldset class="ways"><legend>${escapeHtml(legend)}</legend>${choices.join("")}</fieldset>${panels.join("")}`;
}
