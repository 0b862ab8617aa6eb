import { describe, expect, it } from 'vitest';
import { getSpace } from '../../src/api/resources/spaces.js';
import { DocsError } from '../../src/base/errors.js';
import type { Reads } from '../../src/jobs/request.js';
import { expecting, patiently } from '../../src/jobs/run-job.js';

const refused = (kind: 'not-found' | 'forbidden' | 'conflict', code: string = kind) =>
  new DocsError(kind, code, 'Refused.', { outcome: 'refused', status: 404 });

/** A piece of work that fails a number of times, and the pauses that were made. */
function world(failures: readonly DocsError[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  let tries = 0;
  const sleep = async (ms: number) => {
    pauses.push(ms);
    signal.throwIfAborted();
  };
  const work = async () => {
    const failure = failures[tries++];
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { io: { sleep, signal }, work, pauses, tried: () => tries };
}

const line = (waitMs?: number) => ({ id: 's1', ...(waitMs !== undefined && { waitMs }) });

describe('waiting for what the platform shows late', () => {
  it('does not wait where nothing lags', async () => {
    const { io, work, pauses } = world([]);
    expect(await patiently(io, line(60_000), work)).toBe('done');
    expect(pauses).toEqual([]);
  });

  it('repeats after 404 and 403, with pauses that grow to five seconds', async () => {
    const { io, work, pauses } = world([
      ...[refused('not-found'), refused('forbidden'), refused('not-found'), refused('not-found')],
      ...[refused('not-found'), refused('not-found'), refused('not-found')],
    ]);
    expect(await patiently(io, line(60_000), work)).toBe('done');
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  it('ends once the pauses add up to the limit, and keeps what is known of the refusal', async () => {
    const { io, work, pauses } = world(Array.from({ length: 20 }, () => refused('forbidden')));
    const failure = await patiently(io, line(1000), work).catch((cause: DocsError) => cause);
    expect(failure).toMatchObject({
      kind: 'forbidden',
      code: 'not_available',
      message: 's1 is not available after 1s: Refused.',
      failure: { outcome: 'refused', retryable: true },
    });
    expect(pauses).toEqual([250, 500, 250]);
  });

  it.each([refused('conflict'), refused('forbidden', 'policy_denied')])(
    'does not repeat %s',
    async (cause) => {
      const { io, work, tried } = world([cause]);
      await expect(patiently(io, line(1000), work)).rejects.toBe(cause);
      expect(tried()).toBe(1);
    },
  );

  it('tries once without a limit, and ends with the signal', async () => {
    const once = world([refused('not-found')]);
    await expect(patiently(once.io, line(), once.work)).rejects.toMatchObject({ code: 'not-found' });
    const stopped = new AbortController();
    stopped.abort(new DocsError('interrupted', 'interrupted', 'Interrupted.'));
    const { io, work, tried } = world([refused('not-found')], stopped.signal);
    await expect(patiently(io, line(1000), work)).rejects.toMatchObject({ kind: 'interrupted' });
    expect(tried()).toBe(1);
  });

  it('takes a read that shows nothing for a delay', async () => {
    const states = [null, null, { title: 'A' }];
    const { io, pauses } = world([]);
    const look = async () => states.shift() ?? null;
    expect(await patiently(io, line(5000), look, (found) => found !== null)).toEqual({ title: 'A' });
    expect(pauses).toEqual([250, 500]);
    const reads: Reads = { one: async () => null, all: async () => null };
    expect(expecting(reads, line())).toBe(reads);
    await expect(expecting(reads, line(1)).one(getSpace, {})).rejects.toMatchObject({ kind: 'not-found' });
  });
});
