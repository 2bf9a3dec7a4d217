import { Clock } from "./clock.ts";
import { plant } from "./planted.ts";

// Simulates one seed in a process of its own: `node test/simulate/one.ts SEED HOURS [FAULT]`. It prints what it covered as one line of
// JSON, and with TRACE=1 everything that happens on the standard error.

const [, , seed = "1", hours = "24", fault] = process.argv;
if (fault !== undefined) plant(fault);
const clock = new Clock();
clock.install(Number(seed));
// Loaded only now, so that it finds virtual time.
const { simulate } = await import("./world.ts");
const tell = (line: string) => (process.env["TRACE"] === undefined ? undefined : void process.stderr.write(`${line}\n`));
const covered = await simulate(clock, Number(seed), Number(hours), tell);
process.stdout.write(`${JSON.stringify(covered)}\n`);
process.exit(covered.violation === undefined ? 0 : 1);
