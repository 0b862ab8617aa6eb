import { expect, test } from 'vitest';
import { inWorld, targets } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Many items"; interrupted jobs and their journals are tested in test/e2e/jobs-*.test.ts. */

const ids = ['u0', 'u1', 'u2', 'u3', 'u4'];
const update = (...words: string[]) => ['members', 'update', ...words, '--role', 'read', '--yes'];
const isWrite = (target: string): boolean => target.startsWith('PATCH');

/** A promise and what settles it. */
function gate(): { open(): void; passed: Promise<void> } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

test('a result a line and item in input order, the summary on stderr, exit 3', async () => {
  const lastCame = gate();
  const script = ({ method, target }: SeenRequest): Step => {
    if (method === 'GET') return { json: { id: 'u', role: 'edit' } };
    if (target.endsWith('u4')) lastCame.open();
    if (target.endsWith('u1')) return { status: 403 };
    if (target.endsWith('u3')) return { reset: 'after-reading' };
    // The first is answered after the last was sent.
    const hold = target.endsWith('u0') ? lastCame.passed : undefined;
    return { json: { id: 'u', role: 'read' }, ...(hold && { hold }) };
  };
  await inWorld({ script }, async ({ run, server }) => {
    const ran = await run([...update(...ids), '-o', 'ndjson']);
    const results = ran.stdout
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { index: number; id: string; status: string; error?: { code: string } },
      );
    expect(results.map(({ index, id, status, error }) => [index, id, status, error?.code])).toEqual([
      [0, 'u0', 'ok', undefined],
      [1, 'u1', 'failed', 'forbidden'],
      [2, 'u2', 'ok', undefined],
      [3, 'u3', 'unknown', 'outcome_unknown'],
      [4, 'u4', 'ok', undefined],
    ]);
    expect(ran.code).toBe(3);
    expect(ran.error.message).toContain('3 of 5 items are done');
    expect(targets(server).filter(isWrite)).toHaveLength(5);
  });
});

test('where all fail for one reason of the caller, that is the exit code', async () => {
  for (const [status, headers, exit] of [
    [401, {}, 4],
    [429, { 'retry-after': '3600' }, 9],
  ] as const) {
    const script = ({ method }: SeenRequest): Step =>
      method === 'GET' ? { json: { id: 'u', role: 'edit' } } : { status, headers };
    await inWorld({ script }, async ({ run }) => {
      const ran = await run([...update('u0', 'u1'), '--json']);
      expect({ status, code: ran.code }).toEqual({ status, code: exit });
    });
  }
});

test('--concurrency is how many are under way at once', async () => {
  let most = 0;
  /** How many are waited for before any is answered; one more may come within the moment that follows. */
  let expected = 3;
  const waiting = new Set<() => void>();
  const answerAll = () => {
    for (const answer of waiting) answer();
    waiting.clear();
  };
  const script = ({ method }: SeenRequest): Step => {
    if (method === 'GET') return { json: { id: 'u', role: 'edit' } };
    const { open, passed } = gate();
    waiting.add(open);
    most = Math.max(most, waiting.size);
    // At the end there are fewer: those are answered after a while.
    setTimeout(answerAll, most >= expected ? 30 : 2000).unref();
    return { json: { id: 'u' }, hold: passed };
  };
  await inWorld({ script }, async ({ run }) => {
    const many = Array.from({ length: 24 }, (_, index) => `u${index}`);
    expect((await run([...update(...many), '--concurrency', '3', '--json'])).code).toBe(0);
    expect(most).toBe(3);
    [most, expected] = [0, 4];
    expect((await run([...update(...many), '--again', '--json'])).code).toBe(0);
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(8);
  });
});

test('no items at all is exit 2, unless --allow-empty', async () => {
  await inWorld({}, async ({ run, server }) => {
    expect((await run(update('-'), { stdin: '' })).code).toBe(2);
    expect((await run([...update('-'), '--allow-empty', '--json'], { stdin: '\n' })).code).toBe(0);
    expect(server.connections).toBe(0);
  });
});
