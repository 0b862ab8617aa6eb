/** Lets events in: answers are taken and the next requests sent before more is loaded or parsed. */
export function nextTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
