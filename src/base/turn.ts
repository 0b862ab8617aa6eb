/**
 * Lets answers that have arrived be taken, and the requests that wait for them be sent: these leave a turn of the event
 * loop after the answer (transport/exchange.ts).
 */
export async function nextTurn(): Promise<void> {
  await turn();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
