// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as books } from "./books.ts";
import { facts } from "./facts.ts";
import { entity as lentBooks } from "./lent_books.ts";
import { entity as notes } from "./notes.ts";
import { entity as ownNotes } from "./own_notes.ts";

/** A library for the golden cases. */
export const library: Connector = {
  ...facts,
  entities: { books, lent_books: lentBooks, notes, own_notes: ownNotes },
};
