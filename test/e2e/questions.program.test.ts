import { rmSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { keys, type OnTerminal, onTerminal, type TerminalOptions } from './terminal.js';

/** Questions for what a command line lacks: answers are checked in place, and Enter alone harms nothing. */

let home: Home;
let sandbox: Started;
beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home);
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});
beforeEach(async () => {
  await sandbox.control.seed('tiny');
  rmSync(join(home.path, '.local/state/docs'), { recursive: true, force: true });
  before = (await sent()).length;
});

let before = 0;
const sent = async () => {
  const requests = await home.json<{ method: string; path: string }[]>(['sandbox', 'requests']);
  return requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1'));
};
const changes = async () => (await sent()).slice(before).map(({ method }) => method);

function docs(args: string[], { env, ...options }: Partial<TerminalOptions> = {}): OnTerminal {
  return onTerminal(args, { cwd: home.path, env: { ...home.env, ...env }, ...options });
}

/** Takes back what was typed into a question. */
const clear = '\x15';
const shownIn = ({ screen }: OnTerminal) => screen.text().replaceAll(/\s+/g, ' ');
const space = seedId('space guide');

describe('an answer', () => {
  it('that breaks a limit is told so below the question, which stays', async () => {
    const terminal = docs(['teams', 'create']);
    await terminal.shows('Title:');
    terminal.type(`${'x'.repeat(65)}${keys.enter}`);
    await terminal.shows('must be 1 to 64 characters long');
    terminal.type(`${clear}Editors${keys.enter}`);
    expect((await terminal.ended).code).toBe(0);
    expect(await changes()).toEqual(['PUT']);
  });

  it('is checked by pattern; what is known is listed', async () => {
    const terminal = docs(['custom-fields', 'create']);
    await terminal.shows('Name:');
    terminal.type(`Review date${keys.enter}`);
    await terminal.shows('must match');
    terminal.type(`${clear}review-date${keys.enter}`);
    await terminal.shows('❯ text');
    expect(shownIn(terminal)).toContain('Another value');
    terminal.type(keys.interrupt);
    expect((await terminal.ended).signal).toBe(2);
    expect(await changes()).toEqual([]);
  });

  it('at sign-in must be an address that requests may be sent to', async () => {
    const terminal = docs(['auth', 'login'], { env: { DOCS_BASE_URL: '', DOCS_TOKEN: '' } });
    await terminal.shows('Address of the platform:');
    terminal.type(`http://example.com${keys.enter}`);
    await terminal.shows('is not encrypted');
    terminal.type(keys.interrupt);
    await terminal.ended;
  });
});

describe('an answer of a command on this machine', () => {
  const offline = { env: { DOCS_BASE_URL: '', DOCS_TOKEN: '' } };

  it('is checked by the setting that was chosen before', async () => {
    const terminal = docs(['config', 'set'], offline);
    await terminal.shows('❯ base-url');
    terminal.type(`${'\x1b[B'.repeat(6)}${keys.enter}`);
    await terminal.shows('New value:');
    terminal.type(`5000${keys.enter}`);
    await terminal.shows('"5000" is not a whole number from 1 to 1000');
    terminal.type(`${clear}50${keys.enter}`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(shownIn(terminal)).toContain('✓ Set page-size to 50');
    await home.ok(['config', 'unset', 'page-size']);
  });

  it('is chosen where a setting has only some values; the present one is under the cursor', async () => {
    await home.ok(['config', 'set', 'output', 'yaml']);
    const terminal = docs(['config', 'set', 'output'], offline);
    await terminal.shows('❯ yaml, as it is now');
    terminal.type(keys.enter);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    await home.ok(['config', 'unset', 'output']);
  });

  it('must name a file that is there, for a positional and then for a flag', async () => {
    const terminal = docs(['backup', 'pack'], offline);
    await terminal.shows('Folder of the backup:');
    terminal.type(`nowhere${keys.enter}`);
    await terminal.shows('nowhere is not a backup');
    terminal.type(keys.interrupt);
    expect((await terminal.ended).signal).toBe(2);
    const flag = docs(['sites', 'schema', 'eval', seedId('site docs')]);
    await flag.shows('Claims of the visitor: a file');
    flag.type(`nowhere.json${keys.enter}`);
    await flag.shows('cannot read nowhere.json: no such file');
    flag.type(`${clear}{"beta": true}${keys.enter}`);
    expect((await flag.ended).screen).not.toContain('--claims is required');
  });

  it('names a spec of the organization, and then a file or URL', async () => {
    const terminal = docs(['openapi', 'publish', 'some-spec']);
    await terminal.shows('URL for the platform to read, or a file to send');
    terminal.type(`no.yaml${keys.enter}`);
    await terminal.shows('cannot read no.yaml: no such file');
    terminal.type(keys.interrupt);
    await terminal.ended;
    const slug = docs(['openapi', 'publish', '--create']);
    await slug.shows('Slug of the spec:');
    slug.type(`Not A Slug${keys.enter}`);
    await slug.shows('<slug> must match');
    slug.type(keys.interrupt);
    await slug.ended;
    expect(await changes()).toEqual([]);
  });
});

describe('an alias to delete', () => {
  it('is chosen from the list; Enter and Enter again delete nothing', async () => {
    await home.ok(['config', 'alias', 'set', 'co', 'change-requests list']);
    const terminal = docs(['config', 'alias', 'delete']);
    await terminal.shows('❯ co');
    terminal.type(keys.enter);
    await terminal.shows('Delete alias co? (y/N)');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(2);
    expect(await home.ok(['config', 'alias', 'list'])).toContain('change-requests list');
    await home.ok(['config', 'alias', 'delete', 'co']);
  });
});

describe('a job to undo', () => {
  it('is listed where there is one; Enter and Enter again undo nothing', async () => {
    // Undone exactly, so a job that is named is undone without a question.
    await home.ok(['collections', 'update', seedId('collection product'), '--title', 'Other']);
    before = (await sent()).length;
    const terminal = docs(['undo']);
    await terminal.shows('collections update');
    terminal.type(keys.enter);
    await terminal.shows('(y/N)');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(2);
    expect(await changes()).toEqual([]);
  });

  it('is not asked for where none can be undone', async () => {
    const { code, screen } = await docs(['undo']).ended;
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('No job of this profile can be undone.');
    expect(code).toBe(2);
  });

  it('is not asked for without a terminal', async () => {
    const { code, stderr } = await home.run(['undo']);
    expect(stderr).toContain('<job> is required: Name of the job, a unique prefix of it, or last.');
    expect(code).toBe(2);
  });
});

describe('a space to restore', () => {
  it.each([['spaces'], ['trash']])('is chosen from the trash: docs %s restore', async (group) => {
    await home.ok(['spaces', 'delete', space, '--yes']);
    before = (await sent()).length;
    const terminal = docs([group, 'restore']);
    await terminal.shows(space);
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(0);
    expect(await changes()).toEqual(['POST']);
  });

  it('has its title on one line of a narrow window, without what commands a terminal', async () => {
    await home.ok(['spaces', 'update', space, '--title', `\x1b[31m${'Long '.repeat(8)}`]);
    await home.ok(['spaces', 'delete', space, '--yes']);
    const terminal = docs(['spaces', 'restore'], { columns: 40, env: { NO_COLOR: '1' } });
    await terminal.shows('…');
    expect(terminal.bytes).not.toContain('\x1b[31mLong');
    expect(
      terminal.screen
        .text()
        .split('\n')
        .filter((line) => line.includes('Long')),
    ).toHaveLength(1);
    terminal.type(keys.interrupt);
    await terminal.ended;
  });
});

describe('a long title in a narrow window', () => {
  const long = '文档 文档 and more words than fit on a line of sixty';
  const linesWith = ({ screen }: OnTerminal, text: string) =>
    screen
      .text()
      .split('\n')
      .filter((line) => line.includes(text));

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
    expect(terminal.screen.text().trimEnd().split('\n').at(-1)).toBe(space);
  });

  it('has its id in the trash, too', async () => {
    await home.ok(['spaces', 'update', space, '--title', long]);
    await home.ok(['spaces', 'delete', space, '--yes']);
    const terminal = docs(['trash', 'restore'], { columns: 60 });
    await terminal.shows(space);
    expect(linesWith(terminal, space)[0]).toMatch(/文档 .*…/);
    terminal.type(keys.interrupt);
    await terminal.ended;
  });
});

