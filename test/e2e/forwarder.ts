import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the sandbox and passes requests on; a test says what becomes of each change. */
export interface Forwarder {
  readonly url: string;
  /** Changes that the sandbox has done, in order: `DELETE /v1/orgs/o1/members/u1`. Pings are none. */
  readonly done: string[];
  /** How many changes were done since this was set to 0, which `reset` does not. */
  everDone: number;
  /** The bodies of all changes that were passed on, in order. */
  readonly bodies: string[];
  /** All changes that were passed on, in the order of their answers. */
  readonly passed: Passed[];
  /** Called with each change before it is passed on, counted from 1. */
  onChange: (count: number) => Fate;
  /** Rewrites the body of each change; unset, it is passed on as it comes. */
  onText: ((text: string) => string) | undefined;
  /** Called with each read before it is passed on, counted from 1. */
  onRead: (count: number) => void;
  /** Comes back when nothing is being passed on. */
  idle(): Promise<void>;
  /** Counts anew, and lets everything pass. */
  reset(): void;
  close(): Promise<void>;
}

/** A change that the sandbox answered. */
export interface Passed {
  /** `PATCH /v1/orgs/o1/members/u1 {"role":"edit"}` */
  text: string;
  status: number;
  /** Whether the answer was lost on its way back. */
  isLost: boolean;
}

/** A change is passed on; lost before it was; or done, and its answer lost. */
export type Fate = 'pass' | 'lost before' | 'lost after';

/** @param target address of the sandbox */
export async function startForwarder(target: string): Promise<Forwarder> {
  let seen = 0;
  let reads = 0;
  let underWay = 0;
  let whenIdle = () => {};
  const done: string[] = [];
  const bodies: string[] = [];
  const passed: Passed[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    const changes = method !== 'GET' && !url.endsWith('/ping');
    if (changes) seen += 1;
    else forwarder.onRead(++reads);
    const fate = changes ? forwarder.onChange(seen) : 'pass';
    if (fate === 'lost before') return void outgoing.destroy();
    underWay += 1;
    const rewrites = changes ? forwarder.onText : undefined;
    const own: string[] = [];
    const answer = await pass(incoming, new URL(url, target), changes ? own : undefined, rewrites).catch(
      () => undefined,
    );
    bodies.push(...own);
    if (changes && answer !== undefined)
      passed.push({
        text: [method, url, ...own].filter((part) => part !== '').join(' '),
        status: answer.statusCode ?? 0,
        isLost: fate === 'lost after',
      });
    underWay -= 1;
    if (underWay === 0) whenIdle();
    if (answer === undefined) return void outgoing.destroy();
    if (changes && (answer.statusCode ?? 0) < 300) {
      done.push(`${method} ${url}`);
      forwarder.everDone += 1;
    }
    if (fate === 'lost after') return void outgoing.destroy();
    giveBack(answer, outgoing);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const forwarder: Forwarder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    done,
    everDone: 0,
    bodies,
    passed,
    onChange: () => 'pass',
    onText: undefined,
    onRead: () => {},
    async idle() {
      if (underWay > 0) await new Promise<void>((idle) => (whenIdle = idle));
    },
    reset() {
      seen = 0;
      reads = 0;
      done.length = 0;
      bodies.length = 0;
      passed.length = 0;
      forwarder.onChange = () => 'pass';
      forwarder.onText = undefined;
      forwarder.onRead = () => {};
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return forwarder;
}

async function pass(
  incoming: IncomingMessage,
  url: URL,
  bodies: string[] | undefined,
  rewrites: Forwarder['onText'],
): Promise<IncomingMessage> {
  const { method, headers } = incoming;
  if (rewrites !== undefined) {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = rewrites(Buffer.concat(pieces).toString('utf8'));
    const own = { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((answered, failed) => {
      send(url, { method, headers: own }, answered).on('error', failed).end(body);
    });
  }
  return new Promise((answered, failed) => {
    const outgoing = send(url, { method, headers: { ...headers, host: url.host } }, answered);
    outgoing.on('error', failed);
    if (bodies !== undefined) {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => bodies.push(Buffer.concat(pieces).toString('utf8')));
    }
    incoming.pipe(outgoing);
  });
}

function giveBack(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(outgoing);
}
