// Bodies that are forms (`application/x-www-form-urlencoded`), as platforms that take them read them.

type Member = string | Member[] | { [key: string]: Member };

export const formType = "application/x-www-form-urlencoded";

export const partsType = "multipart/form-data";

/** The media type of a body: that of a form, of parts, or else JSON. */
export function bodyType(headers: Readonly<Record<string, string>>): string {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  return [formType, partsType].includes(type) ? type : "application/json";
}

/** The objects and lists that the names of a form write: `a[b]` is a member of `a`, `a[0]` an element. Every value is a text. */
export function parseForm(text: string): Record<string, unknown> {
  const root: { [key: string]: Member } = Object.create(null) as { [key: string]: Member };
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = "", ...keys] = name.replaceAll("]", "").split("[");
    let here = root;
    let key = first;
    for (const next of keys) {
      if (typeof here[key] !== "object") here[key] = /^\d+$/.test(next) ? [] : {};
      here = here[key] as typeof root;
      key = next;
    }
    here[key] = value;
  }
  return root;
}
