import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { docsWords } from '../started.js';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';
import { readToTheEnd } from './terminal.js';

/** What does not fit on the screen goes to a pager: on a real terminal of 24 lines, with less and with stand-ins. */

const pageSize = 50;
const members = (from: number) =>
  Array.from({ length: pageSize }, (_, index) => ({
    object: 'member',
    id: `m${from + index}`,
    role: 'read',
    user: { displayName: `Member ${from + index}`, email: `m${from + index}@acme.example` },
  }));

let platform: StubPlatform;
let home: Home;
/** How many pages there are; what the platform answers for the one after them. */
let [pages, fault] = [1, 0];

beforeAll(async () => {
  home = freshHome();
  platform = await stubPlatform((_, url) => {
    const page = Number(url.searchParams.get('page') ?? 0);
    if (fault !== 0 && page === pages)
      return { status: fault, body: { error: { code: fault, message: 'No.' } } };
    const isLast = page === pages - 1 && fault === 0;
    const count = url.searchParams.get('role') === 'admin' ? 3 : pageSize;
    const next = isLast || count === 3 ? {} : { next: { page: String(page + 1) } };
    return { body: { items: members(page * pageSize).slice(0, count), ...next } };
  });
});
beforeEach(() => {
  [pages, fault] = [1, 0];
  platform.requests.length = 0;
});
afterAll(async () => {
  await platform.close();
  home.remove();
});

/** Runs docs in a shell on a terminal, and compares the settings of the terminal before and after. */
function docs(words: readonly string[], env: Record<string, string> = {}) {
  const line = 'stty -a > before; "$@"; echo "[exit $?]"; stty -a > after; cmp before after && echo "[sane]"';
  const terminal = spawn('bash', ['-c', line, 'bash', ...docsWords, ...words], {
    name: env.TERM ?? 'xterm-256color',
    cols: 80,
    rows: 24,
    cwd: home.path,
    env: {
      ...home.env,
      TERM: 'xterm-256color',
      DOCS_BASE_URL: platform.url,
      DOCS_TOKEN: 't',
      DOCS_ORG: 'o1',
      ...env,
    },
  });
  readToTheEnd(terminal);
  let bytes = '';
  const looks = new Set<() => void>();
  terminal.onData((text) => {
    bytes += text;
    for (const look of looks) look();
  });
  const ended = new Promise<string>((done) => {
    terminal.onExit(() => done(bytes));
  });
  const shows = (text: string) =>
    new Promise<void>((done) => {
      const look = () => {
        if (bytes.includes(text)) done();
      };
      looks.add(look);
      look();
    });
  /** Waits until it shows a text once more than it has by now. */
  const showsAgain = (text: string) => {
    const before = bytes.lastIndexOf(text);
    return new Promise<void>((done) => {
      const look = () => {
        if (bytes.lastIndexOf(text) > before) done();
      };
      looks.add(look);
    });
  };
  return {
    showsAgain,
    type: (keys: string) => terminal.write(keys),
    kill: () => terminal.kill(),
    shows,
    ended,
  };
}

