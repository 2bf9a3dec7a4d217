/** How files of the site are compressed when it is built, the best first: name in `Accept-Encoding`, and ending of the compressed file. */
export const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;
