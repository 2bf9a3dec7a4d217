import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

// A process that a test has started ends when the process of the tests ends, however that ends: `--bail`, ctrl+C and SIGKILL leave no
// time to close anything.

/**
 * Reads which processes have started and ended. At the end of its input, it ends those that still run: with SIGTERM first, on which shells
 * end what they have started.
 */
const script = `
trap '' HUP INT TERM
declare -A running
while read -r what pid; do
  if [ "$what" = started ]; then running[$pid]=1; else unset "running[$pid]"; fi
done
for pid in "\${!running[@]}"; do kill -TERM "$pid"; done 2>/dev/null
sleep 1
for pid in "\${!running[@]}"; do kill -KILL "$pid"; done 2>/dev/null
`;

let told: Writable | undefined;

function tell(line: string): void {
  if (told === undefined) {
    // In a session of its own, because a terminal sends its signals to all processes of a session.
    const watcher = spawn("bash", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    watcher.unref();
    // Without a watcher, the tests themselves still end what they have started.
    watcher.on("error", () => undefined);
    watcher.stdin.on("error", () => undefined);
    if ("unref" in watcher.stdin && typeof watcher.stdin.unref === "function") watcher.stdin.unref();
    told = watcher.stdin;
  }
  told.write(`${line}\n`);
}

/** Ends a process when the process of the tests ends. */
export function endsWithTests<Child extends ChildProcess>(child: Child): Child {
  const { pid } = child;
  if (pid === undefined) return child;
  tell(`started ${pid}`);
  child.once("exit", () => tell(`ended ${pid}`));
  return child;
}
