import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { docsFile, docsFirst, docsLine } from '../started.js';
import { homeOfChanges, type StubPage, small } from './change-platform.js';
import { type OnTerminal, onTerminal } from './terminal.js';

/** `docs change-requests diff` as a process: of 80 pages, on a terminal, in a pager (more: pager.program.test.ts). */

const home = homeOfChanges();

describe('80 changed pages', () => {
  const lines = (word: string) => `${word} words on this line.\n`.repeat(60);
  const pages = (word: string): StubPage[] =>
    Array.from({ length: 80 }, (_, at) => ({ id: `p${at}`, title: `Page ${at}`, text: lines(word) }));
  const many = { before: pages('old'), after: pages('new') };

  it('are printed while later ones are read', async () => {
    await home.startPlatform(many);
    let readBefore = 0;
    let text = '';
    const child = spawn(docsFile, [...docsFirst, 'change-requests', 'diff', '5'], {
      env: home.env,
      cwd: home.path,
    });
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      if (text === '') readBefore = home.pageReads().length;
      text += piece;
    });
    await new Promise((done) => child.once('close', done));
    expect(text.match(/^page /gm)).toHaveLength(80);
    expect(text.match(/^page Page \d+/gm)?.map((line) => Number(line.slice(10)))).toEqual(
      Array.from({ length: 80 }, (_, at) => at),
    );
    expect(home.pageReads()).toHaveLength(160);
    expect(readBefore).toBeGreaterThan(0);
    expect(readBefore).toBeLessThan(100);
  });

  it('are not read on once the reader has left', async () => {
    await home.startPlatform(many);
    const child = spawn(
      'bash',
      ['-c', `${docsLine} change-requests diff 5 | head -3; echo "\${PIPESTATUS[0]}"`],
      {
        env: home.env,
        cwd: home.path,
      },
    );
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await new Promise((done) => child.once('close', done));
    expect(text.trim().split('\n').at(-1)).toBe('0');
    expect(home.pageReads().length).toBeLessThan(120);
  });

  it('are read only as far as the pager is read', async () => {
    await home.startPlatform(many);
    const terminal = onDiff(home.script('once', 'head -2; echo left'));
    const { screen, code } = await terminal.ended;
    expect(screen).toContain('left');
    // Of what was not read, nothing is summed up.
    expect(screen).not.toMatch(/\d+ pages? /);
    expect(code).toBe(0);
    expect(home.pageReads().length).toBeLessThan(120);
  });
});

/** The small diff has 15 lines. */
const onDiff = (pager: string): OnTerminal =>
  onTerminal(['change-requests', 'diff', '5'], {
    env: { ...home.env, DOCS_PAGER: pager, PAGER: 'none' },
    cwd: home.path,
    rows: 10,
  });

describe('on a terminal', () => {
  it('words are coloured, and the pager gets all of it', async () => {
    await home.startPlatform(small);
    const { ended } = onDiff(home.script('marked', 'sed "s/^/> /"'));
    const { code, screen } = await ended;
    expect(screen).toContain(
      '> page Intro (intro): edited, +1 -1 words\n> @@ -1,1 +1,1 @@\n> Run the oldnew setup.',
    );
    expect(screen).toMatch(/removed\.$/);
    expect(code).toBe(0);
  });
});