describe('a space to add to a site', () => {
  it('is chosen from the list, whichever space is the default', async () => {
    const args = ['site-spaces', 'create', '--site', seedId('site docs')];
    const terminal = docs(args, { env: { DOCS_SPACE: space } });
    await terminal.shows('Space:');
    await terminal.shows('❯');
    terminal.type(keys.interrupt);
    await terminal.ended;
    expect(await changes()).toEqual([]);
  });
});

describe('a profile to switch to', () => {
  it('is the current one under the cursor, so that Enter changes nothing', async () => {
    const token = { stdin: home.env.DOCS_TOKEN ?? '' };
    for (const profile of ['home', 'work'])
      await home.run(['auth', 'login', '--with-token', '--profile', profile], token);
    const terminal = docs(['auth', 'switch'], { env: { DOCS_BASE_URL: '', DOCS_TOKEN: '' } });
    await terminal.shows('❯ home');
    terminal.type(keys.enter);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(shownIn(terminal)).toContain('Switched to profile home');
  });
});

describe('Ctrl-C in a list', () => {
  it('sends nothing, and leaves the terminal as it was', async () => {
    await home.ok(['spaces', 'delete', space, '--yes']);
    before = (await sent()).length;
    const terminal = docs(['spaces', 'restore'], {
      before: 'trap : INT',
      after: 'echo "code $?"; stty -a',
    });
    await terminal.shows(space);
    terminal.type(keys.interrupt);
    const { screen } = await terminal.ended;
    expect(screen).toContain('code 130');
    expect(screen).toMatch(/(?<!-)icanon/);
    expect(terminal.screen.cursorShown).toBe(true);
    expect(await changes()).toEqual([]);
  });
});

describe('what cannot be undone', () => {
  it('is asked about where its target was chosen from a list: Enter alone sends nothing', async () => {
    const terminal = docs(['members', 'link-sso']);
    await terminal.shows('Member:');
    terminal.type(keys.enter);
    await terminal.shows('(y/N)');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(2);
    expect(await changes()).toEqual([]);
  });

  it('is done at once where its target was typed', async () => {
    const terminal = docs(['members', 'link-sso', 'deniz@acme.example']);
    expect((await terminal.ended).code).toBe(0);
    expect(await changes()).toEqual(['POST']);
  });
});

describe('a DELETE of docs api', () => {
  const path = `/v1/spaces/${space}`;
  const asked = () => docs(['api', 'DELETE', path], { columns: 160 });

  it('is asked about: Enter alone sends nothing, a yes sends it', async () => {
    const refused = asked();
    await refused.shows(`DELETE ${path}? (y/N)`);
    refused.type(keys.enter);
    expect((await refused.ended).code).toBe(2);
    expect(await changes()).toEqual([]);
    const agreed = asked();
    await agreed.shows('(y/N)');
    agreed.type(`y${keys.enter}`);
    expect((await agreed.ended).code).toBe(0);
    expect(await changes()).toEqual(['DELETE']);
  });
});
