import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { defineShow, docsOnPath, isInstalled, type Shell, startShell } from './shell.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';

/** Completion in real shells. A shell that is not installed here is skipped, and the report says so. */

/** Would leave a file behind if any shell ran it. */
const evil = '$(touch evil) `touch evil` \'"; touch evil; #';
const teams = [
  { object: 'team', id: 't1', title: evil, members: 1, createdAt: '2025-01-01T00:00:00Z' },
  { object: 'team', id: 't2', title: 'Writers\n:files x', members: 2, createdAt: '2025-01-01T00:00:00Z' },
  { object: 'team', id: '$(touch evil)', title: 'Bad id', members: 2, createdAt: '2025-01-01T00:00:00Z' },
];

let home: Home;
let platform: StubPlatform;
let env: Record<string, string>;
let shell: Shell | undefined;

beforeEach(async () => {
  platform = await stubPlatform((_, { pathname }) =>
    pathname === '/v1/orgs/o1/teams' ? { body: { items: teams } } : undefined,
  );
  home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'token', DOCS_ORG: 'o1' });
  env = { ...home.env, PATH: docsOnPath(home.path), TERM: 'xterm', LC_ALL: 'C.UTF-8', PS1: '$ ' };
});
afterEach(async () => {
  shell?.end();
  shell = undefined;
  await platform.close();
  home.remove();
});

/** Asks until the list is cached: the first time it may come too late. */
async function idsKnown(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await home.ok(['__complete', 'teams', 'get', ''])) !== '') return;
  }
  throw new Error('the ids were never cached');
}

/** Lists both where two titles fit, and completes the id where one more letter leaves one. */
async function choosesBetweenTitles(started: () => Promise<Shell>, listed: RegExp): Promise<void> {
  teams.push({ object: 'team', id: 't3', title: 'Writing', members: 1, createdAt: '2025-01-01T00:00:00Z' });
  try {
    await idsKnown();
    const begun = await started();
    begun.type('docs teams get writ\t');
    await begun.until(listed);
    begun.type('i\t');
    await begun.until(/get t3/);
    expect(await begun.words()).toBe('<docs><teams><get><t3>');
  } finally {
    teams.pop();
  }
}

const wasEvil = (): boolean => existsSync(join(home.path, 'evil'));

