import { expect, test } from 'vitest';
import { gate } from './gate.js';
import { inWorld, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Many items"; interrupted jobs and their journals are tested in test/e2e/jobs-*.test.ts. */

const ids = ['u0', 'u1', 'u2', 'u3', 'u4'];
const update = (...words: string[]) => ['members', 'update', ...words, '--role', 'read', '--yes'];
/** How many are under way at once where nothing is said. */
const usual = 8;
const isWrite = (target: string): boolean => target.startsWith('PATCH');

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
  const waiting = new Set<() => void>();
  const arrived = { writes: 0, most: 0 };
  const script = ({ method }: SeenRequest): Step => {
    if (method === 'GET') return { json: { id: 'u', role: 'edit' } };
    const { open, passed } = gate();
    waiting.add(open);
    arrived.writes += 1;
    arrived.most = Math.max(arrived.most, waiting.size);
    return { json: { id: 'u' }, hold: passed };
  };
  const many = Array.from({ length: 24 }, (_, index) => `u${index}`);
  await inWorld({ script }, async ({ start }) => {
    for (const [words, most] of [
      [['--concurrency', '3'], 3],
      [['--again', '--concurrency', '5'], 5],
      [['--again'], usual],
    ] as const) {
      Object.assign(arrived, { writes: 0, most: 0 });
      const running = start([...update(...many), ...words, '--json']);
      // None is answered before as many came as may; a further one would be counted with the next.
      for (let left: number = many.length; left > 0; left -= most) {
        const expected = Math.min(most, left);
        await until(() => waiting.size >= expected);
        for (const answer of waiting) answer();
        waiting.clear();
      }
      expect((await running.ended).code).toBe(0);
      expect({ words, ...arrived }).toEqual({ words, writes: many.length, most });
    }
  });
});

test('no items at all is exit 2, unless --allow-empty', async () => {
  await inWorld({}, async ({ run, server }) => {
    expect((await run(update('-'), { stdin: '' })).code).toBe(2);
    expect((await run([...update('-'), '--allow-empty', '--json'], { stdin: '\n' })).code).toBe(0);
    expect(server.connections).toBe(0);
  });
});
