import { describe, expect, test } from 'vitest';
import { gate } from './gate.js';
import { inWorld, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Time, memory, signals": what a signal ends. That docs dies by it is tested with the built program. */

/** What `--debug` says of a write in flight once the signal was taken. */
const isTaken = '* interrupted; ';

describe.each([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
] as const)('$signal', ({ signal, code }) => {
  test('of a command that only reads: nothing was changed, whatever it was reading', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
      const running = start(['teams', 'list', '--json']);
      await until(() => server.requests.length === 1);
      running.kill(signal);
      const { error, ...ran } = await running.ended;
      expect(ran.code).toBe(code);
      expect(error).toMatchObject({
        message: 'cancelled; nothing was changed',
        outcome: 'not-sent',
        next: [],
      });
      expect(error).not.toHaveProperty('path');
    });
  });

  test('during a wait for the next attempt', async () => {
    const step: Step = { status: 503, headers: { 'retry-after': '30' } };
    await inWorld({ script: () => step }, async ({ start, server }) => {
      const running = start(['api', 'POST', '/v1/x', '-f', 'a=b', '--json', '--debug']);
      await until(() => running.stderr.includes('* waiting'));
      running.kill(signal);
      const ran = await running.ended;
      expect({ code: ran.code, sent: server.requests.length }).toEqual({ code, sent: 1 });
      expect(ran.error.outcome).toBe('refused');
    });
  });

  test('during a list: what is printed stays open', async () => {
    const script = (_: SeenRequest, number: number): Step =>
      number === 1 ? { json: { items: [{ id: 't1' }], next: { page: 'p2' } } } : { stall: true };
    await inWorld({ script }, async ({ start }) => {
      const running = start(['teams', 'list', '--json']);
      await until(() => running.stdout.includes('t1'));
      running.kill(signal);
      const ran = await running.ended;
      expect(ran.code).toBe(code);
      expect(() => JSON.parse(ran.stdout)).toThrow();
    });
  });

  test('during a filter that does not end', async () => {
    await inWorld({ script: () => ({ json: { id: 'x' } }) }, async ({ start, server }) => {
      const running = start(['api', '/v1/x', '--json', '--jq', 'until(false; .)']);
      await until(() => server.requests.length === 1);
      running.kill(signal);
      const ran = await running.ended;
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' });
      expect(ran.error).toMatchObject({ exitCode: code });
    });
  });

  test('during a write: it may finish, and its outcome is told', async () => {
    const answer = gate();
    await inWorld(
      { script: () => ({ json: { id: 'x1' }, hold: answer.passed }), waits: true },
      async ({ start, server }) => {
        const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
        await until(() => server.requests.length === 1);
        running.kill(signal);
        await until(() => running.stderr.includes(isTaken));
        answer.open();
        const ran = await running.ended;
        expect({ code: ran.code, stdout: ran.stdout.replace(/\s/g, '') }).toEqual({
          code,
          stdout: '{"id":"x1"}',
        });
      },
    );
  });
});

test('a write that never answers has 5 s after a signal, and then its outcome is unknown', async () => {
  await inWorld({ script: () => ({ stall: true }), waits: true }, async ({ start, server, clock }) => {
    const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
    await until(() => server.requests.length === 1);
    running.kill('SIGINT');
    await until(() => running.stderr.includes(isTaken));
    clock.advance(4999);
    // Its limit, and the time that it is given.
    expect(clock.sleeping).toBe(2);
    clock.advance(1);
    const { code, error } = await running.ended;
    expect({ code, ...error }).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' });
  });
});

test('SIGINT in a job of many: nothing new, what is in flight is finished, and resume does the rest', async () => {
  const answer = gate();
  let held = true;
  const script = ({ method }: SeenRequest): Step =>
    method === 'PATCH' && held
      ? { json: { id: 'u' }, hold: answer.passed }
      : { json: { id: 'u', role: 'edit' } };
  await inWorld({ script, waits: true }, async ({ start, run, server }) => {
    const ids = Array.from({ length: 30 }, (_, index) => `u${index}`);
    const writes = () => targets(server).filter((target) => target.startsWith('PATCH'));
    const words = [
      'members',
      'update',
      ...ids,
      '--role',
      'read',
      '--yes',
      '--concurrency',
      '3',
      '--json',
      '--debug',
    ];
    const running = start(words);
    await until(() => writes().length === 3);
    running.kill('SIGINT');
    await until(() => running.stderr.split(isTaken).length > 3);
    held = false;
    answer.open();
    const ran = await running.ended;
    expect(ran.code).toBe(130);
    expect(writes().length).toBe(3);
    expect(() => JSON.parse(ran.stdout)).toThrow();
    expect(ran.error.message).toContain('3 of 30 items are done');
    const hint = String(ran.error.hint);
    expect(hint).toMatch(/^docs jobs resume /);
    const resumed = await run([...hint.split(' ').slice(1), '--yes', '--json']);
    expect(resumed.code).toBe(0);
    expect(new Set(writes()).size).toBe(30);
    expect(writes().length).toBe(30);
  });
});
