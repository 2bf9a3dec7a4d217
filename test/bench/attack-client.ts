// Attacks a service in a process of its own, so that the searches of the innocent caller do not wait for the work of the attacker. Its
// argument is the address of the service. It gets the name of an attack to begin with its keys, and "end" to end it.

import { getPriority, setPriority } from "node:os";
import { type AttackKeys, attacks } from "./attack-kinds.ts";

const [, , url = ""] = process.argv;
// It shares its core with the innocent caller, who goes first.
setPriority(Math.min(19, getPriority() + 10));
let end: () => void = () => undefined;
process.on("message", (wanted: "end" | { readonly name: string; readonly keys: AttackKeys }) => {
  end();
  const attack = wanted === "end" ? undefined : attacks.find(({ name }) => name === wanted.name);
  end = (wanted !== "end" && attack?.start({ url, ...wanted.keys })) || (() => undefined);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
