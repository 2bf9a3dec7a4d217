// Runs the modules that it is given, one after the other, and prints what each of them prints as one line of JSON.
// `tenon/<connector>` is the client library of this repository, as it is in the package.
import { registerHooks } from "node:module";

const generated = new URL("../../generated/", import.meta.url);
registerHooks({
  resolve: (specifier, context, next) => {
    const connector = /^tenon\/([\w-]+)$/.exec(specifier)?.[1];
    return next(connector === undefined ? specifier : new URL(`${connector}/client.ts`, generated).href, context);
  },
});
const print = console.log;
for (const file of process.argv.slice(2)) {
  let text = "";
  console.log = (line) => {
    text += line;
  };
  await import(file);
  print(JSON.stringify(JSON.parse(text)));
}
