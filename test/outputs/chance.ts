import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

/** Chance and requests of a recording, in this process: the same in each, so that two differ where the program does. */

let chanceOf = '';
const drawn = new Map<number, number>();

/** Draws the same bytes from now on as after any call with the same word. */
export function beginChance(of: string): void {
  chanceOf = of;
  drawn.clear();
}

/** Names of files that are there for a moment: how many are made must not change what else is drawn. */
const madeForDrafts = /write|draft|lock|part|appl/i;

const { randomBytes } = crypto;
// Counted by their length: the ids of plans, the names of jobs and salts have each their own.
Reflect.set(crypto, 'randomBytes', (size: number, done?: (error: Error | null, bytes: Buffer) => void) => {
  if (done !== undefined) return randomBytes(size, done);
  const [, , caller = ''] = new Error('who asks?').stack?.split('\n') ?? [];
  if (madeForDrafts.test(caller)) return randomBytes(size);
  const count = (drawn.get(size) ?? 0) + 1;
  drawn.set(size, count);
  const seed = `${chanceOf} ${size} ${count}`;
  return crypto.createHash('shake256', { outputLength: size }).update(seed).digest();
});
syncBuiltinESMExports();

interface Served {
  request: IncomingMessage;
  response: ServerResponse;
}

let served: Served[] = [];
let isChanged = false;
subscribe('http.server.request.start', (message) => {
  served.push(message as Served);
  isChanged ||= (message as Served).request.method !== 'GET';
});

/** Whether something but reads was sent since this was asked. */
export function takeChanged(): boolean {
  const was = isChanged;
  isChanged = false;
  return was;
}

export function forgetRequests(): void {
  served = [];
}

/** The requests since, in the order of their texts: those under way at once come in any. */
export function requests(): string[] {
  return served
    .map(({ request: { method, url }, response: { headersSent, statusCode } }) =>
      [method, url, headersSent ? statusCode : 'cut'].join(' '),
    )
    .sort();
}
