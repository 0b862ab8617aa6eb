import { describe, expect, test } from 'vitest';
import { docsWords } from '../started.js';
import { inWorld, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';
import { onTerminal } from './terminal.js';
import { expectHarmless, unsafeTeams } from './unsafe-text.js';

/** Bad days on a real terminal. Looks are tested in test/e2e/terminal.program.test.ts. */

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

test('a wait of over a second is one line on a terminal, and lasts as long as it says', async () => {
  const script = (_: SeenRequest, number: number): Step =>
    number === 1 ? { status: 429, headers: { 'retry-after': '2' } } : { json: { id: 'x' } };
  await inWorld({ script }, async (world) => {
    const { bytes, code } = await onTerminal(world, ['api', '/v1/x', '--json']).ended;
    expect(code).toBe(0);
    expect(bytes.match(/waiting \d+ s: rate limit \(429\)/g)).toHaveLength(1);
    const [first, second] = world.server.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1990);
  });
});

test('unsafe text of the platform is made visible', async () => {
  await inWorld({ script: unsafeTeams }, async (world) => {
    const { bytes } = await onTerminal(world, ['teams', 'list'], { columns: 400 }).ended;
    expect(bytes.length).toBeGreaterThan(20);
    expectHarmless(bytes);
  });
});
