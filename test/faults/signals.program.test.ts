import { describe, expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { inWorld, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';
import { onTerminal } from './terminal.js';

/** RELIABILITY.md, "Time, memory, signals": ended from outside. Looks are tested in test/e2e/terminal.program.test.ts. */

/** What `--debug` says of a write in flight once the signal was taken. */
const isTaken = '* interrupted; ';

/** A promise and what settles it. */
function gate(): { open(): void; passed: Promise<void> } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('during a read: says so, and dies by the signal', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
      const running = start(['api', '/v1/x', '--json']);
      await until(() => server.requests.length === 1);
      running.child.kill(signal);
      const ran = await running.ended;
      expect({ code: ran.code, signal: ran.signal, stdout: ran.stdout }).toEqual({
        code: null,
        signal,
        stdout: '',
      });
      expect(ran.error).toMatchObject({ exitCode: signal === 'SIGINT' ? 130 : 143 });
    });
  });

  test('of a command that only reads: nothing was changed, whatever it was reading', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
      const running = start(['teams', 'list', '--json']);
      await until(() => server.requests.length === 1);
      running.child.kill(signal);
      const { error, signal: died } = await running.ended;
      expect(died).toBe(signal);
      expect(error).toMatchObject({
        message: 'Cancelled; nothing was changed.',
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
      running.child.kill(signal);
      const ran = await running.ended;
      expect({ signal: ran.signal, sent: server.requests.length }).toEqual({ signal, sent: 1 });
      expect(ran.error.outcome).toBe('refused');
    });
  });

  test('during a list: what is printed stays open', async () => {
    const script = (_: SeenRequest, number: number): Step =>
      number === 1 ? { json: { items: [{ id: 't1' }], next: { page: 'p2' } } } : { stall: true };
    await inWorld({ script }, async ({ start }) => {
      const running = start(['teams', 'list', '--json']);
      await until(() => running.stdout.includes('t1'));
      running.child.kill(signal);
      const ran = await running.ended;
      expect(ran.signal).toBe(signal);
      expect(() => JSON.parse(ran.stdout)).toThrow();
    });
  });

  test('during a filter that does not end', async () => {
    await inWorld({ script: () => ({ json: { id: 'x' } }) }, async ({ start, server }) => {
      const running = start(['api', '/v1/x', '--json', '--jq', 'until(false; .)']);
      await until(() => server.requests.length === 1);
      running.child.kill(signal);
      const ran = await running.ended;
      expect({ signal: ran.signal, stdout: ran.stdout }).toEqual({ signal, stdout: '' });
      expect(ran.error).toMatchObject({ exitCode: signal === 'SIGINT' ? 130 : 143 });
    });
  });

  test('during a write: it may finish, and its outcome is told', async () => {
    const answer = gate();
    await inWorld(
      { script: () => ({ json: { id: 'x1' }, hold: answer.passed }) },
      async ({ start, server }) => {
        const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
        await until(() => server.requests.length === 1);
        running.child.kill(signal);
        await until(() => running.stderr.includes(isTaken));
        answer.open();
        const ran = await running.ended;
        expect({ signal: ran.signal, stdout: ran.stdout.replace(/\s/g, '') }).toEqual({
          signal,
          stdout: '{"id":"x1"}',
        });
      },
    );
  });
});

test('a second SIGINT is death at once, whatever is in flight', async () => {
  await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
    const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--debug']);
    await until(() => server.requests.length === 1);
    running.child.kill('SIGINT');
    await until(() => running.stderr.includes(isTaken));
    expect(running.child.exitCode ?? running.child.signalCode).toBeNull();
    running.child.kill('SIGINT');
    const ran = await running.ended;
    expect(ran.signal).toBe('SIGINT');
    // After the 5 s that a write is given, it would have told its outcome.
    expect(ran.error).toEqual({});
  });
});

