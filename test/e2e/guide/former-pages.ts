import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshHome, type Home } from '../program.js';
import { blocksOf, normalised } from './page.js';
import { expectWhole, leavePage, type RanPage, runPage } from './run-pages.js';

/**
 * The blocks of the guide as it was before commands and flags got their present names, and the exit code of each of
 * their commands then: whoever has them in a script finds both unchanged. A page that is there is never changed to make
 * a test pass.
 */
const folder = 'test/data/former-guide';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const exits: Record<string, string[]> = JSON.parse(readFileSync(`${folder}/exits.json`, 'utf8'));

/** What differs from run to run besides `normalised`: ids of the platform, and hashes of the audit chain. */
const isMadeUp = /\b(?=\w*[A-Za-z])(?=\w*\d)(?:\w{20}|[0-9a-f]{64})\b/g;

/** The spaces whose texts a page needs, where it is not all of `acme`. */
const textsOf: Record<string, readonly string[]> = { 'docs-team.md': ['Welcome', 'WOzHRlCaIrHb4skfEie7'] };

/** Which part of the pages runs in which file, so that they run side by side. */
const parts = 3;

/** @param part from 0 */
export function holdFormerPages(part: number): void {
  describe.each(pages.filter((_, index) => index % parts === part))('former page %s', (name) => {
    const path = `${folder}/${name}`;
    const blocks = blocksOf(readFileSync(path, 'utf8'));
    const ended: string[] = [];
    let home: Home;
    let ran: RanPage;
    beforeAll(async () => {
      home = freshHome();
      ran = await runPage(home, path, blocks, textsOf[name], (words, code) => {
        const line = normalised(`${code} ${words.join(' ')}`, home.path);
        ended.push(line.replaceAll(isMadeUp, '<made-up>'));
      });
    }, 240_000);
    afterAll(() => leavePage(home, blocks));

    it('runs from top to bottom', () => expectWhole(ran, blocks));

    it('ends each command with the exit code of then', () => {
      expect(ended.sort()).toEqual(exits[basename(name, '.md')] ?? []);
    });
  });
}
