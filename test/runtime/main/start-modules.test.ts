import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

it("a start loads neither the client of HTTP nor the rules of languages, which no request for the probes needs", () => {
  const modules = ["main/service.ts", "main/front.ts", "platform/client.ts", "simulator/listen.ts"];
  const program = `
    const formatted = [];
    const format = Number.prototype.toLocaleString;
    Number.prototype.toLocaleString = function (...rules) {
      formatted.push(this);
      return format.apply(this, rules);
    };
    for (const module of ${JSON.stringify(modules)}) await import(new URL(module, ${JSON.stringify(pathToFileURL("runtime/"))}));
    const loaded = process.moduleLoadList.filter((name) => /undici/.test(name));
    console.log(JSON.stringify([loaded, formatted.length]));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual([[], 0]);
});