test('a write that never answers has 5 s after SIGINT, and then its outcome is unknown', async () => {
  await inWorld({ script: () => ({ stall: true }) }, async ({ start, server }) => {
    const running = start(['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json']);
    await until(() => server.requests.length === 1);
    const from = performance.now();
    running.child.kill('SIGINT');
    const ran = await running.ended;
    expect(performance.now() - from).toBeGreaterThan(4900);
    expect(ran.signal).toBe('SIGINT');
    expect(ran.error).toMatchObject({ outcome: 'unknown', code: 'outcome_unknown' });
  });
});

test('SIGINT in a job of many: nothing new, what is in flight is finished, and resume does the rest', async () => {
  const answer = gate();
  let held = true;
  const script = ({ method }: SeenRequest): Step =>
    method === 'PATCH' && held
      ? { json: { id: 'u' }, hold: answer.passed }
      : { json: { id: 'u', role: 'edit' } };
  await inWorld({ script }, async ({ start, run, server }) => {
    const ids = Array.from({ length: 30 }, (_, index) => `u${index}`);
    const writes = () => targets(server).filter((target) => target.startsWith('PATCH'));
    const running = start([
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
    ]);
    await until(() => writes().length === 3);
    running.child.kill('SIGINT');
    await until(() => running.stderr.split(isTaken).length > 3);
    held = false;
    answer.open();
    const ran = await running.ended;
    expect(ran.signal).toBe('SIGINT');
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

describe('Ctrl-C on a terminal', () => {
  test('in a prompt: dies by the signal, nothing sent', async () => {
    const script = () => ({ json: { id: 's1', title: 'Handbook', items: [] } });
    await inWorld({ script }, async (world) => {
      const terminal = onTerminal(world, ['spaces', 'delete', 's1']);
      await terminal.shows(/title/);
      terminal.type('\x03');
      const { signal, bytes } = await terminal.ended;
      expect(signal).toBe(2);
      expect(bytes.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(bytes.lastIndexOf('\u001b[?25l'));
      expect(targets(world.server).filter((target) => !target.startsWith('GET'))).toEqual([]);
    });
  });

  test('stops the loop of a shell', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async (world) => {
      const shell = `for i in 1 2 3; do echo "run $i"; "$@" api /v1/x; done; echo after`;
      const terminal = onTerminal(world, [...docsWords], { shell });
      await until(() => world.server.requests.length === 1);
      terminal.type('\x03');
      const { bytes } = await terminal.ended;
      expect(bytes).toContain('run 1');
      expect(bytes).not.toContain('run 2');
      expect(bytes).not.toContain('after');
    });
  });

  test('stops the loop of a shell out of a prompt as well', async () => {
    await inWorld({ script: () => ({ json: { id: 's1', title: 'Handbook', items: [] } }) }, async (world) => {
      const shell = `for i in 1 2 3; do echo "run $i"; "$@" spaces delete s1; done; echo after`;
      const terminal = onTerminal(world, [...docsWords], { shell });
      await terminal.shows(/title/);
      terminal.type('\x03');
      const { bytes } = await terminal.ended;
      expect(bytes).not.toContain('run 2');
      expect(bytes).not.toContain('after');
    });
  });

  test('with a spinner on the screen leaves the cursor shown', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async (world) => {
      const terminal = onTerminal(world, ['teams', 'list']);
      await terminal.shows(/Fetching/);
      terminal.type('\x03');
      const { signal, bytes } = await terminal.ended;
      expect(signal).toBe(2);
      expect(bytes.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(bytes.lastIndexOf('\u001b[?25l'));
    });
  });
});

test('a wait of over a second is one line on a terminal, and silent elsewhere', async () => {
  const script = (_: SeenRequest, number: number): Step =>
    number % 2 === 1 ? { status: 429, headers: { 'retry-after': '2' } } : { json: { id: 'x' } };
  await inWorld({ script }, async (world) => {
    const { bytes, code } = await onTerminal(world, ['api', '/v1/x', '--json']).ended;
    expect(code).toBe(0);
    expect(bytes.match(/waiting \d+ s: rate limit \(429\)/g)).toHaveLength(1);
    const ran = await world.run(['api', '/v1/x', '--json']);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  });
});
