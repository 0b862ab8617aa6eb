import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { docsFile, docsFirst, docsLine } from '../started.js';
import { changePlatform, type StubContent, type StubPage, small } from './change-platform.js';
import { freshHome, type Home } from './program.js';
import type { StubPlatform } from './stub-platform.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `docs change-requests diff`: in pipes, on a terminal, in a pager, of 500 pages. */

let home: Home;
let platform: StubPlatform;

beforeAll(() => {
  home = freshHome();
});
afterAll(() => home.remove());
afterEach(() => platform.close());

const place = () => ({
  DOCS_BASE_URL: platform.url,
  DOCS_TOKEN: 'a-token',
  DOCS_ORG: 'o1',
  DOCS_SPACE: 's1',
});
const start = async (content: StubContent, also?: Parameters<typeof changePlatform>[1]) => {
  platform = await changePlatform(content, also);
};
const diff = (...words: string[]) => home.run(['change-requests', 'diff', '5', ...words], { env: place() });
const pageReads = () => platform.requests.filter((request) => request.includes('/content/page/'));

describe('diff', () => {
  it('shows pages and words, and reads only what may differ', async () => {
    await start(small);
    expect(await diff()).toMatchObject({
      code: 0,
      stdout:
        'page Intro (intro): edited, +1 -1 words\n@@ -1,1 +1,1 @@\nRun the [-old-]{+new+} setup.\n\n' +
        'page Fresh (fresh): added, +3 -0 words\n@@ -1,0 +1,1 @@\n{+Three new words.+}\n\n' +
        'page Same (same): moved\n  moved below another page\n\n' +
        'page Gone (gone): removed, +0 -2 words\n@@ -1,1 +1,0 @@\n[-Two words.-]\n',
      stderr: '1 page added, 1 removed, 1 edited, 1 moved; 4 words added, 3 words removed.\n',
    });
    expect(pageReads()).toHaveLength(4);
  });

  it('gives JSON, rows, and one line a page', async () => {
    await start(small);
    const rows = JSON.parse((await diff('--json')).stdout) as { id: string; changes: string[] }[];
    expect(rows.map(({ id, changes }) => [id, ...changes])).toEqual([
      ['intro', 'edited'],
      ['fresh', 'added'],
      ['same', 'moved'],
      ['gone', 'removed'],
    ]);
    expect((await diff('-o', 'tsv')).stdout.split('\n')[0]).toBe('edited\tpage\tIntro\tintro\t1\t1\tintro');
    expect((await diff('--stat')).stdout).toContain(
      ' 4 pages changed, 4 words added(+), 3 words removed(-)\n',
    );
    expect((await diff('--stat', '--page-id', 'intro')).stdout.split('\n')).toHaveLength(3);
    expect((await diff('--page-id', 'none')).code).toBe(6);
    const unknown = await home.run(['change-requests', 'diff', '99', '--space', 's1'], { env: place() });
    expect(unknown).toMatchObject({ code: 6, stdout: '' });
    expect(unknown.stderr).toContain('Try: docs change-requests list --space s1\n');
    expect((await diff('--html', '--json')).code).toBe(2);
  });

  it('says that an outdated one shows later changes reversed, and how to pull them', async () => {
    await start({ ...small, request: { outdated: true } });
    expect((await diff('--stat', '--space', 's1')).stderr).toContain(
      'Change request 5 is behind its space: later changes of the space show up reversed. To pull them, run docs ' +
        'change-requests pull 5 --space s1.',
    );
    await platform.close();
    await start({ ...small, request: { status: 'merged', outdated: true } });
    expect((await diff('--stat')).stderr).toContain(
      'Change request 5 is merged; it is compared with what the space',
    );
  });

  it('names a page that it could not read, shows the rest, and exits 3', async () => {
    await start(small, (_, url) =>
      url.pathname.endsWith('/page/fresh')
        ? { status: 403, body: { error: { code: 403, message: 'No.' } } }
        : undefined,
    );
    const ran = await diff('--json');
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toHaveLength(4);
    expect(JSON.parse(ran.stdout)[1]).toMatchObject({ id: 'fresh', changes: ['added', 'unknown'] });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'not_all_read',
      details: { unread: [{ id: 'fresh' }] },
    });
    expect((await diff()).stdout).toContain('page Fresh (fresh): added, not compared\n  Not compared: ');
  });

  it('says which files it could only compare by name and size', async () => {
    const file = (oid?: string) => ({
      ...{
        id: 'f1',
        name: 'a.png',
        contentType: 'image/png',
        downloadURL: 'https://files.example/a',
        size: 1,
      },
      ...(oid !== undefined && { git: { oid, path: 'a.png' } }),
    });
    await start({ ...small, files: { before: [file('one')], after: [file()] } });
    const ran = await diff('--stat');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('Compared by name and size only: 1 file.');
    expect(ran.stdout).not.toContain('a.png');
    expect((await diff('--stat', '--page-id', 'intro')).stderr).not.toContain('name and size');
    await platform.close();
    await start({ ...small, files: { before: [file('one')], after: [file('one')] } });
    expect((await diff('--stat')).stderr).not.toContain('name and size');
  });

  it('exits 3 where the content changed while it was read', async () => {
    let reads = 0;
    await start(small, (_, url) => {
      if (url.pathname !== '/v1/spaces/s1') return undefined;
      reads += 1;
      return reads === 1 ? undefined : { body: { ...spaceOf('r9') } };
    });
    const ran = await diff('--stat');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('changed while it was read');
  });
});

