import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { membersPlatform } from './members-platform.js';
import { freshHome, type Home } from './program.js';
import { spacesPlatform } from './spaces-platform.js';
import { keys, type OnTerminal, onTerminal, type TerminalOptions } from './terminal.js';

/** docs on a terminal: questions, lists to choose from, windows of any width. What only a real one shows is beside it. */

const platform = await spacesPlatform();
let home: Home;
beforeEach(() => {
  home = freshHome();
  platform.requests.length = 0;
});
afterEach(() => home.remove());
afterAll(() => platform.close());

function docs(args: string[], options: Partial<TerminalOptions> = {}, url = platform.url): OnTerminal {
  const env = { ...home.env, DOCS_BASE_URL: url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1', ...options.env };
  return onTerminal(args, { cwd: home.path, ...options, env });
}

describe('a missing id', () => {
  it('is chosen from a list that typing narrows', async () => {
    const terminal = docs(['spaces', 'get', '--fields', 'title']);
    await terminal.shows('❯ Guide  s1');
    terminal.type('hand');
    await terminal.hides('Guide');
    terminal.type(keys.enter);
    const { code, screen } = await terminal.ended;
    expect(screen).toBe('✔ Space: Handbook (s2)\nTitle  Handbook');
    expect(code).toBe(0);
    expect(platform.requests.at(-1)).toBe('GET /v1/spaces/s2');
  });

  it('is never one of an older list, however fast Enter comes', async () => {
    const slow = await membersPlatform((url) => url.searchParams.get('search') === 'bob', 60);
    const terminal = docs(['members', 'get', '--fields', 'id'], {}, slow.url);
    await terminal.shows('❯ ada');
    terminal.type('bob');
    await slow.asked('search=bob');
    terminal.type(keys.enter);
    await terminal.shows('Member: bob');
    slow.release();
    await terminal.hides('cyd');
    terminal.type(keys.interrupt);
    await terminal.ended;
    expect(slow.requests).not.toContain('/v1/orgs/o1/members/ada');
    slow.close();
  });

  it('of a parent is asked for too, and may be kept', async () => {
    const terminal = docs(['change-requests', 'list']);
    await terminal.shows('? Space:');
    await terminal.shows('Handbook  s2');
    terminal.type(keys.down);
    await terminal.answer('❯ Handbook');
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('✔ Space: Handbook (s2)\nTo make it the default, run "docs spaces use s2".');
    expect(code).toBe(0);
    expect(platform.requests.at(-1)).toContain('GET /v1/spaces/s2/change-requests');
  });

  it('is asked for after the flags were found to be right', async () => {
    const { code, screen } = await docs(['spaces', 'update', '--edit-mode', 'lcoked']).ended;
    expect(screen).toContain('not "lcoked". Did you mean\n  locked? Nothing was sent. (usage, exit 2)');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('of an organization is the only one there is', async () => {
    const terminal = docs(['sites', 'list'], { env: { DOCS_ORG: '' } });
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('Acme (o1) is your only organization.');
    expect(code).toBe(0);
  });

  it('is an error where questions are not wanted', async () => {
    for (const [flags, env] of [
      [['--no-input'], {}],
      [[], { CI: '1' }],
    ] as const) {
      const { code, screen } = await docs(['spaces', 'get', ...flags], { env }).ended;
      expect(screen).toContain('error: <space> is required: Space (usage, exit 2)\n  Try: docs spaces list');
      expect(code).toBe(2);
    }
    expect(platform.requests).toEqual([]);
  });
});

describe('a title instead of an id', () => {
  it('is taken where one has it, and said', async () => {
    const { code, screen } = await docs(['spaces', 'get', 'handbook', '--fields', 'id']).ended;
    expect(screen).toBe('Handbook is space s2.\nID  s2');
    expect(code).toBe(0);
  });

  it('of two is refused, with both', async () => {
    const { code, screen } = await docs(['spaces', 'delete', 'Notes', '--yes']).ended;
    expect(screen).toContain('2 spaces are called "Notes": s3 (public), s4 (public). Pass the id.');
    expect(code).toBe(2);
    expect(platform.changes()).toEqual([]);
  });

  it('of none is not found, with the nearest', async () => {
    const { code, screen } = await docs(['spaces', 'get', 'Two wrds']).ended;
    expect(screen).toContain('no space has the title "Two wrds". Did you mean Two words (s6)?');
    expect(code).toBe(6);
  });

  it('is not looked for where the text is an id: nothing is sent but the command', async () => {
    const id = 'GfFWaJNB1rBeqg3z6nr4';
    const { code } = await docs(['spaces', 'get', id]).ended;
    expect(code).toBe(6);
    expect(platform.requests).toEqual([`GET /v1/spaces/${id}`]);
  });

  it('cannot command the terminal', async () => {
    const terminal = docs(['spaces', 'get'], { env: { NO_COLOR: '1' } });
    await terminal.shows('Red␛[31m alert');
    expect(terminal.bytes).not.toContain('Red\x1b');
    await terminal.leave('Red');
  });
});

describe('what cannot be undone', () => {
  it('asks for the title, saying what goes with it', async () => {
    const terminal = docs(['spaces', 'delete', 's2']);
    await terminal.shows('Type the title or the id to go on:');
    expect(terminal.screen.text()).toContain('Delete space Handbook (s2)\n  Could not check: ');
    expect(terminal.screen.text()).toContain('  No site publishes it.\n  2 change requests are open.\n');
    expect(terminal.screen.text()).toMatch(/It can be restored until .* UTC:\n {4}docs spaces restore s2\n/);
    terminal.type(`Handbook${keys.enter}`);
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('✓ Deleted space Handbook (s2)\n');
    expect(code).toBe(0);
    expect(platform.changes()).toEqual(['DELETE /v1/spaces/s2']);
  });

  it('does nothing where another title is typed', async () => {
    const terminal = docs(['spaces', 'delete', 's2']);
    await terminal.answer('Type the title or the id to go on:', 'Handbok');
    const { code, screen } = await terminal.ended;
    expect(screen).toContain('error: not confirmed; nothing was sent (usage, exit 2)');
    expect(code).toBe(2);
    expect(platform.changes()).toEqual([]);
  });

  it('asks for the number of several', async () => {
    for (const [typed, changes] of [
      ['1', 0],
      ['2', 2],
    ] as const) {
      const terminal = docs(['spaces', 'delete', 's1', 's2']);
      await terminal.answer('Delete 2 spaces. Type 2 to go on:', typed);
      const { code } = await terminal.ended;
      expect(code).toBe(changes === 0 ? 2 : 0);
      expect(platform.changes()).toHaveLength(changes);
    }
  });
});

describe('a window', () => {
  it('whose width is not known is taken for a usual one', async () => {
    const unknown = { columns: 0, rows: 0 };
    const list = await docs(['spaces', 'list', '--fields', 'title,id'], unknown).ended;
    expect(list.screen.split('\n').slice(0, 3)).toEqual([
      'TITLE           ID',
      'Guide           s1',
      'Handbook        s2',
    ]);
    const terminal = docs(['spaces', 'get', '--fields', 'title'], unknown);
    await terminal.answer('❯ Guide  s1');
    expect(await terminal.ended).toMatchObject({ code: 0 });
  });

  it('says where there is nothing to list; a pipe gets nothing', async () => {
    const args = ['--sandbox', 'change-requests', 'list', '--space', 'API Reference', '--by-title'];
    const env = { DOCS_ORG: '' };
    const { screen, code } = await docs(args, { env }).ended;
    expect(screen.split('\n').at(-1)).toBe('No change requests.');
    expect(code).toBe(0);
    const some = await docs(['--sandbox', 'teams', 'list', '--title', 'nobody'], { env }).ended;
    expect(some.screen).toBe('No teams match.');
    expect(await home.ok(['--sandbox', 'teams', 'list', '--title', 'nobody'])).toBe('');
  });

  it('of 20 columns gets lines that fit, and questions that work', async () => {
    const list = await docs(['spaces', 'list'], { columns: 20 }).ended;
    expect(list.code).toBe(0);
    const rows = list.screen.split('\n').filter((line) => line.includes('s2'));
    expect(rows).toEqual(['Handbook        s2']);
    const terminal = docs(['spaces', 'get', '--fields', 'title'], { columns: 20 });
    await terminal.answer('❯ Guide  s1');
    const { code, screen } = await terminal.ended;
    expect(screen).toBe('✔ Space: Guide (s1)\nTitle\n  Guide');
    expect(code).toBe(0);
  });
});

describe('colour', () => {
  it('is not where NO_COLOR or CI is, nor with --no-color', async () => {
    const plain = [
      docs(['spaces', 'list'], { env: { NO_COLOR: '1' } }),
      docs(['spaces', 'list'], { env: { CI: 'true' } }),
      docs(['spaces', 'list', '--no-color']),
      docs(['teams', 'update', '--help', '--no-color']),
      docs(['teams', 'update', '--help'], { env: { NO_COLOR: '1' } }),
    ];
    for (const terminal of plain) {
      await terminal.ended;
      expect(terminal.bytes).not.toMatch(/\x1b\[[\d;]*m/);
      expect(terminal.bytes).not.toBe('');
    }
  });

  it('is not on a spinner where NO_COLOR is', async () => {
    const slow = await membersPlatform((url) => url.searchParams.get('page') === 'second');
    const terminals = [
      docs(['members', 'list'], { spins: true, env: { NO_COLOR: '1' } }, slow.url),
      docs(['members', 'list', '--no-color'], { spins: true }, slow.url),
    ];
    for (const terminal of terminals) await terminal.shows('Fetching');
    slow.release();
    for (const terminal of terminals) {
      await terminal.ended;
      expect(terminal.bytes).toContain('Fetching');
      // Only the line is cleared and the cursor moved.
      expect(terminal.bytes).not.toMatch(/\x1b\[[\d;]*m/);
    }
    slow.close();
  });

  it('is in a pipe where FORCE_COLOR or CLICOLOR_FORCE says so, in tables, help and errors', async () => {
    for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE']) {
      const env = { [name]: '1' };
      const [help, error, table, rows] = await Promise.all([
        home.run(['teams', 'update', '--help'], { env }),
        home.run(['nonsense'], { env }),
        home.run(['config', 'list', '-o', 'table'], { env }),
        home.run(['config', 'list'], { env }),
      ]);
      expect(help.stdout).toContain('\x1b[36m--title <title>\x1b[39m');
      expect(error.stderr).toContain('\x1b[31merror:\x1b[39m');
      expect(table.stdout).toContain('\x1b[1mNAME\x1b[22m');
      expect(rows.stdout).not.toContain('\x1b');
    }
    const plain = await home.run(['nonsense', '--no-color'], { env: { FORCE_COLOR: '3' } });
    expect(plain.stderr).not.toContain('\x1b');
  });

  it('of help is all that a terminal gets beyond a pipe', async () => {
    const terminal = docs(['teams', 'update', '--help', '--full']);
    await terminal.ended;
    expect(terminal.bytes).toContain('\x1b[36m--title <title>\x1b[39m');
    expect(terminal.bytes).toContain('\x1b[33mPATCH\x1b[39m');
    const { stdout } = await home.run(['teams', 'update', '--help', '--full']);
    expect(`${terminal.screen.text()}\n`).toBe(stdout);
  });
});