describe('docs __complete', () => {
  it('prints a word and its note a line', async () => {
    expect(await home.ok(['__complete', 'mem'])).toBe('members\tPeople and their roles\n');
    expect(await home.ok(['__complete', 'members', 'delete', '@'])).toBe(':files @\n');
  });

  it('prints ids with titles, once they are known; a title is one line, an odd id is left out', async () => {
    await idsKnown();
    expect(await home.ok(['__complete', 'teams', 'get', ''])).toBe(`t1\t${evil}\nt2\tWriters :files x\n`);
    expect(platform.requests).toEqual(['GET /v1/orgs/o1/teams?limit=500']);
  });

  it('is silent, whatever is wrong', async () => {
    writeFileSync(join(home.path, '.docs.json'), '{');
    for (const words of [[], ['nonsense', ''], ['teams', 'get', ''], ['--profile', '']]) {
      expect(await home.run(['__complete', ...words])).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('needs no platform that answers', async () => {
    await platform.close();
    const ran = await home.run(['__complete', 'teams', 'get', '']);
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
    platform = await stubPlatform();
  });
});

describe.skipIf(!isInstalled('bash'))('bash', () => {
  async function started(): Promise<Shell> {
    const begun = startShell(
      'bash',
      ['--noprofile', '--norc', '-i'],
      { ...env, INPUTRC: '/dev/null' },
      home.path,
    );
    shell = begun;
    await begun.run(defineShow);
    await begun.run("bind 'set show-all-if-ambiguous on'; bind 'set bell-style none'");
    await begun.run('source <(docs completion bash)');
    begun.clear();
    return begun;
  }

  it('completes commands and flags', async () => {
    const begun = await started();
    begun.type('docs memb\tli');
    await begun.until(/members li/);
    begun.type('s\t--ro\tad\t');
    await begun.until(/--role admin /);
    expect(await begun.words()).toBe('<docs><members><list><--role><admin>');
  });

  it('completes behind = and @, where bash cuts words', async () => {
    writeFileSync(join(home.path, 'some ids.txt'), '');
    const begun = await started();
    begun.type('docs members update --role=ad\t');
    await begun.until(/--role=admin /);
    begun.type('@so\t');
    await begun.until(/@some\\ ids.txt /);
    expect(await begun.words()).toBe('<docs><members><update><--role=admin><@some ids.txt>');
  });

  it('lists ids with their titles and runs none of them', async () => {
    await idsKnown();
    const begun = await started();
    begun.type('docs teams get \t');
    await begun.until(/t2 {2}\(Writers :files x\)/);
    expect(begun.screen).toContain(`t1  (${evil})`);
    begun.type('1\t');
    await begun.until(/get t1 /);
    expect(await begun.words()).toBe('<docs><teams><get><t1>');
    expect(wasEvil()).toBe(false);
  });

  it('puts the id in place of the beginning of a word of the title, whatever the case', async () => {
    await idsKnown();
    const begun = await started();
    begun.type('docs teams get WRIT\t');
    await begun.until(/get t2 /);
    expect(await begun.words()).toBe('<docs><teams><get><t2>');
    expect(wasEvil()).toBe(false);
  });

  it('keeps what was typed where several titles fit, although their ids begin alike', async () => {
    await choosesBetweenTitles(started, /t3 {2}\(Writing\)/);
  });

  it('lists the commands that a word means, puts the only one in its place, and shows what the API cannot do', async () => {
    const begun = await started();
    begun.type('docs permissions\t');
    await begun.until(/access who +\(List the people/);
    await begun.until(/auth can-i +\(Show which/);
    expect(await begun.words()).toBe('<docs><permissions>');
    begun.type('docs trash\tli\t');
    await begun.until(/docs spaces trash list/);
    expect(await begun.words()).toBe('<docs><spaces><trash><list>');
    begun.type('docs members invite\t');
    await begun.until(/invite +\(The API cannot add or invite a member/);
    expect(await begun.words()).toBe('<docs><members><invite>');
  });

  it('inserts the id alone where completions are cycled through', async () => {
    await idsKnown();
    const begun = await started();
    await begun.run(`bind '"\\t": menu-complete'`);
    begun.clear();
    begun.type('docs teams get \t');
    await begun.until(/get t\d/);
    begun.type('\t');
    await begun.until(/t1/);
    expect(await begun.words()).toMatch(/^<docs><teams><get><t[12]?>$/);
    expect(wasEvil()).toBe(false);
  });

  it('completes from the first key on once it is installed, and no more once it is taken out', async () => {
    await home.ok(['completion', 'bash', '--install', '--yes', '--file', join(home.path, '.bashrc')]);
    const interactive = () => startShell('bash', ['-i'], { ...env, INPUTRC: '/dev/null' }, home.path);
    shell = interactive();
    await shell.run(defineShow);
    shell.type('docs memb\tlis\t');
    await shell.until(/docs members list /);
    expect(await shell.words()).toBe('<docs><members><list>');

    await home.ok(['completion', 'bash', '--uninstall', '--yes', '--file', join(home.path, '.bashrc')]);
    shell.end();
    shell = interactive();
    await shell.run(defineShow);
    shell.type('docs memb\tx');
    expect(await shell.words()).toBe('<docs><membx>');
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh', () => {
  async function started(): Promise<Shell> {
    const begun = startShell('zsh', ['-f', '-i'], { ...env, ZDOTDIR: home.path }, home.path);
    shell = begun;
    await begun.run(defineShow);
    await begun.run('unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D');
    await begun.run('source <(docs completion zsh)');
    begun.clear();
    return begun;
  }

  it('completes commands, flags and files', async () => {
    writeFileSync(join(home.path, 'some ids.txt'), '');
    const begun = await started();
    begun.type('docs memb\tupd\t--role=ad\t@so\t');
    await begun.until(/@some\\ ids.txt/);
    expect(await begun.words()).toBe('<docs><members><update><--role=admin><@some ids.txt>');
  });

  it('lists ids with their titles and runs none of them', async () => {
    await idsKnown();
    const begun = await started();
    begun.type('docs teams get \t\t');
    await begun.until(/t2 {2}-- Writers :files x/);
    expect(begun.screen).toContain('t1  -- $(touch evil) `touch evil`');
    begun.type('1\t');
    expect(await begun.words()).toBe('<docs><teams><get><t1>');
    expect(wasEvil()).toBe(false);
  });

  it('puts the id in place of the beginning of a title; lists where several fit', async () => {
    await choosesBetweenTitles(started, /t3 {2}-- Writing/);
  });

  it('lists the commands that a word means, puts the only one in its place, and shows what the API cannot do', async () => {
    const begun = await started();
    begun.type('docs permissions\t');
    await begun.until(/access who +-- List the people/);
    expect(begun.screen).toMatch(/auth can-i +-- Show which/);
    expect(await begun.words()).toBe('<docs><permissions>');
    begun.type('docs trash\tli\t');
    await begun.until(/docs spaces trash list/);
    expect(await begun.words()).toBe('<docs><spaces><trash><list>');
    begun.type('docs members invite\t');
    await begun.until(/invite +-- The API cannot add or invite a member/);
    expect(await begun.words()).toBe('<docs><members><invite>');
  });

  it('completes once it is installed', async () => {
    await home.ok(['completion', 'zsh', '--install', '--yes', '--file', join(home.path, '.zshrc')]);
    shell = startShell('zsh', ['-i'], { ...env, ZDOTDIR: home.path }, home.path);
    await shell.run(defineShow);
    shell.clear();
    shell.type('docs memb\tlis\t');
    await shell.until(/members list /);
    expect(await shell.words()).toBe('<docs><members><list>');
  });
});

describe.skipIf(!isInstalled('fish'))('fish', () => {
  async function fish(script: string): Promise<string> {
    const ran = await promisify(execFile)('fish', ['--no-config', '-c', script], { cwd: home.path, env });
    return ran.stdout;
  }
  const completing = (line: string): Promise<string> =>
    fish(`docs completion fish | source; complete -C '${line}'`);

  it('completes commands, flags and files', async () => {
    writeFileSync(join(home.path, 'some ids.txt'), '');
    expect(await completing('docs memb')).toBe('members\tPeople and their roles\n');
    expect(await completing('docs members list --role=ad')).toBe('--role=admin\n');
    expect(await completing('docs members delete @so')).toBe('@some ids.txt\n');
  });

  it('lists ids with their titles and runs none of them', async () => {
    await idsKnown();
    expect(await completing('docs teams get ')).toBe(`t1\t${evil}\nt2\tWriters :files x\n`);
    expect(wasEvil()).toBe(false);
  });

  it('offers titles in place of ids where a title was begun', async () => {
    await idsKnown();
    expect(await completing('docs teams get writ')).toBe('Writers :files x\tt2\n');
    expect(wasEvil()).toBe(false);
  });

  it('describes what a word means, which fish keeps', async () => {
    expect(await completing('docs perm')).toBe(
      'permissions\tdocs access who, docs access matrix, docs auth can-i\n',
    );
    expect(await completing('docs trash')).toBe('trash\tdocs spaces trash\n');
    expect(await completing('docs members invite')).toMatch(
      /^invite\tThe API cannot add or invite a member; /,
    );
  });

  it('completes once it is installed', async () => {
    await home.ok(['completion', 'fish', '--install', '--yes']);
    expect(await fish("source ~/.config/fish/completions/docs.fish; complete -C 'docs memb'")).toBe(
      'members\tPeople and their roles\n',
    );
  });
});

describe('powershell', () => {
  it('passes an empty word in quotes, which are taken off again', async () => {
    expect(await home.ok(['__complete', 'auth', '""'])).toBe(await home.ok(['__complete', 'auth', '']));
  });
});
