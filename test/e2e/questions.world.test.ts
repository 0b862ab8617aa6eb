import { rmSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';
import { keys, type OnTerminal } from './terminal.js';

/** Questions for what a command line lacks: answers are checked in place, and Enter alone harms nothing. */

const { home, docs, changes, reset } = await sandboxHome();
beforeEach(async () => {
  await reset();
  rmSync(join(home.path, '.local/state/docs'), { recursive: true, force: true });
});

/** Takes back what was typed into a question. */
const clear = '\x15';
const signedOut = { env: { DOCS_BASE_URL: '', DOCS_TOKEN: '' } };
const space = seedId('space guide');
const linesWith = ({ screen }: OnTerminal, text: string) =>
  screen
    .text()
    .split('\n')
    .filter((line) => line.includes(text));

/** A space in the trash. */
async function deleted(title?: string): Promise<void> {
  if (title !== undefined) await home.ok(['spaces', 'update', space, '--title', title]);
  await home.ok(['spaces', 'delete', space, '--yes']);
}

describe('an answer', () => {
  const wrong: [what: string, args: string[], question: string, typed: string, told: string][] = [
    ['breaks a limit', ['teams', 'create'], 'Title:', 'x'.repeat(65), 'must be 1 to 64 characters long'],
    ['breaks a pattern', ['custom-fields', 'create'], 'Name:', 'Review date', 'must match'],
    ['is not a slug', ['openapi', 'publish', '--create'], 'Slug of the spec:', 'A Slug', '<slug> must match'],
    [
      'names no file',
      ['openapi', 'publish', 'some-spec'],
      'URL for the platform to read, or a file to send',
      'no.yaml',
      'cannot read no.yaml: no such file',
    ],
  ];
  it.each(wrong)(
    'that %s is told so below the question, which stays',
    async (_, args, question, typed, told) => {
      const terminal = docs(args);
      await terminal.answer(question, typed);
      expect(await terminal.leave(told)).toMatchObject({ signal: 2 });
      expect(changes()).toEqual([]);
    },
  );

  it('is sent once it is right', async () => {
    const terminal = docs(['teams', 'create']);
    await terminal.answer('Title:', 'x'.repeat(65));
    await terminal.answer('must be 1 to 64 characters long', `${clear}Editors`);
    expect((await terminal.ended).code).toBe(0);
    expect(changes()).toEqual(['PUT']);
  });

  it('may be one of those that are known, which are listed', async () => {
    const terminal = docs(['custom-fields', 'create']);
    await terminal.answer('Name:', 'review-date');
    await terminal.shows('❯ text');
    expect(terminal.words).toContain('Another value');
    await terminal.leave('❯ text');
  });

  it('at sign-in must be an address that requests may be sent to', async () => {
    const terminal = docs(['auth', 'login'], signedOut);
    await terminal.answer('Address of the platform:', 'http://example.com');
    await terminal.leave('is not encrypted');
  });
});

describe('an answer of a command on this machine', () => {
  it('is checked by the setting that was chosen before', async () => {
    const terminal = docs(['config', 'set'], signedOut);
    await terminal.answer('❯ base-url', keys.down.repeat(6));
    await terminal.answer('New value:', '5000');
    await terminal.answer('"5000" is not a whole number from 1 to 1000', `${clear}50`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.words).toContain('✓ Set page-size to 50');
    await home.ok(['config', 'unset', 'page-size']);
  });

  it('is chosen where a setting has only some values; the present one is under the cursor', async () => {
    await home.ok(['config', 'set', 'output', 'yaml']);
    const terminal = docs(['config', 'set', 'output'], signedOut);
    await terminal.answer('❯ yaml, as it is now');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    await home.ok(['config', 'unset', 'output']);
  });

  it('must name a file that is there, for a positional and then for a flag', async () => {
    const terminal = docs(['backup', 'pack'], signedOut);
    await terminal.answer('Folder of the backup:', 'nowhere');
    expect(await terminal.leave('nowhere is not a backup')).toMatchObject({ signal: 2 });
    const flag = docs(['sites', 'schema', 'eval', seedId('site docs')]);
    await flag.answer('Claims of the visitor: a file', 'nowhere.json');
    await flag.answer('cannot read nowhere.json: no such file', `${clear}{"beta": true}`);
    expect((await flag.ended).screen).not.toContain('--claims is required');
  });
});

describe('what was chosen from a list', () => {
  it('is asked about before an alias is deleted', async () => {
    await home.ok(['config', 'alias', 'set', 'co', 'change-requests list']);
    const terminal = docs(['config', 'alias', 'delete']);
    await terminal.answer('❯ co');
    await terminal.answer('Delete alias co? (y/N)');
    expect((await terminal.ended).code).toBe(2);
    expect(await home.ok(['config', 'alias', 'list'])).toContain('change-requests list');
    await home.ok(['config', 'alias', 'delete', 'co']);
  });

  it('is asked about where it cannot be undone: Enter alone sends nothing', async () => {
    const terminal = docs(['members', 'link-sso']);
    await terminal.answer('Member:');
    await terminal.answer('(y/N)');
    expect((await terminal.ended).code).toBe(2);
    expect(changes()).toEqual([]);
  });

  it('is done at once where it was typed', async () => {
    expect((await docs(['members', 'link-sso', 'deniz@acme.example']).ended).code).toBe(0);
    expect(changes()).toEqual(['POST']);
  });
});

describe('a job to undo', () => {
  it('is listed where there is one; Enter and Enter again undo nothing', async () => {
    // Undone exactly, so a job that is named is undone without a question.
    await home.ok(['collections', 'update', seedId('collection product'), '--title', 'Other']);
    const terminal = docs(['undo']);
    await terminal.answer('collections update');
    await terminal.answer('(y/N)');
    expect((await terminal.ended).code).toBe(2);
    expect(changes()).toEqual(['PATCH']);
  });

  it('is not asked for where none can be undone, nor without a terminal', async () => {
    const terminal = docs(['undo']);
    expect((await terminal.ended).code).toBe(2);
    expect(terminal.words).toContain('No job of this profile can be undone.');
    const { code, stderr } = await home.run(['undo']);
    expect(stderr).toContain('<job> is required: Name of the job, a unique prefix of it, or last');
    expect(code).toBe(2);
  });
});

describe('a space to restore', () => {
  it.each([['spaces'], ['trash']])('is chosen from the trash: docs %s restore', async (group) => {
    await deleted();
    const terminal = docs([group, 'restore']);
    await terminal.answer(space);
    expect((await terminal.ended).code).toBe(0);
    expect(changes()).toEqual(['DELETE', 'POST']);
  });

  it('has its title on one line of a narrow window, without what commands a terminal', async () => {
    await deleted(`\x1b[31m${'Long '.repeat(8)}`);
    const terminal = docs(['spaces', 'restore'], { columns: 40 });
    await terminal.shows('…');
    expect(terminal.bytes).not.toContain('\x1b[31mLong');
    expect(linesWith(terminal, 'Long')).toHaveLength(1);
    await terminal.leave('…');
  });
});

describe('a long title in a narrow window', () => {
  const long = '文档 文档 and more words than fit on a line of sixty';

  it('is cut, and its id is not; Tab and Enter choose it', async () => {
    await home.ok(['spaces', 'update', space, '--title', long]);
    const terminal = docs(['spaces', 'get', '-o', 'id'], { columns: 60 });
    await terminal.shows(space);
    const [line = ''] = linesWith(terminal, space);
    expect(line).toMatch(/文档 .*…/);
    expect(stringWidth(line)).toBeLessThanOrEqual(60);
    expect(linesWith(terminal, 'of sixty')).toEqual([]);
    terminal.type('more words than fit');
    await terminal.hides('Welcome');
    terminal.type(keys.tab);
    terminal.type(keys.enter);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.screen.text().split('\n').at(-1)).toBe(space);
  });

  it('has its id in the trash, too', async () => {
    await deleted(long);
    const terminal = docs(['trash', 'restore'], { columns: 60 });
    await terminal.leave(space);
    expect(linesWith(terminal, space)[0]).toMatch(/文档 .*…/);
  });
});