const spaceOf = (revision: string) => ({
  ...{ object: 'space', id: 's1', title: 'Handbook', emoji: '', visibility: 'public', revision },
  ...{
    createdAt: '2026-01-05T09:00:00Z',
    updatedAt: '2026-01-05T09:00:00Z',
    organization: 'o1',
    defaultLevel: null,
  },
  ...{ comments: 0, changeRequests: 1, changeRequestsOpen: 1, changeRequestsDraft: 0 },
});

describe('500 changed pages', () => {
  const lines = (word: string) => `${word} words on this line.\n`.repeat(60);
  const pages = (word: string): StubPage[] =>
    Array.from({ length: 500 }, (_, at) => ({ id: `p${at}`, title: `Page ${at}`, text: lines(word) }));
  const many = { before: pages('old'), after: pages('new') };

  it('are printed while later ones are read', async () => {
    await start(many);
    let readBefore = 0;
    let text = '';
    const child = spawn(docsFile, [...docsFirst, 'change-requests', 'diff', '5'], {
      env: { ...home.env, ...place() },
      cwd: home.path,
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (text === '') readBefore = pageReads().length;
      text += piece;
    });
    await new Promise((done) => child.once('close', done));
    expect(text.match(/^page /gm)).toHaveLength(500);
    expect(text.match(/^page Page \d+/gm)?.map((line) => Number(line.slice(10)))).toEqual(
      Array.from({ length: 500 }, (_, at) => at),
    );
    expect(pageReads()).toHaveLength(1000);
    expect(readBefore).toBeGreaterThan(0);
    expect(readBefore).toBeLessThan(200);
  });

  it('are not read on once the reader has left', async () => {
    await start(many);
    const child = spawn(
      'bash',
      ['-c', `${docsLine} change-requests diff 5 | head -3; echo "\${PIPESTATUS[0]}"`],
      {
        env: { ...home.env, ...place() },
        cwd: home.path,
      },
    );
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await new Promise((done) => child.once('close', done));
    expect(text.trim().split('\n').at(-1)).toBe('0');
    expect(pageReads().length).toBeLessThan(400);
  });

  it('are read only as far as the pager is read', async () => {
    await start(many);
    const terminal = onDocs(['diff', '5'], { DOCS_PAGER: script('once', 'head -2; echo left') });
    expect((await terminal.ended).screen).toContain('left');
    expect((await terminal.ended).code).toBe(0);
    expect(pageReads().length).toBeLessThan(400);
  });
});

