/** What goes wrong with deliveries of webhooks, as it does with real ones. */
export interface HookTrouble {
  /** Milliseconds by which a delivery may be late, at random, so that deliveries come out of order. */
  readonly late: number;
  /** How many deliveries come twice: 0 for none, 1 for all. */
  readonly twice: number;
  /** How many deliveries never come. */
  readonly lost: number;
}

const noTrouble: HookTrouble = { late: 0, twice: 0, lost: 0 };

/** The environment variable with what goes wrong. */
const variable = "SIMULATOR_WEBHOOKS";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `late:5000,twice:0.5,lost:0.1`, of which each may be absent. @throws Error for anything else */
export function readTrouble(environment: Environment): HookTrouble {
  const problem = troubleProblem(environment);
  if (problem !== undefined) throw new Error(problem);
  return { ...noTrouble, ...Object.fromEntries(partsOf(environment).map(({ name, value }) => [name, Number(value)])) };
}

/** Why what is to go wrong cannot be read; undefined where it can. A service checks it before it starts. */
export function troubleProblem(environment: Environment): string | undefined {
  const wrong = partsOf(environment).find(({ name, value }) => {
    const isKnown = Object.hasOwn(noTrouble, name) && value !== "";
    return !isKnown || !(Number(value) >= 0 && Number(value) <= (name === "late" ? 3_600_000 : 1));
  });
  if (wrong === undefined) return undefined;
  return `${variable} has "${wrong.text}": it takes late:<milliseconds, at most 3600000>, twice:<0 to 1> and lost:<0 to 1>`;
}

function partsOf(environment: Environment) {
  const parts = (environment[variable] ?? "").split(",").filter((part) => part !== "");
  return parts.map((text) => {
    const [name = "", value = ""] = text.split(":");
    return { text, name, value };
  });
}
