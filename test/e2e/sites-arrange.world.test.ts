import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { World } from '../organization/generated/world.js';
import { before, changesOf, edited, killedAtEach, linesOf, site, write } from './arranged-site.js';

/** `docs sites arrange` as its users meet it: what is sent, what is said, killed at some requests (at each: sites-arrange.long.test.ts), and taken back. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describe('sites arrange', () => {
  it('shows moves, addresses and redirects, sends nothing in a dry run, and writes a plan that is applied', async () => {
    world.load(before);
    write(world, await edited(world));
    world.sent();
    const dry = await world.docs([
      'sites',
      'arrange',
      site,
      '@tree.txt',
      '--dry-run',
      '--redirects',
      'r.csv',
    ]);
    expect(dry).toMatchObject({ code: 0 });
    expect(changesOf(world.sent())).toEqual([]);
    expect(dry.stdout).toContain('It is removed from the site and added to the other section');
    expect(dry.stdout).toContain('/section-3/ (2)\n');
    expect(dry.stdout).toContain('→ https://');
    expect(dry.stdout).toMatch(/published URLs change/);
    expect(dry.stderr).toContain('did not write r.csv');
    await world.ok(['sites', 'arrange', site, '@tree.txt', '--save-plan', 'p.json', '--redirects', 'r.csv']);
    const csv = readFileSync(join(world.folder, 'r.csv'), 'utf8');
    expect(csv).toMatch(/^from,to\n/);
    expect(csv).toMatch(/\/section-3\/,https:.*\/third\//);
    expect(changesOf(world.sent())).toEqual([]);
    await world.ok(['apply', 'p.json', '--yes']);
    world.sent();
    const again = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(again).toMatchObject({ code: 0 });
    expect(changesOf(world.sent())).toEqual([]);
  });

  it('writes the redirects once the changes are agreed to, and never over them where nothing is to do', async () => {
    world.load(before);
    write(world, await edited(world));
    const words = ['sites', 'arrange', site, '@tree.txt', '--redirects', 'agreed.csv'];
    const file = join(world.folder, 'agreed.csv');
    const asked = await world.docs(words);
    expect(asked).toMatchObject({ code: 2 });
    expect(existsSync(file)).toBe(false);
    await world.ok([...words, '--yes']);
    const redirects = readFileSync(file, 'utf8');
    expect(redirects.split('\n').length).toBeGreaterThan(2);
    await world.ok([...words, '--yes']);
    expect(readFileSync(file, 'utf8')).toBe(redirects);
  });

  it('removes nothing that a text lacks without --prune, and then only from the site', async () => {
    world.load(before);
    const lines = await linesOf(world);
    const gone = lines.findLast((line) => line.includes(' /page-1 ')) ?? '';
    write(world, lines.filter((line) => line !== gone).join('\n'));
    world.sent();
    const refused = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('lacks 1 part of the site Handbook; nothing was changed');
    expect(changesOf(world.sent())).toEqual([]);
    await world.ok(['sites', 'arrange', site, '@tree.txt', '--prune', '--yes']);
    expect(changesOf(world.sent())).toEqual([expect.stringMatching(/^DELETE .*\/site-spaces\//)]);
  });

  it.each([
    [
      'an unknown id',
      (lines: string[]) => lines.map((line) => line.replace(/section [\w-]+\]/, 'section nope]')),
      'has no section nope',
    ],
    ['an id twice', (lines: string[]) => [...lines, lines[1] ?? ''], 'already'],
    [
      'the title of a space',
      (lines: string[]) => lines.map((line) => line.replace(/^( +).*( \/page-0)/, '$1Other $2')),
      'change it with "docs spaces update',
    ],
    [
      'two equal paths',
      (lines: string[]) => lines.map((line) => line.replace('/section-3', '/section-0')),
      'the path /section-0 is that of line',
    ],
    [
      'two defaults',
      (lines: string[]) =>
        lines.map((line) => (line.startsWith(' ') ? line : line.replace(/(\[section [\w-]+\])$/, '$1 *'))),
      'one opens first',
    ],
    ['no line at all', () => ['# nothing'], 'has no lines of a tree'],
  ])('refuses %s, with its line, and sends nothing', async (_, edit, message) => {
    world.load(before);
    write(world, edit(await linesOf(world)).join('\n'));
    world.sent();
    const refused = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(changesOf(world.sent())).toEqual([]);
  });

  it('killed at a change, resumed: the same tree, nothing twice', () =>
    killedAtEach(world, (whole) => [1, 2, whole]));
});
