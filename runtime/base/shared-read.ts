/**
 * Lets everybody who asks at the same time share one read. At most one is under way; whoever asks meanwhile gets the next one, so that
 * nobody gets what was read before the question.
 *
 * @returns a function that reads
 */
export function sharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    next = undefined;
    const started = read();
    running = started;
    const ended = () => {
      if (running === started) running = undefined;
    };
    started.then(ended, ended);
    return started;
  };
  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  };
}
