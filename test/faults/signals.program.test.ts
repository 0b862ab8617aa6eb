import { describe, expect, test } from 'vitest';
import { gate } from './gate.js';
import { inWorld, until } from './run.js';

/** RELIABILITY.md, "Time, memory, signals": ended from outside. What a signal ends is in signals.world.test.ts. */

/** What `--debug` says of a write in flight once the signal was taken. */
const isTaken = '* interrupted; ';

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('during a read: says so, and dies by the signal', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
      const running = start(['api', '/v1/x', '--json']);
      await until(() => server.requests.length === 1);
      running.kill(signal);
      const ran = await running.ended;
      expect({ code: ran.code, signal: ran.signal, stdout: ran.stdout }).toEqual({
        code: null,
        signal,
        stdout: '',
      });
      expect(ran.error).toMatchObject({ exitCode: signal === 'SIGINT' ? 130 : 143 });
    });
  });
});

test('a second SIGINT is death at once, whatever is in flight', async () => {
  await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
    const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
    await until(() => server.requests.length === 1);
    running.kill('SIGINT');
    await until(() => running.stderr.includes(isTaken));
    expect(running.child.exitCode ?? running.child.signalCode).toBeNull();
    running.kill('SIGINT');
    const ran = await running.ended;
    expect(ran.signal).toBe('SIGINT');
    // After the 5 s that a write is given, it would have told its outcome.
    expect(ran.error).toEqual({});
  });
});

test('during a write: it may finish, its outcome is told, and then it dies by the signal', async () => {
  const answer = gate();
  await inWorld(
    { script: () => ({ json: { id: 'x1' }, hold: answer.passed }) },
    async ({ start, server }) => {
      const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
      await until(() => server.requests.length === 1);
      running.kill('SIGTERM');
      await until(() => running.stderr.includes(isTaken));
      answer.open();
      const { signal, stdout } = await running.ended;
      expect({ signal, stdout: stdout.replace(/\s/g, '') }).toEqual({
        signal: 'SIGTERM',
        stdout: '{"id":"x1"}',
      });
    },
  );
});
