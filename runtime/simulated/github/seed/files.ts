import type { FileSource, Files } from "./git.ts";

const readme = `# hello-world

A file with "quotes", {braces}, \${templates}, emoji 🎉 and עברית.
`;

/** Text cut by the platform: a little over 600,000 bytes, with characters of several bytes all along. */
const bigText = Buffer.from(Array.from({ length: 16_000 }, (_, index) => `line ${index}: naïve café – 数字`).join("\n"));

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** The tree of the main repository: text, empty, binary, cut, linked, nested, and names that break careless paths. */
export function mainFiles(): Files {
  return new Map<string, FileSource>([
    ["README.md", readme],
    ["LICENSE", "MIT License\n\nCopyright (c) 2023 The Octocat\n"],
    [".gitignore", "node_modules/\n"],
    ["empty.txt", ""],
    ["big.txt", bigText],
    ["logo.png", png],
    ["package.json", '{\n  "name": "hello-world"\n}\n'],
    ["src/index.ts", 'export const greeting = "Hello, world";\n'],
    ["src/parser/parse.ts", "export function parse(text: string): string[] {\n  return text.split(/\\s+/);\n}\n"],
    ["src/parser/deep/er/still/leaf.ts", "export {};\n"],
    ["scripts/build.sh", "#!/bin/sh\nset -eu\n"],
    ["docs/file with spaces.md", "Spaces.\n"],
    ["docs/ünïcode/日本語.md", "こんにちは\n"],
    ["docs/#hash & ?query.md", "Hash.\n"],
    ["docs/with:colon.md", "Colon.\n"],
    [
      "vendor/lib",
      { submodule: "https://example.com/vendor/lib.git", oid: "3f786850e387550fdab836ed7e6dc881de23001b", branch: "stable" },
    ],
  ]);
}

/** The tree before: another README, fewer files. */
export function olderFiles(): Files {
  return new Map<string, FileSource>([
    ["README.md", "# hello-world\n\nThe first version.\n"],
    ["src/index.ts", 'export const greeting = "Hello";\n'],
    ["OLD.md", "Removed later.\n"],
  ]);
}

export function smallFiles(name: string): Files {
  return new Map<string, FileSource>([
    ["README.md", `# ${name}\n`],
    ["src/main.rs", 'fn main() { println!("{}", 1); }\n'],
  ]);
}
