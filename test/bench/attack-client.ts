// Attacks a service in a process of its own, so that the searches of the innocent caller do not wait for the work of the attacker. Its
// argument is the target as JSON. It gets the name of an attack to begin, and "end" to end it.

import { getPriority, setPriority } from "node:os";
import { attacks, type Target } from "./attack-kinds.ts";

const target = JSON.parse(process.argv[2] ?? "") as Target;
// It shares its core with the innocent caller, who goes first.
setPriority(Math.min(19, getPriority() + 10));
let end: () => void = () => undefined;
process.on("message", (name) => {
  end();
  end = attacks.find((attack) => attack.name === name)?.start(target) ?? (() => undefined);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