/** A pager that says what it was started with and how many lines it read. */
function standIn(name: string, script: string): string {
  const path = join(home.path, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const counting = 'n=$(wc -l); echo "[paged $n lines]"';
const clean = '[exit 0]\r\n[sane]\r\n';

describe('less', () => {
  it('shows a list that is longer than the screen; q ends it, and nothing more is read', async () => {
    pages = 1000;
    const terminal = docs(['members', 'list']);
    await terminal.shows('Member 20');
    terminal.type('q');
    const shown = await terminal.ended;
    expect(shown).toContain(clean);
    expect(shown).not.toContain('error');
    expect(platform.requests.length).toBeLessThan(100);
  });

  it('stays at Ctrl-C; what was read can still be read, and leaving it is no failure', async () => {
    pages = 1000;
    const terminal = docs(['members', 'list']);
    await terminal.shows(':');
    const asked = terminal.showsAgain(':');
    // less forgets the key that it reads first after an interrupt, if it was not yet waiting for one when that came.
    terminal.type('\x03');
    terminal.type(' ');
    await asked;
    terminal.type(' ');
    await terminal.shows('Member 40');
    terminal.type('q');
    const shown = await terminal.ended;
    expect(shown).toContain('Interrupted: not all of the output was read.');
    expect(shown).toContain(clean);
  });

  it('shows help that is longer than the screen', async () => {
    const terminal = docs(['--help']);
    await terminal.shows('People:');
    terminal.type('q');
    const shown = await terminal.ended;
    expect(shown).toContain(clean);
    expect(shown).not.toContain('docs help agents');
  });

  it('keeps what was read before a failure, which is told once it has closed', async () => {
    [pages, fault] = [3, 403];
    const terminal = docs(['members', 'list', '--no-retry']);
    await terminal.shows('Member 20');
    terminal.type('G');
    await terminal.shows('Member 149');
    expect(platform.requests).toHaveLength(4);
    terminal.type('q');
    const shown = await terminal.ended;
    expect(shown.indexOf('error:')).toBeGreaterThan(shown.indexOf('Member 149'));
    expect(shown).toMatch(/\[exit [^0]\d*\]\r\n\[sane\]/);
  });
});

describe('a pager', () => {
  it('is not started for what fits', async () => {
    const shown = await docs(['members', 'list', '--role', 'admin'], {
      DOCS_PAGER: standIn('count', counting),
    }).ended;
    expect(shown).toContain('Member 2');
    expect(shown).not.toContain('[paged');
    expect(shown).toContain(clean);
  });

  it('gets all of what does not fit, and is DOCS_PAGER before the setting before PAGER', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) =>
      standIn(name, `echo ${name}; ${counting}`),
    ) as [string, string, string];
    await home.ok(['config', 'set', 'pager', two]);
    const all = { DOCS_PAGER: one, PAGER: three };
    expect(await docs(['members', 'list'], all).ended).toMatch(/one\r\n\[paged 51 lines\]/);
    expect(await docs(['members', 'list'], { PAGER: three }).ended).toMatch(/two\r\n\[paged/);
    expect(await docs(['help', 'policy'], { PAGER: three }).ended).toMatch(/two\r\n\[paged/);
    await home.ok(['config', 'set', 'pager', 'off']);
    expect(await docs(['members', 'list'], { PAGER: three }).ended).not.toContain('[paged');
    await home.ok(['config', 'unset', 'pager']);
    expect(await docs(['members', 'list'], { PAGER: three }).ended).toMatch(/three\r\n\[paged/);
  });

  it.each<[string, string[], Record<string, string>]>([
    ['--no-pager', ['--no-pager'], {}],
    ['--no-input', ['--no-input'], {}],
    ['DOCS_PAGER=cat', [], { DOCS_PAGER: 'cat' }],
    ['an empty DOCS_PAGER', [], { DOCS_PAGER: '' }],
    ['CI', [], { CI: 'true' }],
    ['an agent', [], { CLAUDECODE: '1' }],
    ['a dumb terminal', [], { TERM: 'dumb' }],
  ])('is not used with %s', async (_, flags, env) => {
    const shown = await docs(['members', 'list', ...flags], { PAGER: standIn('count', counting), ...env })
      .ended;
    expect(shown).toContain('Member 49');
    expect(shown).not.toContain('[paged');
    expect(shown).toContain(clean);
  });

  it('that is missing is named, and the list is printed without it', async () => {
    const shown = await docs(['members', 'list'], { DOCS_PAGER: 'no-such-pager' }).ended;
    expect(shown).toContain('Cannot start the pager no-such-pager: it was not found. Printing without it.');
    expect(shown).toContain('Member 49');
    expect(shown).toContain(clean);
  });

  it('that fails at once is named, and nothing is lost', async () => {
    pages = 4;
    const shown = await docs(['members', 'list'], { DOCS_PAGER: standIn('bad', 'exit 1') }).ended;
    expect(shown).toContain('failed with exit code 1. Printing without it.');
    for (const id of ['Member 0 ', 'Member 49 ', 'Member 50 ', 'Member 199 '])
      expect(shown.split(id)).toHaveLength(2);
    expect(shown).toContain(clean);
  });

  it('that reads one line and ends has had enough', async () => {
    pages = 1000;
    const shown = await docs(['members', 'list'], { DOCS_PAGER: 'head -n 1' }).ended;
    expect(shown).toContain('EMAIL');
    expect(shown).not.toContain('Member 0');
    expect(shown).toContain(clean);
    expect(platform.requests.length).toBeLessThan(100);
  });

  it('gets notes after it has closed, and its heading kept where less can do that', async () => {
    const less = standIn(
      'less',
      'if [ "$1" = --version ]; then echo "less 643 (x)"; exit; fi; echo "args:$*"; cat > read; echo "[closed]"',
    );
    pages = 3;
    const shown = await docs(['members', 'list', '--limit', '60'], { DOCS_PAGER: less }).ended;
    expect(shown).toContain('args:--header=1');
    expect(shown.indexOf('showing 60')).toBeGreaterThan(shown.indexOf('[closed]'));
    expect(readFileSync(join(home.path, 'read'), 'utf8')).not.toContain('showing');
    const text = await docs(['help', 'policy'], { DOCS_PAGER: less }).ended;
    expect(text).toContain('args:\r\n');
  });

  it('does not stand in a pipe', async () => {
    const { code, stdout } = await home.run(['members', 'list'], {
      env: {
        DOCS_BASE_URL: platform.url,
        DOCS_TOKEN: 't',
        DOCS_ORG: 'o1',
        PAGER: standIn('mark', 'touch marked'),
      },
    });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(51);
    expect(existsSync(join(home.path, 'marked'))).toBe(false);
  });
});
