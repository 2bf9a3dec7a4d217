/** What was done to the tables of an entity when a process with its plan opened the store. */
export type Migration = "made" | "rebuilt" | "emptied";
