import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { membersPlatform } from './members-platform.js';
import { freshHome, type Home } from './program.js';
import { spacesPlatform } from './spaces-platform.js';
import { keys, onTerminal, type TerminalOptions } from './terminal.js';

/** What only a real terminal shows: how it is left, signals, and windows as the system knows them. */

const platform = await spacesPlatform();
let home: Home;
beforeEach(() => {
  home = freshHome();
  platform.requests.length = 0;
});
afterEach(() => home.remove());
afterAll(() => platform.close());

const docs = (args: string[], options: Partial<TerminalOptions> = {}, url = platform.url) => {
  const env = { ...home.env, DOCS_BASE_URL: url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1', ...options.env };
  return onTerminal(args, { cwd: home.path, ...options, env });
};

describe('a question that is left', () => {
  const list = ['spaces', 'get'];
  const text = ['spaces', 'delete', 's2'];
  it.each([
    ['a list by Ctrl-C', list, '❯ Guide', keys.interrupt, 'interrupted; nothing was sent'],
    ['a list by Esc', list, '❯ Guide', '\x1b', 'cancelled; nothing was sent'],
    ['a list by Ctrl-D', list, '❯ Guide', '\x04', 'cancelled; nothing was sent'],
    ['a text by Ctrl-C', text, 'Type the title', `Hand${keys.interrupt}`, 'interrupted; nothing was sent'],
  ])('sends nothing and gives the terminal back: %s', async (_, args, shows, typed, message) => {
    // The shell outlives the signal that ends docs.
    const terminal = docs(args, { before: 'trap : INT', after: 'echo "code $?"; stty -a' });
    await terminal.shows(shows);
    terminal.type(typed);
    const { screen } = await terminal.ended;
    expect(terminal.words).toContain(message);
    expect(screen).toContain('code 130');
    expect(screen).toMatch(/(?<!-)icanon/);
    expect(screen).toMatch(/(?<!-)echo\b/);
    expect(terminal.screen.cursorShown).toBe(true);
    expect(platform.changes()).toEqual([]);
  });

  it('is a signal to whoever started docs', async () => {
    const terminal = docs(['spaces', 'get']);
    expect(await terminal.leave('❯ Guide')).toMatchObject({ signal: 2 });
    expect(terminal.screen.cursorShown).toBe(true);
  });

  it.each([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--no-color', ['--no-color'], {}],
    ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }],
  ] as [string, string[], Record<string, string>][])('has no colours with %s', async (_, flags, env) => {
    const { bytes } = await docs(['spaces', 'get', ...flags], { env }).leave('❯ Guide');
    expect(bytes).not.toMatch(/\x1b\[[\d;]*m/);
  });
});

describe('a window', () => {
  it('whose width is not known is taken for a usual one', async () => {
    const terminal = docs(['spaces', 'get', '--fields', 'title'], { columns: 0 });
    await terminal.answer('❯ Guide  s1');
    expect(await terminal.ended).toMatchObject({ code: 0 });
  });

  it('may change while a list comes', async () => {
    const slow = await membersPlatform((url) => url.searchParams.get('page') === 'second');
    const terminal = docs(['members', 'list', '--fields', 'id,role'], { columns: 80 }, slow.url);
    await terminal.shows('ada');
    terminal.resize(40);
    slow.release();
    const { code, screen } = await terminal.ended;
    expect(code).toBe(0);
    expect(screen.split('\n').map((line) => line.split(/\s+/))).toEqual([
      ['ID', 'ROLE'],
      ['ada', 'read'],
      ['cyd', 'read'],
      ['bob', 'read'],
    ]);
    slow.close();
  });
});
