/** Result codes of SQLite, including their extended forms, that mean a problem with the file and not a fault of this code. */
const fileProblems: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "is not an SQLite file",
  SQLITE_CORRUPT: "is damaged",
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written",
  SQLITE_CANTOPEN: "cannot be opened",
  SQLITE_READONLY: "is read-only",
  SQLITE_PERM: "cannot be opened: permission was denied",
  SQLITE_BUSY: "has been locked by another process for too long",
};

/**
 * What is wrong with a file, by the code of an error of SQLite: the rest of a sentence that begins with the file. Undefined where the code
 * means no problem with the file.
 *
 * @param own words for some of the codes, which depend on what the file is for
 */
export function sqliteProblem(code: string, own: Readonly<Record<string, string>>): string | undefined {
  const [known, text] = Object.entries(fileProblems).find(([one]) => code === one || code.startsWith(`${one}_`)) ?? [];
  return known === undefined ? undefined : `${own[known] ?? text} (${code})`;
}