/** A program for a pager or an editor. */
function script(name: string, body: string): string {
  const path = join(home.path, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

function onDocs(words: string[], env: Record<string, string> = {}, after?: string): OnTerminal {
  // The small diff has 15 lines.
  const options = { env: { ...home.env, ...place(), ...env }, cwd: home.path, rows: 10 };
  return onTerminal(['change-requests', ...words], after === undefined ? options : { ...options, after });
}

describe('on a terminal', () => {
  it('words are coloured, and the pager gets all of it', async () => {
    await start(small);
    const { ended } = onDocs(['diff', '5'], { DOCS_PAGER: script('marked', 'sed "s/^/> /"'), PAGER: 'none' });
    const { code, screen } = await ended;
    expect(screen).toContain(
      '> page Intro (intro): edited, +1 -1 words\n> @@ -1,1 +1,1 @@\n> Run the oldnew setup.',
    );
    expect(screen).toMatch(/removed\.$/);
    expect(code).toBe(0);
  });

  it('there is no pager for agents, in CI, with --no-pager, or where it is cat', async () => {
    await start(small);
    const pager = { DOCS_PAGER: script('marked', 'sed "s/^/> /"') };
    for (const [words, env] of [
      [['diff', '5'], { ...pager, CLAUDECODE: '1' }],
      [['diff', '5'], { ...pager, CI: '1' }],
      [['diff', '5', '--no-pager'], pager],
      [['diff', '5'], { DOCS_PAGER: 'cat' }],
    ] as const) {
      const { screen } = await onDocs([...words], { ...env }).ended;
      expect(screen).toMatch(/^page Intro/);
    }
  });

  it('there is no pager on a terminal that is dumb', async () => {
    await start(small);
    const env = { ...home.env, ...place(), DOCS_PAGER: script('marked', 'sed "s/^/> /"') };
    const line = ['change-requests', 'diff', '5'];
    const { screen } = await onTerminal(line, { env, cwd: home.path, rows: 10, before: 'export TERM=dumb' })
      .ended;
    expect(screen).toMatch(/^page Intro/);
  });

  it('a pager that cannot be started is noted, and the text is printed', async () => {
    await start(small);
    const { code, screen } = await onDocs(['diff', '5'], { PAGER: '/no/such/pager' }).ended;
    expect(screen).toContain('Cannot start the pager /no/such/pager');
    expect(screen).toContain('page Intro (intro)');
    expect(code).toBe(0);
  });

  it('Ctrl-C is for the pager; docs ends with it and without an error', async () => {
    await start(small);
    // What is written just before Ctrl-C may be flushed: it waits for the line in any case.
    const wait = 'until read line < /dev/tty && [ -n "$line" ]; do :; done';
    const pager = script('stays', `trap : INT; cat; echo shown; ${wait}; echo "pager read $line"`);
    const terminal = onDocs(['diff', '5'], { DOCS_PAGER: pager });
    await terminal.shows('shown');
    terminal.type(keys.interrupt);
    terminal.type('q\r');
    await terminal.shows('pager read q');
    expect(await terminal.ended).toMatchObject({ code: 0, signal: 0 });
  });

  it.each([
    ['one that restores the terminal as it ends', 'trap "echo left; exit 0" TERM'],
    ['one that ignores that, too', 'trap "" TERM'],
  ])('a second Ctrl-C ends docs and the pager: %s', async (_, onTerm) => {
    await start(small);
    const wait = 'until read line < /dev/tty && [ -n "$line" ]; do :; done';
    const pager = script('stays', `${onTerm}; trap : INT; cat; echo shown; ${wait}`);
    const terminal = onDocs(['diff', '5'], { DOCS_PAGER: pager });
    await terminal.shows('shown');
    terminal.type(keys.interrupt);
    // One that comes before docs has taken the last is none.
    const again = setInterval(() => terminal.type(keys.interrupt), 300);
    const { signal } = await terminal.ended.finally(() => clearInterval(again));
    expect(signal).toBe(2);
  });
});
