/**
 * Finds out that a list never ends because its cursors go round in a circle. It remembers one cursor at a time (Brent's algorithm), so that
 * a list may have any number of pages: a circle of n pages is noticed within 3 n pages after it began.
 */
export class CursorCircle {
  #kept: string | undefined;
  #pages = 0;
  #keepAt = 1;

  /** @param cursor of the next page @returns whether the list gave it before */
  closes(cursor: string): boolean {
    if (cursor === this.#kept) return true;
    this.#pages++;
    if (this.#pages === this.#keepAt) {
      this.#kept = cursor;
      this.#keepAt *= 2;
    }
    return false;
  }
}

/** What to say of such a list, after the name of the platform. */
export const circleText = "returned a cursor a second time, so the list never ends.";
