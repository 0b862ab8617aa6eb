import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';
import type { TerminalOptions } from './terminal.js';

/** After a change: a sentence on a terminal, the record where it is asked for, and pipes as they were. */

const { home, sandbox, docs } = await sandboxHome();
const shown = (args: string[], options: Partial<TerminalOptions> = {}) =>
  docs(args, { columns: 120, ...options }).ended;

const welcome = seedId('space welcome');
const change = ['spaces', 'update', welcome, '--edit-mode', 'live'];

describe('a change on a terminal', () => {
  it('is a sentence with a green mark; nothing is asked for it', async () => {
    await sandbox.control.seed('tiny');
    const { code, screen, bytes } = await shown(['teams', 'create', '--title', 'Press']);
    expect({ code, screen }).toEqual({
      code: 0,
      screen: expect.stringMatching(/^✓ Created team Press \([A-Za-z0-9]{20}\)$/),
    });
    expect(bytes).toContain('\x1b[32m✓\x1b[39m Created');
    expect(sandbox.control.requests().map(({ method }) => method)).toEqual(['PUT']);
  });

  it.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('has no colours with %s=%s', async (name, value) => {
    const { bytes } = await shown(change, { env: { [name]: value } });
    expect(bytes).toBe(`✓ Updated space Welcome (${welcome}): edit mode now live\r\n`);
  });

  it('is broken between words in a narrow window; the id is whole', async () => {
    const { screen } = await shown(change, { columns: 40 });
    expect(screen).toBe(`✓ Updated space Welcome\n  (${welcome}): edit mode now\n  live`);
  });

  it.each([['--show'], ['-o', 'table'], ['--show', '--quiet']])('is the record with %s', async (...flags) => {
    const { code, screen } = await shown([...change, ...flags]);
    expect(code).toBe(0);
    expect(screen).toMatch(/^Title +Welcome\n/);
    expect(screen).toContain(welcome);
    expect(screen).not.toContain('✓');
  });

  it.each([['--json'], ['-o', 'ndjson'], ['--jq', '.']])('is JSON with %s', async (...flags) => {
    const { bytes } = await shown([...change, ...flags]);
    expect(JSON.parse(bytes)).toMatchObject({ id: welcome, editMode: 'live' });
  });

  it('is what --fields and -o id name', async () => {
    expect((await shown([...change, '--fields', 'title'])).screen).toBe('Title  Welcome');
    expect((await shown([...change, '-o', 'id'])).screen).toBe(welcome);
  });

  it('is silent with --quiet', async () => {
    const { code, bytes } = await shown(['teams', 'create', '--title', 'Silent', '--quiet']);
    expect({ code, bytes }).toEqual({ code: 0, bytes: '' });
  });

  it('of many items ends with a sentence and the way back', async () => {
    const teams = ['Writers', 'Support'];
    const { screen } = await shown(['teams', 'delete', ...teams, '--yes', '--by-title']);
    expect(screen).toMatch(/^ID +STATUS/m);
    expect(screen).toMatch(/^✓ Deleted 2 teams\. To undo, run docs undo \d{8}-\S+\.$/m);
    const undone = await shown(['undo', 'last', '--yes']);
    // Teams come back under new ids and without what they could open, so nothing is checked off.
    expect(undone.screen).toMatch(/^Undid job \S+: teams delete, 2 items\. Read again: 2 restored in part/m);
  });

  it('that is deleted has its title, from what the job read, and how it comes back', async () => {
    const board = seedId('space board');
    const { screen } = await shown(['spaces', 'delete', board, '--yes']);
    expect(screen).toContain(`✓ Deleted space Board Notes (${board})\n`);
    expect(screen).toContain(`docs spaces restore ${board} brings it back until`);
    expect((await shown(['undo', 'last', '--yes'])).screen).toMatch(
      new RegExp(`✓ Undid job \\S+: spaces delete of space Board Notes\\s+\\(${board}\\)`),
    );
    expect((await shown(['jobs', 'resume', 'last'])).screen).toContain('✓ Finished job');
  });

  it('of this machine is a sentence, too', async () => {
    expect((await shown(['config', 'set', 'page-size', '50'])).screen).toBe('✓ Set page-size to 50');
    const record = (await shown(['config', 'set', 'page-size', '50', '--show'])).screen;
    expect(record).toMatch(/page-size[\s\S]*50/);
    expect(record).not.toContain('✓');
    expect((await shown(['config', 'set', 'page-size', '50', '--dry-run'])).screen).toMatch(/^Dry run: /);
  });

  it('with --show cannot be a plan', async () => {
    const ran = await home.run(['teams', 'create', '--title', 'x', '--show', '--save-plan', 'p.json']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('--show');
    expect((await home.run(['teams', 'list', '--show'])).code).toBe(2);
  });
});

describe('in a pipe', () => {
  it('the record is as it was, with --show and without', async () => {
    const plain = await home.run(change);
    expect(plain.stdout).toMatch(/^Welcome\tpublic\tlive\t/);
    expect(plain.stderr).toBe('');
    const stable = (text: string) => text.replace(/\d{4}-\S+Z/, 'TIME');
    expect(stable((await home.run([...change, '--show'])).stdout)).toBe(stable(plain.stdout));
    const table = await home.run([...change, '-o', 'table']);
    expect(table.stdout).toMatch(/^Title +Welcome\n/);
  });

  it('what answers nothing is its id and status; the note counts items', async () => {
    const [one = '', two = '', three = ''] = await Promise.all(
      ['A', 'B', 'C'].map(async (title) =>
        (await home.ok(['teams', 'create', '--title', title, '-o', 'id'])).trim(),
      ),
    );
    expect(await home.run(['teams', 'delete', one, '--yes'])).toMatchObject({
      stdout: `${one}\tdeleted\n`,
      stderr: '',
    });
    const many = await home.run(['teams', 'delete', two, three, '--yes']);
    expect(many.stderr).toMatch(/^2 items deleted\. To undo, run docs undo \S+\.\n$/);
    const set = await home.run(['config', 'set', 'page-size', '50', '-o', 'table']);
    expect(set.stdout).toBe('page-size is 50.\n');
  });
});

describe('what the platform answers', () => {
  let platform: StubPlatform;
  beforeAll(async () => {
    platform = await stubPlatform((method, { pathname }) => {
      if (pathname.endsWith('/merge')) return { body: { revision: 'r1', result: 'conflicts' } };
      const user = { id: 'u1', displayName: 'Ada\u001b[2J', email: 'ada@x.example' };
      const member = { object: 'member', id: 'u1', role: 'read', user, disabled: false };
      return { body: method === 'GET' && pathname.endsWith('/members') ? { items: [] } : member };
    });
  });
  afterAll(() => platform.close());
  const at = () => ({
    env: { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' },
  });

  it('is claimed, not what was sent; a contradiction is told, and no text commands the terminal', async () => {
    const id = 'u1234567890123456';
    const { screen, bytes } = await shown(['members', 'update', id, '--role', 'edit', '--yes'], at());
    expect(screen).toContain('✓ Updated member Ada␛[2J (u1): role now read\n');
    expect(screen).toContain('The platform answered role read, not edit as sent; read it again to be sure.');
    expect(bytes).not.toContain('\x1b[2J');
  });

  it('is no success where nothing was merged', async () => {
    const merge = ['change-requests', 'merge', '5', '--space', 's1', '--yes'];
    const { code, screen } = await shown(merge, at());
    expect(code).toBe(7);
    expect(screen).toContain('nothing was changed (conflict, exit 7)');
    expect(screen).not.toContain('✓');
    expect((await home.run(merge, at())).stdout).toBe('conflicts\tr1\n');
  });
});
