/** In so many parts a wait is divided. */
const slices = 20;

/**
 * Aborts once this process has waited so long. Time in which it did not run does not count but for a part: on a busy
 * machine, or with the lid closed, the answer was not late. Keeps no process alive.
 * @param reason of the signal
 */
export function patience(ms: number, reason?: unknown): AbortSignal {
  const over = new AbortController();
  let left = slices;
  const wait = (): void => {
    left -= 1;
    if (left < 0) over.abort(reason);
    else setTimeout(wait, ms / slices).unref();
  };
  wait();
  return over.signal;
}
