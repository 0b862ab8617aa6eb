import type { Io } from '../../base/io.js';
import { bodyBreak, isSuccess, largestBody, largestErrorBody, readAnswer } from './answer.js';
import { stopFailure } from './conclusion.js';
import type { Answered, TransportRequest } from './contract.js';
import type { Deadline } from './deadline.js';
import {
  type BodyLimit,
  BoundedBody,
  type Connections,
  type DispatchRequest,
  type Exchange,
  type Received,
} from './exchange.js';
import type { RequestFacts, Verdict } from './failure.js';
import { networkFailure } from './network-failure.js';
import type { Redaction } from './redaction.js';
import type { Trace } from './trace.js';

/** What an attempt needs besides the request. */
export interface AttemptContext {
  io: Io;
  connections: Connections;
  graceMs: number;
  trace: Trace | undefined;
  redaction: Redaction;
}

type Wanted = Pick<TransportRequest, 'read' | 'expect'>;

/** Sends a request once and judges the response. Never throws for what the network or the platform does. */
export async function attemptOnce(
  context: AttemptContext,
  outgoing: DispatchRequest,
  wanted: Wanted,
  facts: RequestFacts,
  deadline: Deadline,
): Promise<Verdict<Answered>> {
  const { io, connections, trace, redaction } = context;
  const exchange = new BoundedBody((status) => limitOf(status, wanted));
  const startMs = io.now();
  trace?.request(facts.origin, outgoing);
  const release = stopWithDeadline(context, deadline, facts, exchange);
  connections.dispatch(outgoing, exchange);
  const received = await exchange.received;
  release();
  trace?.received(received, io.now() - startMs);
  return judge(received, exchange.sent, wanted, facts, deadline, io.now, redaction);
}

/**
 * Cancels the exchange when its deadline or an interrupt stops it: at once, unless it is a write that was
 * sent and interrupted, which gets `graceMs` to report its outcome (RELIABILITY.md, "Time, memory, signals").
 * @returns stops watching the deadline
 */
export function stopWithDeadline(
  { io, graceMs, trace }: Pick<AttemptContext, 'io' | 'graceMs' | 'trace'>,
  deadline: Deadline,
  facts: RequestFacts,
  exchange: Exchange,
): () => void {
  let grace: AbortController | undefined;
  const giveUp = () => exchange.cancel();
  const stop = () => {
    const mayFinish = facts.effect !== 'read' && exchange.sent && deadline.stop?.by === 'abort';
    if (!mayFinish) return giveUp();
    trace?.note(`interrupted; this write has ${graceMs / 1000} s to be answered`);
    grace = new AbortController();
    io.sleep(Math.min(graceMs, deadline.remainingMs()), grace.signal).then(giveUp, () => {});
  };
  deadline.signal.addEventListener('abort', stop, { once: true });
  return () => {
    deadline.signal.removeEventListener('abort', stop);
    grace?.abort('over');
  };
}

/** The whole body of a success that is read; otherwise only what an error may quote. */
function limitOf(status: number, { read, expect }: Wanted): BodyLimit {
  return isSuccess(status, expect) && read !== 'nothing'
    ? { keep: largestBody, more: 'error' }
    : { keep: largestErrorBody, more: 'ignore' };
}

function judge(
  received: Received,
  sent: boolean,
  wanted: Wanted,
  facts: RequestFacts,
  deadline: Deadline,
  now: () => number,
  redaction: Redaction,
): Verdict<Answered> {
  const { head, body, end, error } = received;
  const { stop } = deadline;
  if (end === 'stopped' && stop !== undefined) {
    const done = head !== undefined && isSuccess(head.status, wanted.expect);
    if (head === undefined || (done && wanted.read !== 'nothing')) {
      const outcome = done ? 'done' : sent ? 'unknown' : 'not-sent';
      return { ok: false, failure: stopFailure(stop, deadline, outcome) };
    }
  }
  if (head === undefined) return { ok: false, failure: networkFailure(error, sent, facts) };
  const broken =
    end === 'error' ? bodyBreak(error) : end === 'too_large' ? ({ code: 'too_large' } as const) : undefined;
  return readAnswer({ ...head, body, ...(broken && { broken }) }, wanted, facts, now(), redaction);
}
