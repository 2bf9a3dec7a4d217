/** What is wrong with a path of keys: an empty part, or brackets that hold no place of a list. Undefined where nothing is. */
export function wrongPath(path: string): string | undefined {
  // The selection of GraphQL may have arguments, and `.` is the whole record.
  if (path === "." || path.includes("(")) return undefined;
  const bare = path.replace(/\\./g, "x");
  if (/^\.|\.$|\.\./.test(bare) || bare === "") return "has an empty part";
  if (path !== path.trim()) return "begins or ends with a space";
  return /\[(?!\]|-?\d+\])/.test(bare) ? "has brackets without the number of a place" : undefined;
}