describe('a list to choose from', () => {
  it('has the spaces for a site, whichever space is the default', async () => {
    const args = ['site-spaces', 'create', '--site', seedId('site docs')];
    const terminal = docs(args, { env: { DOCS_SPACE: space } });
    await terminal.shows('Space:');
    await terminal.leave('❯');
    expect(changes()).toEqual([]);
  });

  it('has the current profile under the cursor, so that Enter changes nothing', async () => {
    const token = { stdin: home.env.DOCS_TOKEN ?? '' };
    for (const profile of ['home', 'work'])
      await home.run(['auth', 'login', '--with-token', '--profile', profile], token);
    const terminal = docs(['auth', 'switch'], signedOut);
    await terminal.answer('❯ home');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.words).toContain('Switched to profile home');
  });
});

it('a DELETE of docs api is asked about: Enter alone sends nothing, a yes sends it', async () => {
  const path = `/v1/spaces/${space}`;
  const asked = () => docs(['api', 'DELETE', path], { columns: 160 });
  const refused = asked();
  await refused.answer(`DELETE ${path}? (y/N)`);
  expect((await refused.ended).code).toBe(2);
  expect(changes()).toEqual([]);
  const agreed = asked();
  await agreed.answer('(y/N)', 'y');
  expect((await agreed.ended).code).toBe(0);
  expect(changes()).toEqual(['DELETE']);
});

describe('a question', () => {
  const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:9'];
  const questions: [what: string, args: string[], shows: string, options?: typeof signedOut][] = [
    ['a text', ['teams', 'create'], 'Title:'],
    ['a choice', ['members', 'update', seedId('user grace')], '❯'],
    ['a choice of this machine', ['config', 'get'], '❯ base-url'],
    ['a list that is searched', ['teams', 'get'], '❯'],
    ['a yes or no', ['teams', 'delete', seedId('team writers')], '(y/N)'],
    ['a title to type', ['spaces', 'delete', space], 'Type the title or the id'],
    ['a token', login, 'Token:', signedOut],
  ];
  const leaving = [
    ['Esc', '\x1b', 'cancelled; nothing was sent'],
    ['Ctrl-D', '\x04', 'cancelled; nothing was sent'],
    ['Ctrl-C', keys.interrupt, 'interrupted; nothing was sent'],
  ] as const;

  it.each(questions)('of %s is left by Esc, Ctrl-D and Ctrl-C', async (_, args, shows, options) => {
    for (const [key, typed, message] of leaving) {
      const terminal = docs(args, options);
      await terminal.shows(shows);
      terminal.type(typed);
      expect(await terminal.ended, key).toMatchObject({ signal: 2 });
      expect(terminal.words).toContain(message);
      expect(terminal.screen.cursorShown).toBe(true);
    }
    expect(changes()).toEqual([]);
  });

  it('is not left by Ctrl-D behind a text, which stays to be edited', async () => {
    const terminal = docs(['config', 'set', 'fields'], signedOut);
    await terminal.answer('New value:', 'id,title\x04');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(await home.ok(['config', 'get', 'fields'])).toContain('id,title');
    await home.ok(['config', 'unset', 'fields']);
  });
});
