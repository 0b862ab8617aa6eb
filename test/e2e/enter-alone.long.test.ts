import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/**
 * Every command that asks, on a terminal with nothing typed: whoever only presses Enter removes nothing, on the
 * platform or on this machine, and is never left without a question or an end.
 */

let home: Home;
let sandbox: Started;
beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home);
  await home.ok(['config', 'set', 'page-size', '50']);
  await home.ok(['config', 'alias', 'set', 'co', 'change-requests list']);
  // A job that can be shown and undone.
  const [team] = await home.json<{ id: string }[]>(['teams', 'list']);
  await home.ok(['teams', 'update', team?.id ?? '', '--title', 'Other']);
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});

const asks = ({ args, options }: Command) =>
  args.some(({ required }) => required) || options.some(({ required }) => required);
const asking = (await commandTree(groups)).filter(({ command }) => asks(command)).map(({ path }) => path);

/** The question that waits for an answer, by the line it stands on; those that are answered begin with a check mark. */
const question = ({ screen }: OnTerminal) =>
  screen
    .text()
    .split('\n')
    .findLast((line) => line.startsWith('? '));

/** Presses Enter at every question; one that takes no empty answer is left. @returns the questions */
async function pressEnter(terminal: OnTerminal): Promise<string[]> {
  const asked: string[] = [];
  let ended = false;
  const end = terminal.ended.then(() => {
    ended = true;
  });
  for (let idle = 0; !ended; idle += 1) {
    await Promise.race([end, new Promise((next) => setTimeout(next, 50))]);
    const now = question(terminal);
    if (now === undefined || ended) continue;
    if (asked.at(-1) !== now) {
      asked.push(now);
      idle = 0;
      terminal.type(keys.enter);
    } else if (idle >= 20) {
      terminal.type(keys.interrupt);
      idle = 0;
    }
  }
  return asked;
}

const deletions = async () => {
  const requests = await home.json<{ method: string; path: string }[]>(['sandbox', 'requests']);
  return requests.filter(({ method, path }) => method === 'DELETE' && path.startsWith('/v1'));
};
const kept = async () => [
  await home.ok(['config', 'get', 'page-size']),
  await home.ok(['config', 'alias', 'list', '--json']),
  await deletions(),
];

describe('whoever only presses Enter', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await kept();
  });

  it.each(asking)('comes to an end with docs %s', async (path) => {
    const env = { ...home.env, EDITOR: 'true', NO_COLOR: '1', DOCS_PAGER: 'off' };
    const terminal = onTerminal(path.split(' '), { cwd: home.path, env, columns: 100 });
    const asked = await pressEnter(terminal);
    const { code, screen } = await terminal.ended;
    // Where nothing can be asked, the command line is refused.
    expect(asked.length > 0 || code > 1, screen).toBe(true);
    expect(code, screen).not.toBe(1);
  });

  it('has removed nothing with any of them', async () => {
    expect(await kept()).toEqual(before);
  });
});
