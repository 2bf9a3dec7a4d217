import type { Options, Params } from "cli-progress";
import { visibleLine } from "../../base/visible-text.ts";

/** How far some work is: a text for people, how much is done, and how much there is where that is known. */
export interface ProgressStep {
  readonly text: string;
  readonly done: number;
  readonly total?: number | undefined;
}

/** One line at the bottom of a terminal for work that takes longer than a second. */
export interface ProgressBar {
  /** Shows only the visible characters of the text, on one line: names of scopes and messages of a platform may be in it. */
  show(step: ProgressStep): void;
  /** Runs a function that writes whole lines to the terminal; meanwhile the bar is not there. */
  aside(write: () => void): void;
  end(): void;
}

/** What the bar is drawn on. */
export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Milliseconds of work before the bar appears. */
const patience = 1000;

/** Shows nothing. */
export const noBar: ProgressBar = { show: () => undefined, aside: (write) => write(), end: () => undefined };

/**
 * Opens a progress bar on standard error. Where that is no terminal, or one that cannot move its cursor (`TERM=dumb`), nothing is shown.
 * The bar has no colours, so that `NO_COLOR` needs no case of its own.
 */
export async function openProgressBar(
  out: Terminal = process.stderr,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ProgressBar> {
  if (out.isTTY !== true || environment["TERM"] === "dumb") return noBar;
  const { Format, SingleBar } = (await import("cli-progress")).default;
  const bar = new SingleBar({
    stream: out,
    format: (options: Options, { progress }: Params, { text, total }: Pick<ProgressStep, "text" | "total">) =>
      `  ${total === undefined ? "" : `${Format.BarFormat(progress, options)} ${Math.floor(progress * 100)} %  `}${text}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 20,
    clearOnComplete: true,
    // A line that is longer than the terminal is cut. The library's other way changes a mode of the terminal, which a killed process leaves
    // behind.
    linewrap: true,
    // Commands have their own answer to signals.
    gracefulExit: false,
  });
  let last: ProgressStep | undefined;
  let shown = false;
  const draw = () => {
    if (last === undefined) return;
    const { text, done, total } = last;
    const most = Math.max(done, total ?? 0);
    // The library keeps what it is given, and adds later values to it.
    const words = { text, total };
    if (shown) {
      bar.setTotal(most);
      bar.update(done, words);
    } else bar.start(most, done, words);
    shown = true;
  };
  const hide = () => {
    if (shown) bar.stop();
    shown = false;
  };
  const began = performance.now();
  // One step may take long too.
  const timer = setTimeout(draw, patience).unref();
  return {
    show: (step) => {
      last = { ...step, text: visibleLine(step.text) };
      if (performance.now() - began >= patience) draw();
    },
    aside: (write) => {
      const before = shown;
      hide();
      write();
      if (before) draw();
    },
    end: () => {
      clearTimeout(timer);
      hide();
    },
  };
}
